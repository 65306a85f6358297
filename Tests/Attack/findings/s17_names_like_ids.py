"""A machine takes a name that reads like an id, and the person types it with --yes."""

from __future__ import annotations

import socket
import subprocess
import threading
import time

from client import pairing
from client.announcing import GROUP, announcement, announcer
from client.finding import Outcome, Place
from client.frames import MEMBERS, frame
from client.hosts import Host, Network, why_not
from client.machine import Machine
from client.pairing import INVITE, RECEIVED, Invitation, answer_kinds, invite, verdict
from client.peer import Link
from client.tls import Gone, Key

TITLE = "--yes and names like ids"
# A name of letters that ids have too. The others are the id of a friend, as far as screens show it.
WORD = "steamdeck"


def attack(place: Place) -> Outcome:
    friend = Key()
    names = [WORD, friend.text[:9], friend.text[:9].replace("-", "").upper()]
    with Machine(place.programs) as desk:
        accepted = [name for name in names if is_accepted(desk, name)]
        # With the id it works: else the attack has shown nothing.
        is_tried = is_accepted(desk, "Mallory", by_id=True)
    figures = f"{len(accepted)} of {len(names)} let in by `huddle accept NAME --yes`"
    invited: list[str] = []
    if why := why_not():
        figures += f"; `huddle invite NAME --yes` was not tried: {why}"
    else:
        invited = network(place, names)
        figures += f", {len(invited)} of {len(names)} by `huddle invite NAME --yes`"
    taken = dict.fromkeys(accepted + invited)
    figures += f" ({', '.join(f'“{name}”' for name in taken) or 'none'})"
    return Outcome(is_tried and not taken, figures, is_tried)


def is_known(desk: Machine, key: Key) -> bool:
    return any(
        line["event"] == "peer" and line["known"] and line["peer"]["id"] == key.text
        for line in desk.told("peers")
    )


def is_accepted(desk: Machine, name: str, by_id: bool = False) -> bool:
    """The attacker invites under that name, and the person types it, or the id."""
    key = Key()
    link = Link.dial(desk.address, key, name)
    accepting: list[subprocess.Popen[str]] = []

    def accept(_: str) -> None:
        desk.asks_for(key)
        accepting.append(desk.begin("accept", key.text[:9] if by_id else name, "--yes"))

    try:
        if link.major == 1:
            pairing.pair(link, accept, within=3)
        else:
            # A machine that wants a code itself is not let in by --yes.
            invitation = Invitation(code_needed=False)
            invite(link, invitation)
            accept("")
            verdict(link, invitation, within=1.5)
        # The daemon pins a key once the other side has welcomed it.
        link.settle()
    except (Gone, pairing.Refused):
        pass
    link.close()
    for command in accepting:
        command.communicate(timeout=20)
    return is_known(desk, key)


def network(place: Place, names: list[str]) -> list[str]:
    """The attacker announces machines, and the person invites each. Gives those that got in."""
    with Network("desk", "mallory") as network:
        host, attacker = network.hosts
        desk = Machine(place.programs, options=("--browse", "yes"), at=host)
        host.start_avahi(desk.home)
        with desk:
            control = Key()
            keys = {name: Key() for name in names} | {"Mallory": control}
            is_over = threading.Event()
            mallory = threading.Thread(target=be_there, args=(attacker, keys, is_over))
            mallory.start()
            try:
                deadline = time.monotonic() + 20
                while not sees(desk, keys):
                    if time.monotonic() > deadline:
                        raise RuntimeError("the daemon did not see the machines in time")
                    time.sleep(0.1)
                for name in names:
                    desk.huddle("invite", name, "--yes", "--wait", "2s")
                taken = [name for name in names if is_known(desk, keys[name])]
                desk.huddle("invite", control.text[:9], "--yes", "--wait", "2s")
                if not is_known(desk, control):
                    raise RuntimeError("the attacker is not let in by its id either")
                return taken
            finally:
                is_over.set()
                mallory.join()


def sees(desk: Machine, keys: dict[str, Key]) -> bool:
    seen = {line["peer"]["id"] for line in desk.told("peers") if line["event"] == "peer"}
    return all(key.text in seen for key in keys.values())


def be_there(attacker: Host, keys: dict[str, Key], is_over: threading.Event) -> None:
    attacker.enter()
    listeners = {name: socket.create_server((attacker.address, 0)) for name in keys}
    others = [
        threading.Thread(target=let_in, args=(listeners[name], key, name, is_over))
        for name, key in keys.items()
    ]
    for other in others:
        other.start()
    link = announcer(attacker)
    while not is_over.is_set():
        for number, (name, key) in enumerate(keys.items()):
            port = listeners[name].getsockname()[1]
            texts = ("v=1", f"id={key.text}", f"run={number:016x}")
            said = announcement(name, f"mallory-{number}", attacker.address, port, texts)
            link.sendto(said, GROUP)
        is_over.wait(1)
    for other in others:
        other.join()


def let_in(listener: socket.socket, key: Key, name: str, is_over: threading.Event) -> None:
    """Says yes to each invitation, without a code."""
    while not is_over.is_set():
        try:
            link = Link.answer(listener, key, name, within=1)
            invitation = Invitation.read(link.next(INVITE)[1], link.major)
            link.send(frame(RECEIVED, invitation.id + b"\0"))
            link.send(frame(answer_kinds(link)[0], invitation.id + b"\0"))
            link.next(MEMBERS)
        except (Gone, OSError):
            continue
