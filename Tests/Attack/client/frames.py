"""Frames as wire-protocol.md lists them: numbers of their types, and the payloads of those that are sent here."""

from __future__ import annotations

import os
import struct

HELLO, BYE, PING, PONG = 0x01, 0x02, 0x03, 0x04
MEMBERS, LEAVE, ABOUT = 0x20, 0x21, 0x22
MESSAGE, MESSAGE_PART, MESSAGE_ACK, RESUME = 0x30, 0x31, 0x32, 0x33
CHANNEL_REQUEST, OFFER, OFFER_ANSWER, CANCEL = 0x40, 0x41, 0x42, 0x43
CHANNEL_OPEN, CHANNEL_READY, STREAM_BEGIN, STREAM_TAKEN, DATA, END, ABORT = 0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66
RESOURCE_BEGIN, HELD, START_AT, RESOURCE_END, STORED, VERIFIED, FAILED = 0x67, 0x68, 0x69, 0x6A, 0x6B, 0x6C, 0x6D

REASONS = {
    0: "yes", 1: "declined", 3: "timed out", 4: "unreachable", 5: "wrong version", 6: "key changed", 7: "full", 8: "left",
    9: "shutting down", 10: "lost", 11: "broke protocol", 12: "wrong code", 13: "locked out", 14: "withdrawn", 15: "replaced",
    16: "not permitted",
}  # fmt: skip

PAIR, STAR, MESH = 1, 2, 3


def frame(kind: int, payload: bytes = b"") -> bytes:
    return bytes([kind]) + len(payload).to_bytes(3, "big") + payload


def text(value: str | bytes) -> bytes:
    raw = value.encode() if isinstance(value, str) else value
    return struct.pack(">H", len(raw)) + raw


def long_bytes(value: bytes) -> bytes:
    return struct.pack(">I", len(value)) + value


def new_id() -> bytes:
    return os.urandom(16)


class Reader:
    """Takes a payload apart from its beginning on."""

    def __init__(self, payload: bytes) -> None:
        self._rest = payload

    def take(self, count: int) -> bytes:
        taken, self._rest = self._rest[:count], self._rest[count:]
        if len(taken) < count:
            raise ValueError("the payload is too short")
        return taken

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "big")

    def text(self) -> str:
        return self.take(self.number(2)).decode()

    def rest(self) -> bytes:
        return self.take(len(self._rest))


def hello(name: str | bytes, minor: int, port: int = 0, datagram_port: int = 0) -> bytes:
    return frame(
        HELLO,
        struct.pack(">H", minor)
        + text(name)
        + struct.pack(">QHHQ", 0, port, datagram_port, int.from_bytes(os.urandom(8), "big")),
    )


def ping(number: int) -> bytes:
    return frame(PING, struct.pack(">Q", number))


def pong(payload: bytes) -> bytes:
    return frame(PONG, payload)


def bye(reason: int) -> bytes:
    return frame(BYE, bytes([reason]))


def members(session: bytes) -> bytes:
    """The welcome to a pair or a star, which is empty."""
    return frame(MEMBERS, session + b"\0\0")


def message(session: bytes, sequence: int, body: bytes, total: int | None = None) -> bytes:
    """A whole message that fits one frame, or the beginning of one that has `total` bytes."""
    return frame(MESSAGE, session + struct.pack(">QI", sequence, len(body) if total is None else total) + body)


def acknowledge(session: bytes, consumed: int) -> bytes:
    return frame(MESSAGE_ACK, session + struct.pack(">Q", consumed))


def leave(session: bytes, reason: int = 8) -> bytes:
    return frame(LEAVE, session + bytes([reason]))


def offer_file(
    session: bytes, transfer: bytes, name: str | bytes, size: int, mode: int = 0o644, modified: int = 1_700_000_000
) -> bytes:
    return frame(
        OFFER,
        session
        + transfer
        + b"\1"
        + text(name)
        + struct.pack(">QI", size, 1)
        + os.urandom(16)
        + struct.pack(">HqI", mode, modified, 0),
    )
