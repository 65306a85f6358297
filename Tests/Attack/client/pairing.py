"""First meetings: huddle/1 (a commitment, two nonces, a code to compare) and huddle/2 (a code to type, SPAKE2)."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import struct
from collections.abc import Callable
from dataclasses import dataclass, field

from . import spake2
from .frames import MEMBERS, REASONS, Reader, frame, long_bytes, members, new_id, text
from .peer import Link

# The frames of an invitation. Both protocols begin alike; what follows has other numbers.
INVITE, RECEIVED = 0x10, 0x11
REVEAL_1, CONFIRM_1, ANSWER_1, CANCEL_1 = 0x12, 0x13, 0x14, 0x15
SHARE_2, REPLY_2, CONFIRM_2, ANSWER_2, CANCEL_2 = 0x12, 0x13, 0x14, 0x15, 0x16


class Refused(Exception):
    """The other side said no, with this reason."""

    def __init__(self, reason: int) -> None:
        super().__init__(REASONS.get(reason, str(reason)))
        self.reason = reason


def answer_kinds(link: Link) -> tuple[int, int]:
    """The numbers of InviteAnswer and InviteCancel."""
    return (ANSWER_1, CANCEL_1) if link.major == 1 else (ANSWER_2, CANCEL_2)


@dataclass
class Invitation:
    """An invitation, as one side sends it."""

    name: str = "chat"
    context: bytes = b""
    topology: int = 1
    code_needed: bool = True
    patience: int = 30_000
    commitment: bytes = bytes(32)
    id: bytes = field(default_factory=new_id)
    session: bytes = field(default_factory=new_id)

    def frame(self, major: int) -> bytes:
        return frame(
            INVITE,
            self.id
            + self.session
            + text(self.name)
            + struct.pack(">BBI", self.topology, self.code_needed, self.patience)
            + (self.commitment if major == 1 else b"")
            + long_bytes(self.context),
        )

    @classmethod
    def read(cls, payload: bytes, major: int) -> Invitation:
        reader = Reader(payload)
        id, session, name = reader.take(16), reader.take(16), reader.text()
        topology, code_needed, patience = reader.number(1), bool(reader.number(1)), reader.number(4)
        commitment = reader.take(32) if major == 1 else b""
        return cls(name, reader.take(reader.number(4)), topology, code_needed, patience, commitment, id, session)


# huddle/1


def commitment_1(nonce: bytes, inviter: bytes, invited: bytes) -> bytes:
    return hashlib.sha256(b"huddle pairing commitment" + nonce + inviter + invited).digest()


def code_1(inviter: bytes, invited: bytes, nonce_a: bytes, nonce_b: bytes, exporter: bytes) -> str:
    digest = hashlib.sha256(b"huddle pairing code" + inviter + invited + nonce_a + nonce_b + exporter).digest()
    return f"{int.from_bytes(digest[:8], 'big') % 1_000_000:06}"


def exporter(link: Link) -> bytes:
    return link.channel.exporter(b"EXPORTER-huddle-pairing")


# huddle/2


def secret_2(code: str) -> int:
    return int.from_bytes(hashlib.sha512(b"huddle pairing code" + code.encode()).digest(), "big") % spake2.ORDER


class Exchange:
    """One side of the exchange on a link. The invited machine is A, and the one that invites B."""

    def __init__(self, link: Link, invitation: bytes, invited: bool, code: str) -> None:
        self._link, self._invited = link, invited
        self._additional = exporter(link) + invitation
        self._side = spake2.Side(invited, secret_2(code))
        self.share = self._side.share

    def keys(self, other: bytes) -> spake2.Keys:
        own, theirs = self._link.key.peer_id, self._link.peer_id
        return self._side.keys(other, *((own, theirs) if self._invited else (theirs, own)), self._additional)


def new_code() -> str:
    return f"{secrets.randbelow(1_000_000):06}"


# What both have in common


def invite(link: Link, invitation: Invitation, within: float = 10) -> bytes:
    """Sends it and waits for the receipt: the payload behind the invitation's id, that is a nonce (huddle/1) and "code needed"."""
    link.send(invitation.frame(link.major))
    while True:
        kind, payload = link.next(RECEIVED, *answer_kinds(link), within=within)
        if payload[:16] != invitation.id:
            continue
        if kind != RECEIVED:
            raise Refused(payload[16])
        return payload[16:]


def verdict(link: Link, invitation: Invitation, within: float = 15) -> None:
    """Waits for a yes and welcomes."""
    answer, cancel = answer_kinds(link)
    while True:
        kind, payload = link.next(answer, cancel, within=within)
        if payload[:16] == invitation.id:
            if kind == cancel or payload[16] != 0:
                raise Refused(payload[16])
            link.send(members(invitation.session))
            return


def join(link: Link, name: str = "chat", context: bytes = b"", within: float = 15) -> bytes:
    """Invites who knows this key into a session, without a code. Gives the session's id."""
    invitation = Invitation(name, context, code_needed=False)
    if invite(link, invitation)[-1]:
        raise Refused(12)
    verdict(link, invitation, within)
    return invitation.session


def pair(link: Link, person: Callable[[str], object], within: float = 20) -> bytes:
    """Meets a machine for the first time, as who invites. `person` has the code typed over there. Gives the session's id."""
    own, theirs = link.key.peer_id, link.peer_id
    invitation = Invitation()
    if link.major == 1:
        nonce = os.urandom(32)
        invitation.commitment = commitment_1(nonce, own, theirs)
        receipt = invite(link, invitation)
        link.send(frame(REVEAL_1, invitation.id + nonce))
        person(code_1(own, theirs, nonce, receipt[:32], exporter(link)))
        link.send(frame(CONFIRM_1, invitation.id))
        link.next(CONFIRM_1, within=within)
    else:
        code = new_code()
        invite(link, invitation)
        person(code)
        payload = link.next(SHARE_2, within=within)[1]
        exchange = Exchange(link, invitation.id, False, code)
        keys = exchange.keys(payload[16:])
        link.send(frame(REPLY_2, invitation.id + exchange.share + keys.of_b))
        payload = link.next(CONFIRM_2, within=within)[1]
        if not hmac.compare_digest(payload[16:], keys.of_a):
            raise Refused(12)
    verdict(link, invitation, within)
    return invitation.session


def be_invited(link: Link, code: Callable[[], str], within: float = 20) -> bytes:
    """Meets a machine whose person invites this one. `code` reads it from the screen over there (huddle/2). Gives the session's id."""
    invitation = Invitation.read(link.next(INVITE, within=within)[1], link.major)
    answer, cancel = answer_kinds(link)
    if link.major == 1:
        link.send(frame(RECEIVED, invitation.id + os.urandom(32) + b"\1"))
        link.next(REVEAL_1, within=within)
        link.send(frame(CONFIRM_1, invitation.id))
        link.next(CONFIRM_1, within=within)
    else:
        link.send(frame(RECEIVED, invitation.id + b"\1"))
        exchange = Exchange(link, invitation.id, True, code())
        link.send(frame(SHARE_2, invitation.id + exchange.share))
        kind, payload = link.next(REPLY_2, cancel, within=within)
        if kind == cancel:
            raise Refused(payload[16])
        keys = exchange.keys(payload[16:81])
        if not hmac.compare_digest(payload[81:], keys.of_b):
            raise Refused(12)
        link.send(frame(CONFIRM_2, invitation.id + keys.of_a))
    link.send(frame(answer, invitation.id + b"\0"))
    link.next(MEMBERS, within=within)
    return invitation.session
