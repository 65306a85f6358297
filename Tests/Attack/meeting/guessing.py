"""The attacks on huddle/2: an attacker between two machines wants more than one guess at the code for what one person does.

Desk's person invites, and reads a code from the screen. Deck's person types it there. A guess at Desk is a PairShare that Desk
answers: its confirmation says whether the guess is right. A guess at Deck is a PairReply to the PairShare that follows the typing:
whether Deck confirms says it. Everything that could give a second one is tried with the right code, which this test knows and an
attacker would not: if it is taken there, a wrong guess before it was free.
"""

from __future__ import annotations

import hmac
import socket
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field

from client import spake2
from client.finding import Outcome
from client.frames import frame
from client.machine import Machine, shown_code
from client.pairing import (
    ANSWER_2,
    CANCEL_2,
    CONFIRM_2,
    INVITE,
    RECEIVED,
    REPLY_2,
    SHARE_2,
    Exchange,
    Invitation,
    Refused,
    invite,
    new_code,
)  # fmt: skip
from client.peer import Link
from client.tls import Gone, Key

from . import called

# How long an answer is waited for that should not come.
SILENCE = 1.5


@dataclass
class Count:
    """What came of it all."""

    acts_at_desk: int = 0
    acts_at_deck: int = 0
    guesses_at_desk: int = 0
    guesses_at_deck: int = 0
    # What gave more than there should be, by words.
    faults: list[str] = field(default_factory=list)
    # What the programs said to the two persons.
    told: list[str] = field(default_factory=list)


class Meeting:
    """One meeting with the attacker between: Desk's person has invited and sees the code, Deck's person has typed it."""

    def __init__(self, desk: Machine, deck: Machine, listener: socket.socket, count: Count) -> None:
        self.desk, self.deck, self.listener, self.count = desk, deck, listener, count
        self.key = Key()
        self.inviting = desk.begin("invite", called(deck, listener), "--json", "--patience", "30s")
        count.acts_at_desk += 1
        self.to_desk = Link.answer(listener, self.key, "Deck")
        self.from_desk = self._be_invited(self.to_desk)
        self.code = shown_code(self.inviting)
        self.to_deck = Link.dial(deck.address, self.key, "Desk")
        self.invitation = Invitation()
        invite(self.to_deck, self.invitation)
        deck.asks_for(self.key)
        self.typing = deck.begin("accept", self.key.text, self.code)
        count.acts_at_deck += 1
        self.share = self._share_of(self.invitation)

    def _be_invited(self, link: Link) -> Invitation:
        invitation = Invitation.read(link.next(INVITE)[1], link.major)
        link.send(frame(RECEIVED, invitation.id + b"\1"))
        return invitation

    def _share_of(self, invitation: Invitation, within: float = 10) -> bytes | None:
        try:
            while True:
                payload = self.to_deck.next(SHARE_2, within=within)[1]
                if payload[:16] == invitation.id:
                    return payload[16:]
        except Gone:
            return None

    def guess_at_desk(self, code: str) -> bool | None:
        """Whether the code is right; None where Desk gives no answer from which that could be seen."""
        return self._share_to_desk(Exchange(self.to_desk, self.from_desk.id, True, code))

    def _share_to_desk(self, exchange: Exchange) -> bool | None:
        reply = self.send_share(exchange.share)
        if reply is None:
            return None
        return hmac.compare_digest(reply[65:], exchange.keys(reply[:65]).of_b)

    def send_share(self, share: bytes) -> bytes | None:
        """Desk's share and confirmation, if it gives them."""
        try:
            self.to_desk.send(frame(SHARE_2, self.from_desk.id + share))
            kind, payload = self.to_desk.next(REPLY_2, CANCEL_2, within=SILENCE)
        except Gone:
            return None
        if kind == CANCEL_2:
            return None
        self.count.guesses_at_desk += 1
        return payload[16:]

    def guess_at_deck(self, code: str, share: bytes | None = None) -> bool | None:
        """Whether Deck confirms; None where it says nothing to it."""
        exchange = Exchange(self.to_deck, self.invitation.id, False, code)
        confirmation = exchange.keys(share or self.share or b"").of_b
        return self.send_reply(exchange.share, confirmation)

    def send_reply(self, share: bytes, confirmation: bytes) -> bool | None:
        try:
            self.to_deck.send(frame(REPLY_2, self.invitation.id + share + confirmation))
            kind, payload = self.to_deck.next(CONFIRM_2, ANSWER_2, within=SILENCE)
        except Gone:
            return None
        self.count.guesses_at_deck += 1
        return kind == CONFIRM_2 or payload[16] == 0

    def end(self) -> None:
        """Notes what the programs said to both persons."""
        self.to_desk.close()
        self.to_deck.close()
        for command in (self.inviting, self.typing):
            try:
                said = command.communicate(timeout=10)[0].strip()
            except subprocess.TimeoutExpired:
                command.kill()
                said = command.communicate()[0].strip() or "nothing within 10 s"
            self.count.told.append(said.splitlines()[-1] if said else "nothing")


