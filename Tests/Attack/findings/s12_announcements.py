"""A host announces thousands of machines over DNS-SD that are not there."""

from __future__ import annotations

import os
import socket
import struct
import threading
import time

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
GROUP = ("224.0.0.251", 5353)


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


def labels(*names: str) -> bytes:
    return b"".join(bytes([len(name)]) + name.encode() for name in names) + b"\0"


def announcement(number: int) -> bytes:
    """A machine as DNS-SD announces it: PTR, SRV, TXT, A."""
    service = ("_huddle", "_tcp", "local")
    instance, host = labels(f"flood {number}", *service), labels(f"flood-{number}", "local")

    def record(name: bytes, kind: int, data: bytes, is_own: bool = True) -> bytes:
        return name + struct.pack(">HHIH", kind, 0x8001 if is_own else 1, 120, len(data)) + data

    return (
        struct.pack(">HHHHHH", 0, 0x8400, 0, 4, 0, 0)
        + record(labels(*service), 12, instance, False)
        + record(instance, 33, struct.pack(">HHH", 0, 0, 4242) + host)
        + record(instance, 16, b"\3v=1")
        + record(host, 1, bytes([10, 99, 1 + number // 250, 1 + number % 250]))
    )


def announce(attacker: Host) -> None:
    attacker.enter()
    link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    link.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    link.bind((attacker.address, 5353))
    link.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(attacker.address))
    link.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
    for number in range(ANNOUNCED):
        link.sendto(announcement(number), GROUP)
        time.sleep(1 / EACH_SECOND)
