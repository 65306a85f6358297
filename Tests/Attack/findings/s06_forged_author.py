"""A machine with part in a set makes versions that claim to be another's, or count for another what that never did."""

from __future__ import annotations

from client import saves
from client.finding import Outcome, Place
from client.machine import Machine
from client.peer import Link
from client.tls import Author, Forged, Gone, Key

TITLE = "forged author"
FORGERIES = [
    "a first version of the victim",
    "a later version of the victim",
    "a first version of a third",
    "a later version of a third",
    "a counter of the victim",
]


def attack(place: Place) -> Outcome:
    with Machine(place.programs) as desk:
        key = desk.key_below()
        desk.befriend(key)
        # What is no forgery is taken, or refusing says nothing.
        if not forge(desk, key, len(FORGERIES), "an own version"):
            return Outcome(False, "an honest version was refused")
        taken = [what for number, what in enumerate(FORGERIES) if forge(desk, key, number, what)]
    return Outcome(not taken, f"taken was {', '.join(taken)}" if taken else f"{len(FORGERIES)} forgeries refused")


def forge(desk: Machine, key: Key, number: int, what: str) -> bool:
    """Whether such a version shows in history."""
    name = f"set{number}"
    set = desk.share(name, key)
    own = bytes.fromhex(desk.told("history", name)[0]["snapshot"])
    link = Link.dial(desk.address, key)
    stranger = Key()
    victim: Author = Forged(link.channel.peer_public, link.peer_id, key)
    third: Author = Forged(stranger.public, stranger.peer_id, key)
    author: Author = {"version of the victim": victim, "version of a third": third}.get(what.split(" ", 2)[-1], key)
    version: saves.Version = [(author, 7)]
    parents: list[bytes] = []
    if what.startswith("a later"):
        parents = [own]
        version += [] if author is victim else [(victim, 1)]
    if what == "a counter of the victim":
        # It follows a version that no machine has, so that nothing but the claim says what the victim has done.
        parents = [saves.name_of(b"a parent that no machine has")]
        version.append((victim, 9))
    contents = b"forged"
    try:
        session = saves.SavesSession(link)
        manifest = saves.manifest({"save": contents})
        snapshot = saves.Snapshot(set, author, version, manifest, parents, session.form)
        giver = saves.Giver(session, set, name)
        giver.add(snapshot, contents)
        giver.offer(snapshot)
        giver.serve_until_quiet(quiet=1, longest=10)
    except Gone:
        pass
    link.close()
    return any(line["snapshot"] == snapshot.name.hex() for line in desk.told("history", name))
