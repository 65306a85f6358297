"""Strangers invite until what the log says of others has been pushed out."""

from __future__ import annotations

import time

from client.finding import Outcome, Place
from client.machine import Machine
from client.pairing import Invitation, Refused, invite
from client.peer import Link
from client.tls import Gone, Key

TITLE = "audit log"
INVITATIONS = 6_000
# Ten notes in ten minutes, and an entry or two for each of the few questions that a person sees.
ALLOWED = 60
SECONDS = 15


def attack(place: Place) -> Outcome:
    with Machine(place.programs) as desk:
        friend = Key()
        desk.befriend(friend, "Friend")
        sent = 0
        # Half of them use the friend's name: each may cause a warning that a known name has another key.
        for name in ("Stranger", "Friend"):
            sent += invitations(desk, name)
        entries = desk.told("log", "--limit", "10000")
        of_friend = sum(1 for entry in entries if entry.get("peer", {}).get("id") == friend.text)
        strangers = sum(1 for entry in entries if entry.get("peer", {}).get("id", friend.text) != friend.text)
        figures = f"{sent} invitations by strangers: {strangers} of {len(entries)} lines are theirs, {of_friend} about the friend"
        return Outcome(of_friend > 0 and strangers <= ALLOWED, figures)


def invitations(desk: Machine, name: str) -> int:
    """Invites under that name, and returns how often."""
    deadline = time.monotonic() + SECONDS
    sent = 0
    while sent < INVITATIONS and time.monotonic() < deadline:
        try:
            # A few for each key, and keys that are new each time.
            link = Link.dial(desk.address, Key(), name if name == "Friend" else f"{name} {sent}")
            for _ in range(100):
                invite(link, Invitation())
                sent += 1
            link.close()
        except (Gone, Refused):
            pass
    return sent
