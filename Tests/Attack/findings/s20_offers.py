"""A paired machine offers games with lists of patterns that are short as text and long when they are ready for use."""

from __future__ import annotations

import os
import struct
import threading
import time

from client import frames, saves
from client.finding import Outcome, Place
from client.frames import text
from client.machine import Machine
from client.peer import Link
from client.tls import Gone, Key

TITLE = "offers with long patterns"
OFFERS = 64
LINES = 256
LINE = b"a?/" * 126 + b"a?"
MOST_WAITING = 16
LONGEST = 240
ALLOWED = 8  # MiB


def attack(place: Place) -> Outcome:
    with Machine(place.programs) as desk:
        key = desk.key_below()
        desk.befriend(key)
        before = desk.memory
        most, ended = [before], threading.Event()
        watch = threading.Thread(target=follow, args=(desk, most, ended))
        watch.start()
        link = Link.dial(desk.address, key)
        session = saves.SavesSession(link)
        sent = taken = 0
        try:
            for number in range(OFFERS):
                session.messages.say(large_offer(number))
                sent += 1
                link.settle()
                # More than 2 MiB without an acknowledgement would break the protocol.
                while sent - taken > MOST_WAITING:
                    taken = int.from_bytes(link.next(frames.MESSAGE_ACK)[1][16:24], "big")
        except Gone:
            # Cut off: that is one way to hold.
            pass
        listed = stored(desk)
        link.close()
        desk.stop()
        # They come back with each start.
        desk.start()
        ended.set()
        watch.join()
        figures = f"{sent} offers, {listed} of them stored: memory {before:.0f} → {most[0]:.0f} MiB at most, also while it started again"
        return Outcome(most[0] - before < ALLOWED and sent > 0 and listed > 0, figures, sent > 0 and listed > 0)


def follow(desk: Machine, most: list[float], ended: threading.Event) -> None:
    """The most memory that it has: at rest it gives back what it took for a moment."""
    while not ended.wait(0.01):
        most[0] = max(most[0], desk.memory)


def large_offer(number: int) -> bytes:
    lines = b"".join(text(LINE.decode()) for _ in range(LINES))
    head = bytes([saves.OFFER]) + os.urandom(16) + text(f"game{number}") + struct.pack(">H", LINES)
    return head + lines + struct.pack(">IH", 0, 0)


def stored(desk: Machine) -> int:
    """How many of the offers the daemon keeps, once it has taken all of them."""
    count, deadline = -1, time.monotonic() + 20
    while time.monotonic() < deadline:
        time.sleep(1)
        if (now := sum(line["event"] == "save-offer" for line in desk.told("list"))) == count:
            break
        count = now
    return count
