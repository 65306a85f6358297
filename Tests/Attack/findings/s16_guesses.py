"""An invited machine guesses at the code, leaves, and is there again to guess once more."""

from __future__ import annotations

import hmac
import json
import socket
from collections.abc import Callable
from dataclasses import dataclass

from client import frames
from client.finding import Outcome, Place, Skipped
from client.frames import frame
from client.machine import Machine
from client.pairing import (
    CANCEL_2,
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
from client.tls import Gone

TITLE = "guesses for one act"
LOST, SHUTTING_DOWN = 10, 9
# A key that was wrong a few times is kept out for a while. Desk dials less often for one act.
MOST = 16


@dataclass
class Act:
    """What came of one `huddle invite`."""

    codes: int = 0
    guesses: int = 0
    right: int = 0


# How the attacker leaves the meeting. Each gives the link that Desk's invitation may come over
# next, or None where Desk dials again.
def hang_up(link: Link, _: Invitation, desk: Machine) -> None:
    link.close()


def leave_early(link: Link, _: Invitation, desk: Machine) -> None:
    """Leaves once the code is shown, without a guess. Another code would be one more to try."""
    link.close()


def new_key(link: Link, _: Invitation, desk: Machine) -> None:
    """The machine that is there next has another key."""
    link.close()


def take_back(link: Link, invitation: Invitation, desk: Machine) -> None:
    """Says that it has lost the invitation, as a machine does that began again."""
    link.send(frame(CANCEL_2, invitation.id + bytes([LOST])))
    link.settle()
    link.close()


def say_goodbye(link: Link, _: Invitation, desk: Machine) -> None:
    link.send(frames.bye(SHUTTING_DOWN))
    link.close()


def invite_back(link: Link, _: Invitation, desk: Machine) -> None:
    """An invitation that crosses takes the place of the one that was guessed at."""
    own = Invitation()
    invite(link, own, within=2)
    take_back(link, own, desk)


def dial_back(link: Link, _: Invitation, desk: Machine) -> Link:
    """A new link to Desk takes the place of the one that Desk dialled."""
    link.close()
    return Link.dial(desk.address, link.key, "Deck", within=2)


Way = Callable[[Link, Invitation, Machine], Link | None]
WAYS: list[Way] = [hang_up, leave_early, new_key, take_back, say_goodbye, invite_back, dial_back]
# Those that are there again under another key.
WITH_NEW_KEYS = (new_key, invite_back)


def attack(place: Place) -> Outcome | Skipped:
    acts: dict[str, Act] = {}
    noted = 0
    with socket.create_server(("127.0.0.1", 0)) as listener:
        for way in WAYS:
            # Each way meets a machine of its own: wrong codes make the next meeting wait.
            with Machine(place.programs) as desk:
                if desk.major == 1:
                    return Skipped("in huddle/1 no code is typed; S1 guesses there")
                acts[way.__name__] = act(desk, listener, way)
                log = desk.told("log", "--limit", "1000")
                noted += sum(entry["event"] == "wrong-code" for entry in log)
    each = ", ".join(
        f"{way.replace('_', ' ')} {one.codes}/{one.guesses}" for way, one in acts.items()
    )
    right = sum(one.right for one in acts.values())
    figures = (
        f"codes/guesses for one `huddle invite`: {each}; {noted} wrong codes in the log"
        + (f"; {right} guesses were right" if right else "")
    )
    # A way that never got to a code has shown nothing.
    is_tried = all(one.codes > 0 for one in acts.values())
    held = all(one.codes <= 1 and one.guesses <= 1 for one in acts.values())
    return Outcome(is_tried and held, figures, is_tried)


def act(desk: Machine, listener: socket.socket, way: Way) -> Act:
    """A person invites once. The attacker answers and guesses until the command ends."""
    result = Act()
    # Of invitations that cross, that of the smaller id stays.
    keys = [desk.key_below() for _ in range(MOST if way in WITH_NEW_KEYS else 1)]
    inviting = desk.begin("invite", "127.0.0.1:%d" % listener.getsockname()[1], "--json")
    link: Link | None = None
    while inviting.poll() is None:
        try:
            link = link or Link.answer(listener, keys[0], "Deck", within=0.5)
            keys = keys[1:] or keys
            link = way(link, answer(link, result, guesses=way is not leave_early), desk)
        except (Gone, OSError, Refused):
            link = None
    said = [json.loads(line) for line in inviting.communicate()[0].splitlines() if line[:1] == "{"]
    result.codes = sum(line["event"] == "code" for line in said)
    return result


def answer(link: Link, result: Act, guesses: bool) -> Invitation:
    invitation = Invitation.read(link.next(INVITE, within=2)[1], link.major)
    link.send(frame(RECEIVED, invitation.id + b"\1"))
    if not guesses:
        link.settle()
        return invitation
    exchange = Exchange(link, invitation.id, True, new_code())
    link.send(frame(SHARE_2, invitation.id + exchange.share))
    reply = link.next(REPLY_2, within=2)[1][16:]
    result.guesses += 1
    result.right += hmac.compare_digest(reply[65:], exchange.keys(reply[:65]).of_b)
    return invitation
