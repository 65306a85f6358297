"""A friend opens as many streams as it may, where the daemon was started with the usual limit of 1,024 descriptors."""

from __future__ import annotations

import time

from client import pairing
from client.finding import Outcome, Place
from client.machine import Machine
from client.peer import Link
from client.tls import Gone, Key, SecureChannel

TITLE = "descriptors"
STREAMS = 240
SECONDS = 25


def attack(place: Place) -> Outcome:
    with Machine(place.programs, descriptors=1_024) as desk:
        key, friend = Key(), Key()
        desk.befriend(key)
        desk.befriend(friend, "Friend")
        before = desk.descriptors
        link = Link.dial(desk.address, key)
        channels: list[SecureChannel] = []
        began = time.monotonic()
        try:
            session = pairing.join(link)
            while len(channels) < STREAMS and time.monotonic() - began < SECONDS:
                channels.append(link.stream(session, f"stream {len(channels)}"))
        except (Gone, pairing.Refused):
            pass
        took, after = time.monotonic() - began, desk.descriptors
        each = (after - before) / max(1, len(channels))
        began = time.monotonic()
        try:
            pairing.join(Link.dial(desk.address, friend, within=5), within=5)
            is_served = desk.huddle("status", within=5).returncode == 0
        except (Gone, pairing.Refused):
            is_served = False
        waited = time.monotonic() - began
        figures = (
            f"{len(channels)} streams of {STREAMS} in {took:.1f} s, {each:.1f} descriptors each ({after} in all); "
            f"another friend {'was let in' if is_served else 'was not let in'} after {waited:.1f} s"
        )
        # A daemon may refuse some, but it may not let them wait.
        return Outcome(is_served and waited < 3 and took < 8 and len(channels) >= 64, figures)