def other(code: str) -> str:
    while (guess := new_code()) == code:
        pass
    return guess


def again(meeting: Meeting) -> None:
    """A wrong guess on both sides, then the right code on the same links, and for the same invitations."""
    meeting.guess_at_desk(other(meeting.code))
    if meeting.guess_at_desk(meeting.code):
        meeting.count.faults.append("a second guess at Desk on the same link")
    meeting.guess_at_deck(other(meeting.code))
    if meeting.guess_at_deck(meeting.code):
        meeting.count.faults.append("a second guess at Deck on the same link")
    replacement = Invitation()
    try:
        invite(meeting.to_deck, replacement)
    except (Gone, Refused):
        return
    if meeting._share_of(replacement, SILENCE):
        meeting.count.faults.append("a share for an invitation without a code of its own")


def abandon(meeting: Meeting) -> None:
    """A wrong guess on both sides, then the links are cut, and the right code comes on new ones."""
    meeting.guess_at_desk(other(meeting.code))
    meeting.to_desk.close()
    for dials in (False, True):
        try:
            # Desk may dial again by itself. Else a link from here takes the place of the one that was cut.
            meeting.to_desk = (
                Link.dial(meeting.desk.address, meeting.key, "Deck")
                if dials
                else Link.answer(meeting.listener, meeting.key, "Deck", SILENCE)
            )
            meeting.from_desk = Invitation.read(meeting.to_desk.next(INVITE, within=SILENCE)[1], 2)
            meeting.to_desk.send(frame(RECEIVED, meeting.from_desk.id + b"\1"))
        except (Gone, OSError):
            continue
        if meeting.guess_at_desk(meeting.code):
            meeting.count.faults.append("a second guess at Desk on a new link")
    meeting.guess_at_deck(other(meeting.code))
    meeting.to_deck.close()
    try:
        meeting.to_deck = Link.dial(meeting.deck.address, meeting.key, "Desk")
        invite(meeting.to_deck, meeting.invitation)
    except (Gone, Refused):
        return
    share = meeting._share_of(meeting.invitation, SILENCE)
    if share and meeting.guess_at_deck(meeting.code, share):
        meeting.count.faults.append("a second guess at Deck on a new link")


def relay(meeting: Meeting) -> None:
    """Deck's share goes to Desk, and Desk's reply to Deck."""
    reply = meeting.send_share(meeting.share or b"")
    if reply and meeting.send_reply(reply[:65], reply[65:]):
        meeting.count.faults.append("an exchange that was passed on")


def reflect(meeting: Meeting) -> None:
    """Each side gets its own share back, or one that is no point of the curve: then the key might be known."""
    if meeting.send_reply(meeting.share or b"", bytes(32)):
        meeting.count.faults.append("Deck's own share")
    for share in (bytes(65), b"\4" + bytes(64), b"\4" + spake2.P.to_bytes(32, "big") + bytes(32), b"\0" * 64 + b"\1"):
        if meeting.send_share(share):
            meeting.count.faults.append(f"a share that is no point ({share[:2].hex()}…)")


