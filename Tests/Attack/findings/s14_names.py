"""Machines and files under names that look like others, or like words of the program."""

from __future__ import annotations

from client import pairing
from client.finding import Outcome, Place
from client.frames import frame
from client.machine import Machine
from client.pairing import REVEAL_1, Invitation, commitment_1, invite
from client.peer import Link, send_file
from client.tls import Gone, Key

TITLE = "names"
MACHINES = [
    "\u0410lpha",
    "\uff21lpha",
    "Alpha (flrp-unfd)",
    "\u201cDeck\u201d is in",
    "Alpha ",
    "A" + "\u0338\u0322\u0301\u0316" * 3 + "lpha",
]
# These pretend nothing.
HONEST = ["PC - Anna-Lena", "PC\u2161", "\u592a\u90ce\u306ePC\uff12"]
FILES = ["\u202egnp.exe", "-rf", ".huddle-00000000000000000000000000000000.partial", " ", "save\u200b.json", "save.json "]


def attack(place: Place) -> Outcome:
    shown, marked, stored = [], [], []
    with Machine(place.programs) as desk:
        for name in MACHINES + HONEST:
            key = Key()
            link = Link.dial(desk.address, key, name)
            nonce = bytes(32)
            invitation = Invitation(commitment=commitment_1(nonce, key.peer_id, link.peer_id))
            try:
                invite(link, invitation)
                if link.major == 1:
                    link.send(frame(REVEAL_1, invitation.id + nonce))
                desk.asks_for(key, within=2)
                status = desk.huddle("status").stdout
            except Gone:
                status = ""
            link.close()
            is_shown = f"{name} (" in status
            if is_shown != (name in HONEST):
                (shown if is_shown else marked).append(ascii(name))
    with Machine(place.programs) as desk:
        key = Key()
        desk.befriend(key)
        for name in FILES:
            link = Link.dial(desk.address, key)
            try:
                send_file(link, pairing.join(link), name, b"save")
            except Gone:
                pass
            link.close()
            if (desk.home / "Downloads" / name).exists():
                stored.append(ascii(name))
    figures = f"machines shown as they are: {', '.join(shown) or 'none'}; honest ones marked: {', '.join(marked) or 'none'}; files stored as they are: {', '.join(stored) or 'none'}"
    return Outcome(not shown and not marked and not stored, figures)
