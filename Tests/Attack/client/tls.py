"""Keys, and channels: TLS 1.3 connections with mutual Ed25519 certificates (wire-protocol.md, "Setting up")."""

from __future__ import annotations

import base64
import datetime
import hashlib
import select
import socket
import time
import warnings

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.x509.oid import NameOID

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from OpenSSL import SSL, crypto

Address = tuple[str, int]


class Gone(Exception):
    """The other side closed the channel, or said nothing within the deadline."""


def text_of(peer_id: bytes) -> str:
    """The form in which commands take and print an id."""
    plain = base64.b32encode(peer_id).decode().rstrip("=").lower()
    return "-".join(plain[at : at + 4] for at in range(0, len(plain), 4))


def peer_id_of(certificate: x509.Certificate) -> bytes:
    spki = certificate.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return hashlib.sha256(spki).digest()


def raw(certificate: x509.Certificate) -> bytes:
    """The public key, 32 bytes."""
    return certificate.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)


class Key:
    """A machine's key with a certificate that it signed itself."""

    def __init__(self) -> None:
        self.private = Ed25519PrivateKey.generate()
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "huddle")])
        now = datetime.datetime.now(datetime.UTC)
        certificate = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(self.private.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=365))
            .sign(self.private, None)
        )
        self.public = raw(certificate)
        self.peer_id = peer_id_of(certificate)
        self.text = text_of(self.peer_id)
        self._private = crypto.PKey.from_cryptography_key(self.private)
        self._certificate = crypto.X509.from_cryptography(certificate)

    def sign(self, data: bytes) -> bytes:
        return self.private.sign(data)

    def context(self) -> SSL.Context:
        context = SSL.Context(SSL.TLS_METHOD)
        context.set_min_proto_version(SSL.TLS1_3_VERSION)
        context.use_certificate(self._certificate)
        context.use_privatekey(self._private)
        # Any certificate passes the handshake: who it is, the key says.
        context.set_verify(SSL.VERIFY_PEER | SSL.VERIFY_FAIL_IF_NO_PEER_CERT, lambda *_: True)
        context.set_session_id(b"attack")
        return context


class Forged:
    """A machine whose public key is known and whose secret is not: what it should sign, another signs."""

    def __init__(self, public: bytes, peer_id: bytes, signer: Key) -> None:
        self.public, self.peer_id, self.sign = public, peer_id, signer.sign


Author = Key | Forged

ALPN = [b"huddle/2", b"huddle/1"]


class SecureChannel:
    """A TLS connection that carries frames: a byte for the type, three for the length, the payload."""

    def __init__(
        self, link: socket.socket, key: Key, answers: bool = False, alpn: list[bytes] = ALPN, within: float = 10
    ) -> None:
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        link.settimeout(within)
        self.socket = link
        context = key.context()
        if answers:
            context.set_alpn_select_callback(
                lambda _, offered: next((each for each in alpn if each in offered), SSL.NO_OVERLAPPING_PROTOCOLS)
            )
        else:
            context.set_alpn_protos(alpn)
        self._tls = SSL.Connection(context, None)
        self._buffer = bytearray()
        if answers:
            self._tls.set_accept_state()
        else:
            self._tls.set_connect_state()
        deadline = time.monotonic() + within
        while True:
            try:
                self._tls.do_handshake()
                break
            except SSL.WantReadError:
                self._send_waiting()
                self._read_more(deadline)
            except SSL.Error as error:
                self.close()
                raise Gone(f"no handshake: {error}") from error
        self._send_waiting()
        self.alpn = self._tls.get_alpn_proto_negotiated()
        certificate = self._tls.get_peer_certificate().to_cryptography()
        self.peer_id, self.peer_public = peer_id_of(certificate), raw(certificate)

    @classmethod
    def dial(cls, address: Address, key: Key, source: str | None = None, within: float = 10, alpn: list[bytes] = ALPN) -> SecureChannel:
        try:
            link = socket.create_connection(address, within, (source, 0) if source else None)
        except OSError as error:
            raise Gone(f"no connection: {error}") from error
        return cls(link, key, alpn=alpn, within=within)

    def exporter(self, label: bytes, length: int = 32, context: bytes | None = None) -> bytes:
        return self._tls.export_keying_material(label, length, context)

    def _send_waiting(self) -> None:
        while True:
            try:
                sealed = self._tls.bio_read(1 << 20)
            except SSL.WantReadError:
                return
            try:
                self.socket.sendall(sealed)
            except OSError as error:
                raise Gone(f"can't send: {error}") from error

    def _read_more(self, deadline: float) -> None:
        left = deadline - time.monotonic()
        if left < 0 or not select.select([self.socket], [], [], left)[0]:
            raise Gone("silence")
        try:
            sealed = self.socket.recv(1 << 18)
        except OSError as error:
            raise Gone(f"can't read: {error}") from error
        if not sealed:
            raise Gone("closed")
        self._tls.bio_write(sealed)

    def send(self, data: bytes) -> None:
        """Bytes as they are, also those that are no whole frame."""
        for at in range(0, len(data), 1 << 20):
            self._tls.sendall(data[at : at + (1 << 20)])
            self._send_waiting()

    def frame(self, within: float = 10) -> tuple[int, bytes]:
        """The next frame that comes."""
        deadline = time.monotonic() + within
        while True:
            if len(self._buffer) >= 4:
                end = 4 + int.from_bytes(self._buffer[1:4], "big")
                if len(self._buffer) >= end:
                    kind, payload = self._buffer[0], bytes(self._buffer[4:end])
                    del self._buffer[:end]
                    return kind, payload
            try:
                self._buffer += self._tls.recv(1 << 16)
            except SSL.WantReadError:
                self._read_more(deadline)
            except SSL.Error as error:
                raise Gone(f"ended: {error}") from error

    def close(self) -> None:
        """As a cut cable."""
        self.socket.close()
