"""Strangers, each with a new key and from many addresses, ask to be let in as fast as they can."""

from __future__ import annotations

import itertools
import json
import os
import threading
import time
from collections import deque

from client.finding import Outcome, Place
from client.frames import frame
from client.machine import Machine
from client.pairing import REVEAL_1, Invitation, commitment_1, invite
from client.peer import Link
from client.tls import Gone, Key

TITLE = "prompts"
SECONDS = 8
ADDRESSES = 20
# A person can look at so many.
ALLOWED = 20


def attack(place: Place) -> Outcome:
    with Machine(place.programs) as desk:
        events = desk.begin("events", "--json")
        prompts = 0

        def count() -> None:
            nonlocal prompts
            for line in events.stdout or []:
                prompts += json.loads(line)["event"] == "invited"

        counting = threading.Thread(target=count)
        counting.start()
        log = desk.log.stat().st_size
        knocks = 0
        deadline = time.monotonic() + SECONDS
        links: deque[Link] = deque()
        for number in itertools.count():
            if time.monotonic() > deadline:
                break
            try:
                links.append(knock(desk, f"127.0.1.{number % ADDRESSES + 1}"))
            except Gone:
                continue
            knocks += 1
            # More than these are not let in at once.
            if len(links) > 40:
                links.popleft().close()
        waiting = desk.huddle("status").stdout.count("waits to be let in")
        events.terminate()
        counting.join()
        grown = (desk.log.stat().st_size - log) // 1024
        figures = f"{knocks} invitations by new keys from {ADDRESSES} addresses in {SECONDS} s: {prompts} prompts, {waiting} in `huddle status`, the log grew by {grown} KiB"
        return Outcome(knocks > 0 and prompts <= ALLOWED, figures)


def knock(desk: Machine, source: str) -> Link:
    key = Key()
    link = Link.dial(desk.address, key, "Alpha", source, within=3)
    nonce = os.urandom(32)
    invitation = Invitation(commitment=commitment_1(nonce, key.peer_id, link.peer_id))
    invite(link, invitation, within=3)
    if link.major == 1:
        link.send(frame(REVEAL_1, invitation.id + nonce))
    link.settle()
    return link
