"""The attack on huddle/1: who invites knows the code before the person over there sees anything, and invites again until it fits.

Desk's person invites once and reads a code from the screen. The attacker between knows that code, for it has answered. Then it
invites Deck under Desk's name until Deck's code is the same, and only then lets Deck's person see it.
"""

from __future__ import annotations

import os
import socket
import subprocess
import time

from client.finding import Outcome
from client.frames import frame
from client.machine import Machine
from client.pairing import CONFIRM_1, INVITE, RECEIVED, REVEAL_1, Invitation, code_1, commitment_1, exporter, verdict
from client.peer import Link
from client.tls import Gone, Key

from . import called

LINKS = 8


def attack(desk: Machine, deck: Machine, listener: socket.socket, seconds: int = 12) -> Outcome:
    # What Desk's person takes for Deck.
    inviting = desk.begin("invite", called(deck, listener), "--patience", f"{seconds + 30}s", "--yes")
    to_desk, code = answer(listener)
    tries, found, took = grind(deck, code, seconds)
    seen = deck.huddle("status").stdout.count("waits to be let in")
    reached = "the attacker was not let in"
    if found:
        link, invitation, nonce = found
        if finish(deck, link, invitation, nonce, code):
            reached = "Deck's person saw the code of Desk's screen and let the attacker in"
    inviting.kill()
    to_desk.close()
    chance = {seconds: 1 - (1 - 1e-6) ** (tries / took * seconds) for seconds in (30, 300, 600)}
    likely = ", ".join(f"{share:.0%} in {seconds} s" for seconds, share in chance.items())
    return Outcome(
        tries <= 2,
        f"huddle/1: {tries} tries in {took:.0f} s ({tries / took:.0f}/s) for one act of a person, who saw {seen} of them; {reached}; "
        f"at this rate the code is found with {likely}",
    )


def answer(listener: socket.socket) -> tuple[Link, str]:
    """Answers Desk's invitation up to where its screen shows the code, which is known here then as well."""
    key = Key()
    link = Link.answer(listener, key, "Deck")
    invitation = Invitation.read(link.next(INVITE)[1], link.major)
    nonce = os.urandom(32)
    link.send(frame(RECEIVED, invitation.id + nonce + b"\1"))
    revealed = link.next(REVEAL_1)[1][16:]
    return link, code_1(link.peer_id, key.peer_id, revealed, nonce, exporter(link))


def grind(deck: Machine, code: str, seconds: int) -> tuple[int, tuple[Link, Invitation, bytes] | None, float]:
    links = [Link.dial(deck.address, Key(), "Desk") for _ in range(LINKS)]
    secrets = [exporter(link) for link in links]
    began = time.monotonic()
    tries = 0
    while time.monotonic() - began < seconds:
        sent = []
        for link in links:
            nonce = os.urandom(32)
            invitation = Invitation(commitment=commitment_1(nonce, link.key.peer_id, link.peer_id), patience=60_000)
            link.send(invitation.frame(1))
            sent.append((invitation, nonce))
        for link, secret, (invitation, nonce) in zip(links, secrets, sent):
            try:
                other = link.next(RECEIVED)[1][16:48]
            except Gone:
                return tries, None, time.monotonic() - began
            tries += 1
            link.others.clear()
            if code_1(link.key.peer_id, link.peer_id, nonce, other, secret) == code:
                return tries, (link, invitation, nonce), time.monotonic() - began
    return tries, None, time.monotonic() - began


def finish(deck: Machine, link: Link, invitation: Invitation, nonce: bytes, code: str) -> bool:
    link.send(frame(REVEAL_1, invitation.id + nonce))
    link.settle()
    # As the person reads it from Desk's screen.
    accepting: subprocess.Popen[str] = deck.begin("accept", link.key.text, code)
    link.send(frame(CONFIRM_1, invitation.id))
    link.next(CONFIRM_1)
    verdict(link, invitation)
    return accepting.wait(20) == 0
