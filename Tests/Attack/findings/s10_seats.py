"""Twenty addresses hold all seats with half a greeting each, and a friend who is not linked wants to come in."""

from __future__ import annotations

import socket
import threading

from client.finding import Outcome, Place
from client.machine import Machine
from client.peer import Link
from client.tls import Address, Gone, Key

TITLE = "seats"
ADDRESSES = 20
EACH = 8
TRIES = 25
NEEDED = 24
# The head of a ClientHello that has 500 bytes, and a few of them.
HALF = bytes.fromhex("16030101f4010001f00303") + bytes(40)


def attack(place: Place) -> Outcome:
    with Machine(place.programs) as desk:
        key = Key()
        desk.befriend(key)
        is_over = threading.Event()
        crowd = [
            threading.Thread(target=hold, args=(desk.address, f"127.0.2.{number + 1}", is_over)) for number in range(ADDRESSES)
        ]
        for thread in crowd:
            thread.start()
        came = 0
        # So that all seats are taken.
        is_over.wait(1)
        for _ in range(TRIES):
            try:
                Link.dial(desk.address, key, within=3).close()
                came += 1
            except Gone:
                pass
        is_over.set()
        for thread in crowd:
            thread.join()
        return Outcome(came >= NEEDED, f"{ADDRESSES} addresses with half greetings: a friend came in {came} times of {TRIES}")


def hold(address: Address, source: str, is_over: threading.Event) -> None:
    """Keeps so many connections open with half a greeting; of those that are closed, begins others at once."""
    held: list[socket.socket] = []
    while not is_over.is_set():
        while len(held) < EACH:
            try:
                link = socket.create_connection(address, 1, (source, 0))
                link.sendall(HALF)
                link.setblocking(False)
                held.append(link)
            except OSError:
                break
        is_over.wait(0.05)
        for link in list(held):
            try:
                if link.recv(1) == b"":
                    raise OSError
            except BlockingIOError:
                pass
            except OSError:
                held.remove(link)
                link.close()
    for link in held:
        link.close()
