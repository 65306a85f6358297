"""What a machine that was let in does to use up another: each way goes on until it is refused, waits, and begins again."""

from __future__ import annotations

import functools
import os
import random
import struct
import time
from collections.abc import Callable

from . import frames, pairing, saves
from .frames import frame
from .pairing import Invitation
from .peer import Link
from .tls import Address, Gone, Key, SecureChannel

# How long one attempt is held before it is begun again.
HOLD = 8.0


def half_frames(link: Link, _: bytes) -> None:
    """Streams in the middle of a frame of 1 MiB."""
    session = pairing.join(link)
    half = frame(frames.DATA, bytes(1 << 20))[:-1]
    channels: list[SecureChannel] = []
    for number in range(256):
        channels.append(link.stream(session, f"half {number}"))
        channels[-1].send(half)
    hold(link, *channels)


def half_messages(link: Link, _: bytes) -> None:
    """Sessions in each of which a message of 1 MiB is missing its end."""
    for number in range(64):
        session = pairing.join(link, f"half {number}")
        total, sent = 1 << 20, 65_000
        link.send(frames.message(session, 1, bytes(sent), total))
        while sent + 65_000 < total:
            link.send(frame(frames.MESSAGE_PART, session + struct.pack(">Q", 1) + bytes(65_000)))
            sent += 65_000
    hold(link)


def history(link: Link, set: bytes) -> None:
    """Versions of many authors in a chain that has no end."""
    session = saves.SavesSession(link)
    giver = saves.Giver(session, set, "set")
    manifest = saves.manifest({"save": b"bomb"})
    authors = [Key() for _ in range(saves.MOST_AUTHORS[session.form])]
    version: dict[Key, int] = {}
    parents: list[bytes] = []
    while True:
        for count in range(512):
            author = authors[count % len(authors)]
            version[author] = version.get(author, 0) + 1
            head = saves.Snapshot(set, author, list(version.items()), manifest, parents, session.form)
            giver.add(head, b"bomb")
            parents = [head.name]
        giver.offer(head)
        giver.serve_until_quiet(quiet=2, longest=20)
        if giver.refusal:
            hold(link)
            return
        for name in list(giver.snapshots)[:-600]:
            del giver.snapshots[name]


def listings(link: Link, set: bytes) -> None:
    """Versions with lists of files as long as they may be, each without a single file of its own."""
    session = saves.SavesSession(link)
    giver = saves.Giver(session, set, "set")
    for _ in range(8):
        manifest = saves.manifest({f"{os.urandom(90).hex()}": b"" for _ in range(15_000)})
        head = saves.Snapshot(set, link.key, [(link.key, random.getrandbits(30) + 1)], manifest, form=session.form)
        giver.add(head)
        giver.offer(head)
        giver.serve_until_quiet(quiet=2, longest=10)
    hold(link)


def long_listings(link: Link, set: bytes) -> None:
    """A version with as many files as a manifest may name, all of them empty."""
    session = saves.SavesSession(link)
    giver = saves.Giver(session, set, "set")
    head = saves.Snapshot(set, link.key, [(link.key, random.getrandbits(30) + 1)], million_files(), form=session.form)
    giver.add(head)
    giver.offer(head)
    giver.serve_until_quiet(quiet=4, longest=30)
    hold(link)


@functools.cache
def million_files() -> bytes:
    rest = struct.pack(">HqII", 0o644, 1_700_000_000, 0, 0)
    records = b"".join(b"\2" + saves.text(f"a{number:019}") + rest for number in range(1_000_000))
    return b"HUDMANI\1" + records + b"\0"


def heads(link: Link, set: bytes) -> None:
    """Newest versions without end, while a question about the first of them is not answered."""
    session = saves.SavesSession(link)
    session.say_offer(set, "set")
    session.hear(saves.HEADS)
    version = saves.version_bytes([(Key(), 1)])
    until = time.monotonic() + HOLD
    while time.monotonic() < until:
        for _ in range(50):
            session.say(saves.HEADS, set, bytes([64]) + b"".join(os.urandom(32) + version for _ in range(64)))
        link.settle()
        link.others.clear()


