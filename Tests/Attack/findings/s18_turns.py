"""Strangers invite and hang up, each with a new key, so that others wait and are not asked about."""

from __future__ import annotations

import threading
import time

from client.finding import Outcome, Place
from client.machine import Machine
from client.pairing import Invitation, invite
from client.peer import Link
from client.tls import Gone, Key

TITLE = "strangers that hang up"
STRANGERS = 1_500
SECONDS = 12
ADDRESSES = 20
# The longest context that an invitation may have: what a daemon keeps for each.
CONTEXT = bytes(32_768)
ALLOWED = 8  # MiB
# Seconds. A stranger has a turn each 20 ms, and those that hang up have none.
PATIENCE = 2
# Seconds. Half of them hang up at once, the others when the person has been asked.
STAY = 0.5
LONGEST = 120


def attack(place: Place) -> Outcome:
    with Machine(place.programs) as desk:
        usual, _ = knock(desk, "127.0.4.1")
        before = most = desk.memory
        # Made in advance: the attack is as fast as connections are.
        keys = [Key() for _ in range(STRANGERS)]
        came: list[str] = []
        until = time.monotonic() + SECONDS
        crowd = [
            threading.Thread(target=hang_up, args=(desk, keys, came, until, stay))
            for stay in [0, STAY] * 4
        ]
        for thread in crowd:
            thread.start()
        while any(thread.is_alive() for thread in crowd):
            most = max(most, desk.memory)
            time.sleep(0.05)
        waited, is_asked = knock(desk, "127.0.4.2")
        kept = desk.memory
        figures = (
            f"{len(came)} strangers invited and hung up: memory {before:.0f} → {most:.0f} MiB, "
            f"{kept:.0f} once an honest one was heard; it waited {usual:.2f} → {waited:.2f} s; "
            f"the person was {'' if is_asked else 'not '}asked about it"
        )
        is_small = max(most, kept) - before < ALLOWED
        held = bool(came) and is_small and waited < PATIENCE and is_asked
        return Outcome(held, figures, bool(came))


def hang_up(desk: Machine, keys: list[Key], came: list[str], until: float, stay: float) -> None:
    while keys and time.monotonic() < until:
        try:
            # Another thread may have the last one.
            key = keys.pop()
            source = f"127.0.3.{len(keys) % ADDRESSES + 1}"
            link = Link.dial(desk.address, key, "Stranger", source, within=5)
            link.send(Invitation(context=CONTEXT).frame(link.major))
            # It has been read: what follows is the end of the link.
            link.settle()
            time.sleep(stay)
            link.close()
            came.append(key.text)
        except (Gone, IndexError):
            pass


def knock(desk: Machine, source: str) -> tuple[float, bool]:
    """Seconds until an honest stranger has its receipt, and whether the person is asked about it."""
    key = Key()
    link = Link.dial(desk.address, key, "Honest", source, within=20)
    began = time.monotonic()
    invite(link, Invitation(), within=75)
    waited = time.monotonic() - began
    is_asked = desk.asks_for(key, within=2)
    link.close()
    return waited, is_asked
