"""A machine that knocks measures how long the answers take: is it blocked, or is a person asked?"""

from __future__ import annotations

import random
import struct
import time

from client import frames
from client.finding import Outcome, Place
from client.frames import frame
from client.machine import Machine
from client.pairing import RECEIVED, REVEAL_1, Invitation, commitment_1
from client.peer import Link
from client.tls import Key

TITLE = "blocked by time"
SAMPLES = 2_000
# Each of these shows a person a question, and takes as long as the daemon waits before it asks.
WATCHED = 300
WATCH = 0.28
# The daemon may let strangers wait for the receipt: 20 ms each are 80 s.
LONGEST = 420
# Chance gives 0.5; of so many samples it stays below this.
ALLOWED = 0.55
# The work of asking delays a Pong at times; see "Blocked is silence" in docs/internals/wire-protocol.md.
ALLOWED_WATCHED = 0.75


def attack(place: Place) -> Outcome:
    with Machine(place.programs) as desk:
        areas = {}
        for kind in ("known", "unknown"):
            links = dial(desk, kind, is_known=kind == "known")
            for what, times in measure(links, code_needed=kind == "unknown").items():
                areas[f"{what} of {kind}"] = auc(times["ask"], times["block"])
        questions = desk.log.read_text().count(ASKS)
        slowest = watch(dial(desk, "watched", is_known=True))
        shown = desk.log.read_text().count(ASKS) - questions
        watched = auc(slowest["ask"], slowest["block"])
        figures = ", ".join(f"{what} {area:.3f}" for what, area in areas.items())
        figures = f"AUC of {SAMPLES} invitations each: {figures}; of {WATCHED} each with {shown} questions: slowest Pong {watched:.3f}"
        # If the questions were not shown, the times of two silences were compared.
        is_valid = shown >= 0.95 * WATCHED
        return Outcome(is_valid and max(areas.values()) <= ALLOWED and watched <= ALLOWED_WATCHED, figures, is_valid)


# What the daemon logs when it asks a person.
ASKS = "asks to come in"


def dial(desk: Machine, kind: str, is_known: bool) -> dict[str, Link]:
    """A link for each policy. The names differ each time: a known name with another key is a warning, and so work."""
    links = {}
    for policy in ("ask", "block"):
        key = Key()
        name = f"{policy} {kind}"
        if is_known:
            desk.befriend(key, name)
        desk.huddle("policy", key.text, "--set", policy)
        links[policy] = Link.dial(desk.address, key, name)
    return links


def watch(links: dict[str, Link]) -> dict[str, list[float]]:
    """The slowest Pong of a train of Pings from the receipt until the daemon has asked, by policy."""
    slowest: dict[str, list[float]] = {policy: [] for policy in links}
    order = [policy for policy in links for _ in range(WATCHED)]
    random.shuffle(order)
    number = 0
    for policy in order:
        link = links[policy]
        invitation = Invitation(code_needed=False, patience=1_000)
        link.send(invitation.frame(link.major))
        while link.next(RECEIVED)[1][:16] != invitation.id:
            pass
        deadline = time.perf_counter() + WATCH
        worst = 0.0
        while (began := time.perf_counter()) < deadline:
            number += 1
            link.send(frames.ping(number))
            while link.next(frames.PONG)[1] != struct.pack(">Q", number):
                pass
            worst = max(worst, time.perf_counter() - began)
            time.sleep(0.0003)
        slowest[policy].append(worst)
        link.others.clear()
    return slowest


def measure(links: dict[str, Link], code_needed: bool) -> dict[str, dict[str, list[float]]]:
    """Seconds to the receipt, and to the Pong for a Ping behind it, by policy."""
    times: dict[str, dict[str, list[float]]] = {what: {policy: [] for policy in links} for what in ("receipt", "Pong")}
    order = [policy for policy in links for _ in range(SAMPLES)]
    random.shuffle(order)
    for number, policy in enumerate(order):
        link = links[policy]
        nonce = bytes(32)
        commitment = commitment_1(nonce, link.key.peer_id, link.peer_id)
        invitation = Invitation(code_needed=code_needed, commitment=commitment)
        began = time.perf_counter()
        link.send(invitation.frame(link.major))
        while link.next(RECEIVED)[1][:16] != invitation.id:
            pass
        received = time.perf_counter()
        # In huddle/1 a person is asked only then.
        reveal = frame(REVEAL_1, invitation.id + nonce) if link.major == 1 and code_needed else b""
        link.send(reveal + frames.ping(number))
        while link.next(frames.PONG)[1] != struct.pack(">Q", number):
            pass
        times["receipt"][policy].append(received - began)
        times["Pong"][policy].append(time.perf_counter() - received)
        link.others.clear()
        # So that work that was put off until the answer has gone out doesn't count for the next.
        time.sleep(0.0005)
    return times


def auc(left: list[float], right: list[float]) -> float:
    """How often one of the first is the greater of two, or the smaller: 0.5 tells nothing, 1 tells all."""
    ranked = sorted([(value, True) for value in left] + [(value, False) for value in right])
    ranks = sum(rank for rank, (_, is_left) in enumerate(ranked, 1) if is_left)
    area = (ranks - len(left) * (len(left) + 1) / 2) / (len(left) * len(right))
    return max(area, 1 - area)
