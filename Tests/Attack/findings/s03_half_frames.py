"""A machine that was let in leaves streams in the middle of a frame of 1 MiB, which a careless reader keeps until it is whole."""

from __future__ import annotations

from client import frames, pairing
from client.finding import Outcome, Place
from client.machine import Machine
from client.peer import Link
from client.tls import Gone, Key, SecureChannel

TITLE = "half frames"
STREAMS = 150
ALLOWED = 48  # MiB


def attack(place: Place) -> Outcome:
    with Machine(place.programs) as desk:
        key = Key()
        desk.befriend(key)
        link = Link.dial(desk.address, key)
        session = pairing.join(link)
        before = desk.memory
        half = frames.frame(frames.DATA, bytes(1 << 20))[:-1]
        channels: list[SecureChannel] = []
        refused = 0
        for number in range(STREAMS):
            try:
                channels.append(link.stream(session, f"half {number}"))
                channels[-1].send(half)
            except Gone:
                refused += 1
                if refused > 3:
                    break
        try:
            link.settle()
        except Gone:
            pass
        after = desk.memory
        # A machine that behaves is served meanwhile.
        friend = Key()
        desk.befriend(friend, "Friend")
        figures = f"{len(channels)} streams of {STREAMS} taken: memory {before:.0f} → {after:.0f} MiB"
        return Outcome(after - before < ALLOWED and desk.is_alive, figures)