def games(link: Link, _: bytes) -> None:
    """Offers of games with as many rules as they may have, each of many parts."""
    session = saves.SavesSession(link)
    rule = b"a?/" * 126 + b"a?"
    rules = struct.pack(">H", 256) + (struct.pack(">H", len(rule)) + rule) * 256
    for number in range(256):
        session.messages.say(
            bytes([saves.OFFER]) + os.urandom(16) + saves.text(f"game {number}") + rules + struct.pack(">IH", 0, 0)
        )
        link.settle()
        link.others.clear()
    hold(link)


def many_streams(link: Link, _: bytes) -> None:
    """As many streams as it may have, each with a little in it and no end."""
    session = pairing.join(link)
    channels: list[SecureChannel] = []
    for number in range(256):
        channels.append(link.stream(session, f"many {number}"))
        channels[-1].send(frame(frames.DATA, bytes(60_000)))
    hold(link, *channels)


def prompts(link: Link, _: bytes) -> None:
    """Invitations that a person has to answer, with contexts as long as they may be, in all purposes."""
    until = time.monotonic() + HOLD
    while time.monotonic() < until:
        for number in range(16):
            context = b"huddle-%d" % number if number % 2 else bytes(32_768)
            link.send(Invitation(f"prompt {number}", context, code_needed=True).frame(link.major))
        link.settle()
        link.others.clear()


def unread(link: Link, _: bytes) -> None:
    """Questions whose answers are never read."""
    session = pairing.join(link)
    link.channel.socket.settimeout(5)
    resume = frame(frames.RESUME, os.urandom(16) + bytes(8))
    while True:
        link.send(b"".join(frames.ping(number) for number in range(500)) + resume * 500 + frames.message(session, 1, b"x"))


def offers(link: Link, _: bytes) -> None:
    """Files that are announced and begun, and never come."""
    session = pairing.join(link)
    channels: list[SecureChannel] = []
    for number in range(256):
        transfer = frames.new_id()
        link.send(frames.offer_file(session, transfer, f"never {number}", 1 << 20))
        if link.next(frames.OFFER_ANSWER)[1][16] == 0:
            channel = link.channel_to()
            channel.send(frame(frames.RESOURCE_BEGIN, transfer))
            channel.frame()
            channel.send(frame(frames.START_AT, bytes(8)) + frame(frames.DATA, bytes(1 << 20))[:-1])
            channels.append(channel)
    hold(link, *channels)


WAYS: list[Callable[[Link, bytes], None]] = [
    half_frames,
    half_messages,
    history,
    listings,
    long_listings,
    heads,
    games,
    many_streams,
    prompts,
    unread,
    offers,
]
# These need a game that is shared with the machine.
IN_A_GAME = {history, listings, long_listings, heads}


def hold(link: Link, *channels: SecureChannel) -> None:
    """Keeps it all as it is for a while, and answers pings."""
    until = time.monotonic() + HOLD
    try:
        while (left := until - time.monotonic()) > 0:
            link.next(0xFF, within=left)
    except Gone:
        pass
    finally:
        for channel in channels:
            channel.close()


def go_on(
    way: Callable[[Link, bytes], None],
    address: Address,
    key: Key,
    set: bytes,
    until: float,
    source: str,
    note: Callable[[], None],
) -> None:
    """Does so again and again until that time, from that address, and notes each beginning."""
    while time.monotonic() < until:
        try:
            link = Link.dial(address, key, way.__name__, source)
        except Gone:
            time.sleep(0.2)
            continue
        note()
        try:
            way(link, set)
        except (Gone, pairing.Refused, OSError):
            pass
        link.close()
        time.sleep(0.05)
