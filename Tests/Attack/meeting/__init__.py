"""Attacks on a first meeting, from between the two machines: on huddle/1 by `grinding`, on huddle/2 by `guessing`."""

import socket

from client.machine import Machine


def called(deck: Machine, listener: socket.socket) -> str:
    """What Desk's person types for Deck. Where ARP is spoofed that is Deck's own address, and the attacker is reached all the same."""
    host, port = listener.getsockname()
    return f"{deck.host}:{deck.port}" if host == "0.0.0.0" else f"{host}:{port}"
