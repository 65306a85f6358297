"""A host announces thousands of machines over DNS-SD that are not there."""

from __future__ import annotations

import os
import threading
import time

from client.announcing import GROUP, announcement, announcer
from client.finding import Outcome, Place, Skipped
from client.hosts import Host, Network, why_not
from client.machine import Machine

TITLE = "announcements"
ANNOUNCED = 5_000
EACH_SECOND = 1_000
# A household of twelve machines is followed in full, with three questions each; in a crowd sixteen are open. Each has a thread and some
# five descriptors.
MOST_THREADS = 48
MOST_DESCRIPTORS = 5 * MOST_THREADS


def attack(place: Place) -> Outcome | Skipped:
    if why := why_not():
        return Skipped(why)
    with Network("desk", "mallory") as network:
        host, attacker = network.hosts
        desk = Machine(place.programs, options=("--browse", "yes"), at=host)
        host.start_avahi(desk.home)
        with desk:
            began = time.monotonic()
            desk.huddle("peers")
            usual, before = time.monotonic() - began, usage(desk)
            most = list(before)
            flood = threading.Thread(target=announce, args=(attacker,))
            flood.start()
            while flood.is_alive():
                most = [max(pair) for pair in zip(most, usage(desk))]
                time.sleep(0.1)
            began = time.monotonic()
            answered = desk.huddle("peers", within=20).returncode == 0
            waited = time.monotonic() - began
            for _ in range(20):
                most = [max(pair) for pair in zip(most, usage(desk))]
                time.sleep(0.1)
            figures = (
                f"{ANNOUNCED} announced: threads {before[0]} → {most[0]}, descriptors {before[1]} → {most[1]}, "
                f"{(most[2] - before[2]) / os.sysconf('SC_CLK_TCK'):.1f} s of processor, `huddle peers` {usual:.1f} → {waited:.1f} s"
            )
            is_bounded = most[0] - before[0] <= MOST_THREADS and most[1] - before[1] <= MOST_DESCRIPTORS
            return Outcome(answered and is_bounded and waited < usual + 2, figures)


def usage(desk: Machine) -> list[int]:
    """Threads, descriptors, ticks of the processor."""
    assert desk.process
    with open(f"/proc/{desk.process.pid}/stat") as file:
        fields = file.read().rsplit(")")[1].split()
    return [desk.threads, desk.descriptors, int(fields[11]) + int(fields[12])]


def announce(attacker: Host) -> None:
    attacker.enter()
    link = announcer(attacker)
    for number in range(ANNOUNCED):
        address = f"10.99.{1 + number // 250}.{1 + number % 250}"
        link.sendto(announcement(f"flood {number}", f"flood-{number}", address), GROUP)
        time.sleep(1 / EACH_SECOND)
