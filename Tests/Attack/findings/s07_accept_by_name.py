"""A stranger asks under a name that somebody else has, and the person answers with the name and --yes."""

from __future__ import annotations

import subprocess

from client import pairing
from client.finding import Outcome, Place
from client.machine import Machine
from client.peer import Link
from client.tls import Gone, Key

TITLE = "accept NAME --yes"


def attack(place: Place) -> Outcome:
    with Machine(place.programs) as desk:
        key = Key()
        link = Link.dial(desk.address, key, "Alpha")
        answers: list[subprocess.Popen[str]] = []

        def answer(_: str) -> None:
            desk.asks_for(key)
            answers.append(desk.begin("accept", "Alpha", "--yes"))

        try:
            pairing.pair(link, answer, within=3)
        except (Gone, pairing.Refused):
            pass
        link.close()
        said = answers[0].communicate(timeout=40)[0].strip()
        known = [line["peer"]["name"] for line in desk.told("peers") if line["event"] == "peer" and line["known"]]
        figures = f"exit {answers[0].returncode}, known from then on: {', '.join(known) or 'none'} (“{said.splitlines()[-1] if said else ''}”)"
        return Outcome(answers[0].returncode not in (0, 4) and not known, figures)