def crowd(meeting: Meeting) -> None:
    """Other keys send shares for Desk's invitation, and invite Deck while its person types."""
    for machine, name in ((meeting.desk, "Deck"), (meeting.deck, "Desk")):
        link = Link.dial(machine.address, Key(), name)
        try:
            if machine is meeting.desk:
                link.send(frame(SHARE_2, meeting.from_desk.id + Exchange(link, meeting.from_desk.id, True, meeting.code).share))
            else:
                invite(link, Invitation(), within=3)
            link.next(REPLY_2 if machine is meeting.desk else SHARE_2, within=SILENCE)
            meeting.count.faults.append(f"an answer of {machine.name} to a machine that was not meant")
        except (Gone, Refused):
            pass
        link.close()


WAYS: list[Callable[[Meeting], None]] = [again, abandon, relay, reflect, crowd]


def silent_tries(deck: Machine, count: Count) -> int:
    """Invitations from several keys and on several links, replaced again and again, before anybody types. Gives how many."""
    links = [Link.dial(deck.address, Key(), "Desk") for _ in range(4)]
    tries = 0
    for _ in range(50):
        for link in links:
            try:
                invite(link, Invitation(), within=2)
                tries += 1
            except (Gone, Refused):
                pass
    # Somebody types a code for the name alone: which of the four is meant can't be known.
    deck.huddle("accept", "Desk", new_code(), within=10)
    for link in links:
        try:
            link.settle()
            link.next(SHARE_2, within=0.3)
            count.faults.append("a share before anybody has typed a code for that machine")
        except Gone:
            pass
        link.close()
    return tries


def attack(desk: Machine, deck: Machine, listener: socket.socket) -> Outcome:
    count = Count()
    for way in WAYS:
        guesses = (count.guesses_at_desk, count.guesses_at_deck)
        meeting = Meeting(desk, deck, listener, count)
        if meeting.share is None:
            count.faults.append(f"no share came ({way.__name__})")
        way(meeting)
        meeting.end()
        # A sum of all meetings hides a second guess: others give none.
        given = (count.guesses_at_desk - guesses[0], count.guesses_at_deck - guesses[1])
        if max(given) > 1:
            count.faults.append(f"{given[0]} guesses at Desk, {given[1]} at Deck ({way.__name__})")
    # At the end: strangers that knock may keep others waiting.
    tries = silent_tries(deck, count)
    known = [
        line["peer"]["name"] for each in (desk, deck) for line in each.told("peers") if line["event"] == "peer" and line["known"]
    ]
    if known:
        count.faults.append("known from then on: " + ", ".join(known))
    return Outcome(
        not count.faults and count.guesses_at_desk <= count.acts_at_desk and count.guesses_at_deck <= count.acts_at_deck,
        f"huddle/2: {tries} invitations before a code was typed gave no guess; {count.acts_at_desk} invitations by Desk's person gave "
        f"{count.guesses_at_desk} guesses, {count.acts_at_deck} codes typed by Deck's person {count.guesses_at_deck}; "
        f"{'; '.join(count.faults) or 'nothing gave a second one'}; the persons read “{'”, “'.join(dict.fromkeys(count.told))}”",
    )


def until_caught(desk: Machine, deck: Machine, listener: socket.socket, most: int = 30) -> str:
    """Persons who never give up: they invite and type again after each failure, and the attacker has a new key and a guess each time."""
    count = Count()
    for meetings in range(1, most + 1):
        try:
            meeting = Meeting(desk, deck, listener, count)
        except (Gone, Refused, OSError, RuntimeError) as error:
            stopped = str(error)
            break
        meeting.guess_at_desk(other(meeting.code))
        if meeting.share:
            meeting.guess_at_deck(other(meeting.code))
        meeting.end()
        if meeting.share is None:
            stopped = "Deck gave no share"
            break
    else:
        stopped = f"the test ended after {most}"
    guesses = count.guesses_at_desk + count.guesses_at_deck
    return (
        f"persons who never give up: {guesses} guesses in {meetings} meetings, all shown to both persons; then {stopped} "
        f"(“{count.told[-1] if count.told else 'nothing'}”); the chance of all these guesses is {guesses} in 1,000,000"
    )
