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
SECONDS = 15


def attack(place: Place) -> Outcome:
    with Machine(place.programs) as desk:
        friend = Key()
        desk.befriend(friend, "Friend")
        deadline = time.monotonic() + SECONDS
        sent = 0
        while sent < INVITATIONS and time.monotonic() < deadline:
            try:
                # A few for each key, and keys that are new each time.
                link = Link.dial(desk.address, Key(), f"Stranger {sent}")
                for _ in range(100):
                    invite(link, Invitation())
                    sent += 1
                link.close()
            except (Gone, Refused):
                pass
        entries = desk.told("log", "--limit", "10000")
        of_friend = sum(1 for entry in entries if entry.get("peer", {}).get("id") == friend.text)
        strangers = sum(1 for entry in entries if entry.get("peer", {}).get("id", friend.text) != friend.text)
        figures = f"{sent} invitations by strangers: {strangers} of {len(entries)} lines are theirs, {of_friend} about the friend"
        return Outcome(of_friend > 0 and strangers <= 2_000, figures)
