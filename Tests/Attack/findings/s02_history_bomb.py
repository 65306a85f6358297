"""A machine with part in sets gives history with versions of as many invented authors as there may be: little on the disk, much in memory, for good."""

from __future__ import annotations

import time

from client import saves
from client.finding import Outcome, Place
from client.machine import Machine
from client.peer import Link
from client.tls import Gone, Key

TITLE = "history bomb"
SETS = 2
CONTENTS = b"bomb"
VERSIONS = 1_300
# The bytes that a set's history has on the line; what it costs in memory may be a small part of that.
ALLOWED = 8  # MiB


def attack(place: Place) -> Outcome:
    with Machine(place.programs) as desk:
        key = desk.key_below()
        desk.befriend(key)
        sets = {name: desk.share(name, key) for name in (f"game{number}" for number in range(SETS))}
        # Made beforehand: a link on which nothing is answered meanwhile is cut.
        chains = [chain(set, desk.major) for set in sets.values()]
        before = desk.memory
        link = Link.dial(desk.address, key)
        session = saves.SavesSession(link)
        givers = []
        try:
            for (name, set), versions in zip(sets.items(), chains, strict=True):
                givers.append(giver := saves.Giver(session, set, name))
                for each in versions:
                    giver.add(each, CONTENTS)
                giver.offer(versions[-1])
                giver.serve_until_quiet(quiet=3, longest=20)
            session.close()
        except Gone:
            # Cut off: that is one way to hold.
            pass
        given = sum(giver.given for giver in givers)
        most = desk.memory
        link.close()
        after = settled(desk, before)
        desk.stop()
        # It stays when the peer has gone, and comes back with each start.
        desk.start()
        again = settled(desk, before)
        worst = max(after, again) - before
        figures = f"{given / 2**20:.0f} MiB of history for {SETS} sets: memory {before:.0f} → {most:.0f} MiB, {after:.0f} when the peer has gone, after a restart {again:.0f} MiB"
        refused = [giver.refusal for giver in givers if giver.refusal]
        return Outcome(worst < ALLOWED and given > 0, figures + (f", then refused: {refused[0]}" if refused else ""), given > 0)


def settled(desk: Machine, before: float) -> float:
    """Memory once the daemon rests: what is held for a moment, such as 4 MiB of versions that a question needed, is given back."""
    deadline = time.monotonic() + 10
    while (now := desk.memory) - before > ALLOWED and time.monotonic() < deadline:
        time.sleep(0.2)
    return now


def chain(set: bytes, form: int) -> list[saves.Snapshot]:
    """Versions, each of which follows the one before."""
    manifest = saves.manifest({"save": CONTENTS})
    # A version names each machine that made something it came from: so the first ones have one author each.
    authors = [Key() for _ in range(saves.MOST_AUTHORS[form])]
    counters: dict[Key, int] = {}
    versions: list[saves.Snapshot] = []
    for count in range(VERSIONS):
        author = authors[count % len(authors)]
        counters[author] = counters.get(author, 0) + 1
        parents = [versions[-1].name] if versions else []
        versions.append(saves.Snapshot(set, author, list(counters.items()), manifest, parents, form))
    return versions
