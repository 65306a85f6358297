"""Links between two machines, the sessions and streams on them, and files that are sent (wire-protocol.md, resource-format.md)."""

from __future__ import annotations

import ctypes
import hmac
import socket
import struct
import time
from collections import deque

from . import frames
from .frames import Reader, frame
from .tls import ALPN, Address, Gone, Key, SecureChannel

# Each test says what it waits for; what else comes is of use to few.
REMEMBERED = 4096


class Link:
    """The control channel to a machine, with its greeting done. `next` answers pings."""

    def __init__(self, channel: SecureChannel, key: Key, address: Address | None, name: str | bytes = "Mallory", within: float = 10) -> None:
        self.channel, self.key, self.address = channel, key, address
        self.peer_id = channel.peer_id
        self.major = 1 if channel.alpn == b"huddle/1" else 2
        self.others: deque[tuple[int, bytes]] = deque(maxlen=REMEMBERED)
        # The dialler sends it at once, and the answerer when it has seen that the first frame is no ChannelOpen.
        hello = frames.hello(name, 2 if self.major == 1 else 0)
        if address:
            channel.send(hello)
        self.hello = self.next(frames.HELLO, within=within)[1]
        if not address:
            channel.send(hello)

    @classmethod
    def dial(
        cls,
        address: Address,
        key: Key,
        name: str | bytes = "Mallory",
        source: str | None = None,
        within: float = 10,
        alpn: list[bytes] = ALPN,
    ) -> Link:
        return cls(SecureChannel.dial(address, key, source, within, alpn), key, address, name, within=within)

    @classmethod
    def answer(
        cls, listener: socket.socket, key: Key, name: str | bytes = "Mallory", within: float = 10, alpn: list[bytes] = ALPN
    ) -> Link:
        """Waits for a machine that dials this one."""
        listener.settimeout(within)
        connection, _ = listener.accept()
        return cls(SecureChannel(connection, key, True, alpn, within), key, None, name, within)

    @property
    def name(self) -> str:
        """What the other machine calls itself."""
        return Reader(self.hello[2:]).text()

    def send(self, data: bytes) -> None:
        self.channel.send(data)

    def next(self, *kinds: int, within: float = 10) -> tuple[int, bytes]:
        """The next frame of one of these types, also one that came earlier. `Bye` and the end of the channel are an exception."""
        for waiting in self.others:
            if waiting[0] in kinds:
                self.others.remove(waiting)
                return waiting
        # One deadline for all: pings must not put it off.
        deadline = time.monotonic() + within
        while True:
            kind, payload = self.channel.frame(deadline - time.monotonic())
            if kind == frames.PING:
                self.channel.send(frames.pong(payload))
            if kind in kinds:
                return kind, payload
            if kind == frames.BYE:
                raise Gone(f"Bye: {frames.REASONS.get(payload[0], payload[0])}")
            if kind != frames.PING:
                self.others.append((kind, payload))

    def settle(self) -> None:
        """Returns once everything that was sent so far was read over there."""
        self.send(frames.ping(77))
        while self.next(frames.PONG)[1] != struct.pack(">Q", 77):
            pass

    def channel_to(self) -> SecureChannel:
        """A further channel with its proof, ready. The dialler of the link dials them all."""
        assert self.address
        channel = SecureChannel.dial(self.address, self.key, self.channel.socket.getsockname()[0], alpn=[self.channel.alpn])
        id = frames.new_id()
        secret = self.channel.exporter(b"EXPORTER-huddle-channels")
        proof = hmac.digest(secret, channel.exporter(b"EXPORTER-huddle-channel-proof") + id, "sha256")
        channel.send(frame(frames.CHANNEL_OPEN, id + proof))
        kind, _ = channel.frame()
        if kind != frames.CHANNEL_READY:
            raise Gone(f"the channel was not taken ({kind:#x})")
        return channel

    def stream(self, session: bytes, name: str, waits: bool = True) -> SecureChannel:
        """A stream that goes there."""
        channel = self.channel_to()
        channel.send(frame(frames.STREAM_BEGIN, session + frames.text(name)))
        if waits and channel.frame()[0] != frames.STREAM_TAKEN:
            raise Gone("the stream was not taken")
        return channel

    def close(self) -> None:
        self.channel.close()


class Messages:
    """Reliable messages of one session, both ways."""

    def __init__(self, link: Link, session: bytes) -> None:
        self._link, self._session = link, session
        self._sent = self._heard = 0

    def say(self, body: bytes) -> None:
        self._sent += 1
        room = 65_536 - 28
        self._link.send(frames.message(self._session, self._sent, body[:room], len(body)))
        for at in range(room, len(body), room):
            self._link.send(frame(frames.MESSAGE_PART, self._session + struct.pack(">Q", self._sent) + body[at : at + room]))

    def hear(self, within: float = 10) -> bytes:
        body, total = b"", None
        while total is None or len(body) < total:
            kind, payload = self._link.next(frames.MESSAGE, frames.MESSAGE_PART, frames.LEAVE, within=within)
            if payload[:16] != self._session:
                continue
            if kind == frames.LEAVE:
                raise Gone(f"left: {frames.REASONS.get(payload[16], payload[16])}")
            self._heard = int.from_bytes(payload[16:24], "big")
            if kind == frames.MESSAGE:
                total, body = int.from_bytes(payload[24:28], "big"), payload[28:]
            else:
                body += payload[24:]
        self._link.send(frames.acknowledge(self._session, self._heard))
        return body


class _XXH128(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


def xxh3(data: bytes) -> bytes:
    library = ctypes.CDLL("libxxhash.so.0")
    library.XXH3_128bits.restype = _XXH128
    library.XXH3_128bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    value = library.XXH3_128bits(data, len(data))
    return struct.pack(">QQ", value.high, value.low)


def send_file(link: Link, session: bytes, name: str | bytes, contents: bytes, mode: int = 0o644, within: float = 10) -> str:
    """Sends a file of at most one block (4 MiB). Gives what became of it: the name over there, or why not."""
    transfer = frames.new_id()
    link.send(frames.offer_file(session, transfer, name, len(contents), mode))
    while True:
        kind, payload = link.next(frames.OFFER_ANSWER, frames.LEAVE, within=within)
        if kind == frames.LEAVE and payload[:16] == session:
            raise Gone(f"left: {frames.REASONS.get(payload[16], payload[16])}")
        if kind == frames.OFFER_ANSWER and payload[:16] == transfer:
            break
    if payload[16]:
        return f"refused: {frames.REASONS.get(payload[16])} {Reader(payload[17:]).text()}".strip()
    channel = link.channel_to()
    channel.send(frame(frames.RESOURCE_BEGIN, transfer))
    kind, payload = channel.frame(within)
    if kind == frames.HELD:
        block = int.from_bytes(payload[8:12], "big")
        channel.send(frame(frames.START_AT, bytes(8)) + (frame(frames.DATA, contents) if contents else b""))
        digest = xxh3(struct.pack(">QQ", len(contents), block) + (xxh3(contents) if contents else b""))
        channel.send(frame(frames.RESOURCE_END, struct.pack(">Q", len(contents)) + digest))
        kind, payload = channel.frame(within)
        while kind == frames.VERIFIED:
            kind, payload = channel.frame(within)
    channel.close()
    if kind == frames.STORED:
        return Reader(payload).text()
    return f"refused: {Reader(payload).text() if kind == frames.FAILED else hex(kind)}"
