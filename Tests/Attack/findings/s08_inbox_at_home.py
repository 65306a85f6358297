"""The inbox is the home folder, or one in which settings lie, and a friend sends what is run at the next login."""

from __future__ import annotations

from pathlib import Path

from client import pairing
from client.finding import Outcome, Place
from client.machine import ALONE, Machine
from client.peer import Link, send_file
from client.tls import Gone, Key

TITLE = "inbox at home"
PLACES = ["", ".ssh", ".config/autostart", ".config/systemd/user", ".local/bin"]


def attack(place: Place) -> Outcome:
    planted = []
    for inbox in (*PLACES, None):
        desk = Machine(place.programs)
        if inbox is not None:
            folder = desk.home / inbox
            folder.mkdir(parents=True, exist_ok=True)
            desk.options = (*ALONE, "--into", str(folder))
        try:
            with desk:
                planted += plant(desk, None if inbox is None else folder)
        except RuntimeError:
            # It refuses to start, and says why.
            pass
    return Outcome(
        not planted,
        f"{len(planted)} of {3 * len(PLACES) + 3} files planted{': ' if planted else ''}{', '.join(planted[:4])}{'…' if planted[4:] else ''}",
    )


def plant(desk: Machine, reserved: Path | None) -> list[str]:
    """Files of a friend that came to a reserved place, or kept a point in front or the permission to be run."""
    key = Key()
    desk.befriend(key)
    names = [".bash_profile", "tool", "authorized_keys"]
    for name in names:
        link = Link.dial(desk.address, key)
        try:
            send_file(link, pairing.join(link), name, b"echo planted\n", mode=0o755)
        except (Gone, pairing.Refused):
            pass
        link.close()
    found = [path for name in names for path in desk.home.rglob(f"*{name.strip('.')}*") if path.is_file()]
    return [
        f"~/{path.relative_to(desk.home)} ({path.stat().st_mode & 0o777:o})"
        for path in found
        if path.parent == reserved or path.name == ".bash_profile" or path.stat().st_mode & 0o111
    ]
