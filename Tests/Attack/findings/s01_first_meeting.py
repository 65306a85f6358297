"""An attacker between two machines that meet for the first time tries to be let in by both."""

from __future__ import annotations

import socket

from client.finding import Outcome, Place
from client.machine import Machine
from meeting import grinding, guessing

TITLE = "first meeting"


def attack(place: Place) -> Outcome:
    with Machine(place.programs, "Desk") as desk, Machine(place.programs, "Deck") as deck:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            if desk.major == 1:
                return grinding.attack(desk, deck, listener)
            return guessing.attack(desk, deck, listener)
