"""A paired machine that is blocked invites until the log says nothing of others."""

from __future__ import annotations

import time

from client.finding import Outcome, Place
from client.machine import Machine
from client.pairing import Invitation, Refused, invite
from client.peer import Link
from client.tls import Gone, Key

TITLE = "log entries of a blocked machine"
INVITATIONS = 9_000
SECONDS = 15
EACH_LINK = 100
ALLOWED = 50


def attack(place: Place) -> Outcome:
    with Machine(place.programs) as desk:
        friend, blocked = Key(), Key()
        desk.befriend(friend, "Friend")
        desk.befriend(blocked, "Blocked")
        desk.huddle("block", blocked.text)
        entries, lines = of(desk, blocked), lines_of(desk)
        deadline = time.monotonic() + SECONDS
        sent = links = 0
        while sent < INVITATIONS and time.monotonic() < deadline:
            try:
                link = Link.dial(desk.address, blocked, "Blocked", within=5)
                links += 1
                for _ in range(EACH_LINK):
                    invite(link, Invitation(code_needed=False))
                    sent += 1
                    if time.monotonic() > deadline:
                        break
                link.close()
            except (Gone, Refused):
                pass
        written = of(desk, blocked) - entries
        of_friend = of(desk, friend)
        figures = (
            f"{sent} invitations on {links} links: {written} log entries about that machine, "
            f"{of_friend} about the friend; the daemon wrote {lines_of(desk) - lines} lines"
        )
        grown = max(written, lines_of(desk) - lines)
        return Outcome(sent > 0 and of_friend > 0 and grown <= ALLOWED, figures, sent > 0)


def of(desk: Machine, key: Key) -> int:
    """How many entries are about that key."""
    log = desk.told("log", "--limit", "10000")
    return sum(entry.get("peer", {}).get("id") == key.text for entry in log)


def lines_of(desk: Machine) -> int:
    return desk.log.read_bytes().count(b"\n")
