"""What a host says of machines over DNS-SD: any names, whether the machines are there or not."""

from __future__ import annotations

import socket
import struct

from .hosts import Host

GROUP = ("224.0.0.251", 5353)


def labels(*names: str) -> bytes:
    return b"".join(bytes([len(name)]) + name.encode() for name in names) + b"\0"


def announcement(
    name: str, host: str, address: str, port: int = 4242, texts: tuple[str, ...] = ("v=1",)
) -> bytes:
    """A machine as DNS-SD announces it: PTR, SRV, TXT, A."""
    service = ("_huddle", "_tcp", "local")
    instance, at = labels(name, *service), labels(host, "local")

    def record(name: bytes, kind: int, data: bytes, is_own: bool = True) -> bytes:
        return name + struct.pack(">HHIH", kind, 0x8001 if is_own else 1, 120, len(data)) + data

    return (
        struct.pack(">HHHHHH", 0, 0x8400, 0, 4, 0, 0)
        + record(labels(*service), 12, instance, False)
        + record(instance, 33, struct.pack(">HHH", 0, 0, port) + at)
        + record(instance, 16, b"".join(bytes([len(text)]) + text.encode() for text in texts))
        + record(at, 1, socket.inet_aton(address))
    )


def announcer(host: Host) -> socket.socket:
    """A socket for announcements, in a thread that has entered that host."""
    link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    link.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    link.bind((host.address, 5353))
    link.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(host.address))
    link.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
    return link
