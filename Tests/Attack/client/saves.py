"""Save sets as a peer speaks of them (sync-protocol.md), and what their history is made of (history-format.md)."""

from __future__ import annotations

import functools
import hashlib
import struct
import time
from dataclasses import dataclass, field

from . import frames, pairing
from .frames import Reader, frame, text
from .peer import Link, Messages
from .tls import Author, Gone, SecureChannel

CONTEXT = b"huddle-saves/1"
OFFER, WITHDRAW, HEADS, ASK, WANT, CLAIM, RELEASE, REQUEST, REFUSED = range(1, 10)
HISTORY, PIECE, LACKING = 1, 2, 3
CAPTURED, RESTORED, RESOLVED, MERGED, DELIVERED = range(1, 6)

Version = list[tuple[Author, int]]
# The size of the largest piece.
PIECE_LIMIT = 4 << 20
# How many machines a version names at the most, by the form of snapshots.
MOST_AUTHORS = {1: 256, 2: 64}


def name_of(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def reference(piece: bytes) -> bytes:
    return name_of(piece) + struct.pack(">I", len(piece))


def manifest(files: dict[str, bytes], mode: int = 0o644) -> bytes:
    """Of files in the set's own folder, each of one piece."""
    records = b"".join(
        b"\2"
        + text(path)
        + struct.pack(">HqII", mode, 1_700_000_000, 0, 1 if contents else 0)
        + (reference(contents) if contents else b"")
        for path, contents in sorted(files.items(), key=lambda each: each[0].encode())
    )
    return b"HUDMANI\1" + records + b"\0"


def version_bytes(version: Version) -> bytes:
    """As in *heads*, and in a snapshot of form 1."""
    entries = sorted((author.peer_id, counter) for author, counter in version)
    return struct.pack(">H", len(version)) + b"".join(peer + struct.pack(">Q", counter) for peer, counter in entries)


@functools.cache
def signed_counter(set: bytes, author: Author, counter: int) -> bytes:
    """A machine's part of a version of form 2: its key, its counter, and its signature of that."""
    statement = b"huddle version 1" + set + struct.pack(">Q", counter)
    return author.public + struct.pack(">Q", counter) + author.sign(statement)


@dataclass
class Snapshot:
    """One version of a set, with its name and its bytes. In form 1 it says who made it, in form 2 it is signed."""

    set: bytes
    author: Author
    version: Version
    manifest: bytes
    parents: list[bytes] = field(default_factory=list)
    form: int = 2
    origin: int = CAPTURED
    note: str = ""
    made: int = field(default_factory=lambda: int(time.time() * 1000))

    @functools.cached_property
    def encoded(self) -> bytes:
        is_signed = self.form > 1
        parts = sorted(self.version, key=lambda part: part[0].peer_id)
        version = struct.pack(">H", len(parts)) + b"".join(signed_counter(self.set, *part) for part in parts)
        body = (
            b"HUDSNAP"
            + bytes([self.form])
            + self.set
            + bytes([self.origin])
            + (self.author.public if is_signed else self.author.peer_id)
            + (version if is_signed else version_bytes(self.version))
            + bytes([len(self.parents)])
            + b"".join(sorted(self.parents))
            + struct.pack(">q", self.made)
            + text(self.note)
            + struct.pack(">I", len(self.listing))
            + b"".join(reference(piece) for piece in self.listing)
        )
        return body + self.author.sign(b"huddle snapshot 1" + body) if is_signed else body

    @property
    def listing(self) -> list[bytes]:
        """The pieces of the manifest."""
        return [self.manifest[at : at + PIECE_LIMIT] for at in range(0, len(self.manifest), PIECE_LIMIT)]

    @functools.cached_property
    def name(self) -> bytes:
        return name_of(self.encoded)


def offer(set: bytes, name: str) -> bytes:
    """Of a whole folder: nothing ignored, no rules, no others that have part, and no chosen names behind that."""
    return bytes([OFFER]) + set + text(name) + struct.pack(">HIH", 0, 0, 0)


class SavesSession:
    """The session called `saves`, begun by this side, and the stream that carries history and pieces."""

    def __init__(self, link: Link, within: float = 20) -> None:
        self.link = link
        # Snapshots were signed from the same day on as the first meeting has its second protocol.
        self.form = link.major
        self.session = pairing.join(link, "saves", CONTEXT, within)
        self.messages = Messages(link, self.session)
        self._stream: SecureChannel | None = None

    def say(self, kind: int, set: bytes, rest: bytes = b"") -> None:
        self.messages.say(bytes([kind]) + set + rest)

    def say_offer(self, set: bytes, name: str) -> None:
        self.messages.say(offer(set, name))

    def say_heads(self, set: bytes, *heads: tuple[bytes, Version]) -> None:
        self.say(HEADS, set, bytes([len(heads)]) + b"".join(name + version_bytes(version) for name, version in heads))

    def hear(self, *kinds: int, within: float = 15) -> tuple[int, bytes, Reader]:
        """The next message of one of these kinds: kind, set, and what follows."""
        deadline = time.monotonic() + within
        while True:
            reader = Reader(self.messages.hear(max(0, deadline - time.monotonic())))
            kind, set = reader.number(1), reader.take(16)
            if kind in kinds:
                return kind, set, reader

    def deliver(self, kind: int, set: bytes, ticket: int, rest: bytes) -> None:
        if self._stream is None:
            self._stream = self.link.stream(self.session, "saves")
        body = bytes([kind]) + set + struct.pack(">I", ticket) + rest
        body = struct.pack(">I", len(body)) + body
        # A Data frame has at most 1 MiB.
        for at in range(0, len(body), 1 << 20):
            self._stream.send(frame(frames.DATA, body[at : at + (1 << 20)]))

    def close(self) -> None:
        if self._stream:
            self._stream.close()


@dataclass
class Ask:
    """A question for history."""

    ticket: int
    wanted: list[bytes]

    @classmethod
    def read(cls, reader: Reader) -> Ask:
        ticket = reader.number(4)
        return cls(ticket, [reader.take(32) for _ in range(reader.number(2))])


class Giver:
    """Has part in one set, and gives what it is asked for: snapshots by name, and pieces."""

    def __init__(self, session: SavesSession, set: bytes, name: str) -> None:
        self.session, self.set, self.set_name = session, set, name
        self.snapshots: dict[bytes, Snapshot] = {}
        self.pieces: dict[bytes, bytes] = {}
        self.refusal: str | None = None
        # Bytes of history that went over.
        self.given = 0

    def add(self, snapshot: Snapshot, *contents: bytes) -> None:
        self.snapshots[snapshot.name] = snapshot
        for piece in (*snapshot.listing, *contents):
            self.pieces[name_of(piece)] = piece

    def offer(self, *heads: Snapshot) -> None:
        self.session.say_offer(self.set, self.set_name)
        self.say_heads(*heads)

    def say_heads(self, *heads: Snapshot) -> None:
        self.session.say_heads(self.set, *((each.name, each.version) for each in heads))

    def _history(self, wanted: list[bytes]) -> list[bytes]:
        """What was wanted and what it came from, at most 256 and about 4 MiB."""
        row, seen, size = list(wanted), set(wanted), 0
        answer: list[bytes] = []
        while row and len(answer) < 256 and size < 3_900_000:
            snapshot = self.snapshots.get(row.pop(0))
            if snapshot:
                encoded = snapshot.encoded
                answer.append(encoded)
                size += len(encoded)
                fresh = [each for each in snapshot.parents if each not in seen]
                row += fresh
                seen.update(fresh)
        return answer

    def serve(self, within: float) -> bool:
        """Answers one question. False after silence, or where what was given was refused."""
        try:
            kind, set, reader = self.session.hear(ASK, WANT, REFUSED, WITHDRAW, within=within)
        except Gone as gone:
            if str(gone) == "silence":
                return False
            raise
        if set != self.set:
            return True
        if kind in (REFUSED, WITHDRAW):
            self.refusal = reader.text() if kind == REFUSED else "withdrawn"
            return False
        if kind == ASK:
            ask = Ask.read(reader)
            answer = self._history(ask.wanted)
            self.given += sum(map(len, answer))
            self.session.deliver(
                HISTORY, set, ask.ticket, struct.pack(">H", len(answer)) + b"".join(frames.long_bytes(each) for each in answer)
            )
        else:
            ticket, _ = reader.number(4), reader.take(32)
            for _ in range(reader.number(4)):
                name = reader.take(32)
                reader.take(4)
                if name in self.pieces:
                    self.session.deliver(PIECE, set, ticket, name + self.pieces[name])
                else:
                    self.session.deliver(LACKING, set, ticket, struct.pack(">H", 1) + name)
        return True

    def serve_until_quiet(self, quiet: float = 2, longest: float = 60) -> None:
        deadline = time.monotonic() + longest
        while time.monotonic() < deadline and self.serve(min(quiet, deadline - time.monotonic())):
            pass
