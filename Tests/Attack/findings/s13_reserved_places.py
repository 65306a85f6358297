"""A set that a hostile machine offers is joined at a place where what comes is a key, or is run."""

from __future__ import annotations

import os

from client import saves
from client.finding import Outcome, Place
from client.machine import Machine
from client.peer import Link

CONTENTS = b"ssh-ed25519 AAAA mallory\n"
TITLE = "sets at reserved places"
PLACES = [
    "", ".ssh", ".gnupg", ".config", ".config/autostart", ".config/systemd/user", ".local/share/systemd/user", ".local/bin", "bin",
    ".local/share/Steam/userdata/1", ".local/share/Steam/userdata/1/config", ".local/share/Steam/steamapps/common/Proton 9.0", "games/link",
]  # fmt: skip


def attack(place: Place) -> Outcome:
    with Machine(place.programs) as desk:
        key = desk.key_below()
        desk.befriend(key)
        link = Link.dial(desk.address, key)
        session = saves.SavesSession(link)
        for number in range(len(PLACES)):
            giver = saves.Giver(session, os.urandom(16), f"evil{number}")
            snapshot = saves.Snapshot(
                giver.set, key, [(key, 1)], saves.manifest({"authorized_keys": CONTENTS}), form=session.form
            )
            giver.add(snapshot, CONTENTS)
            giver.offer(snapshot)
        link.settle()
        for folder in PLACES[1:-1]:
            (desk.home / folder).mkdir(parents=True, exist_ok=True)
        # A name that sounds like a game's, and leads elsewhere.
        (desk.home / "games").mkdir()
        (desk.home / PLACES[-1]).symlink_to(desk.home / ".ssh")
        taken = []
        for number, folder in enumerate(PLACES):
            path = str(desk.home / folder)
            for word, name in (("join", f"evil{number}"), ("share", f"mine{number}")):
                words = [name, "--at", path] if word == "join" else [path, "--name", name, "--only-here"]
                # If it is joined, it waits for what the other machine gives, which is nothing.
                if desk.huddle(word, *words, within=2).returncode == 2:
                    raise RuntimeError(f"huddle {word} is not understood")
                if any(line["event"] == "save-set" and line["name"] == name for line in desk.told("list")):
                    taken.append(f"{word} at ~/{folder}")
                    desk.huddle("stop", name)
        return Outcome(not taken, f"taken: {', '.join(taken)}" if taken else f"none of {len(PLACES)} places taken by join or share")
