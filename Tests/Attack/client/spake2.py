"""SPAKE2 over P-256 (RFC 9382) in plain Python: slow, not constant in time, and not the program's own.

`check()` compares it with the vectors of the RFC's appendix B.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B

# Affine; None is the point at infinity.
Point = tuple[int, int] | None


def add(left: Point, right: Point) -> Point:
    if left is None or right is None:
        return left or right
    if left[0] == right[0]:
        if (left[1] + right[1]) % P == 0:
            return None
        slope = (3 * left[0] * left[0] - 3) * pow(2 * left[1], -1, P) % P
    else:
        slope = (right[1] - left[1]) * pow(right[0] - left[0], -1, P) % P
    x = (slope * slope - left[0] - right[0]) % P
    return x, (slope * (left[0] - x) - left[1]) % P


def times(scalar: int, point: Point) -> Point:
    result: Point = None
    for bit in bin(scalar % ORDER)[2:]:
        result = add(result, result)
        if bit == "1":
            result = add(result, point)
    return result


def negated(point: Point) -> Point:
    return None if point is None else (point[0], -point[1] % P)


def on_curve(point: tuple[int, int]) -> bool:
    return (point[1] * point[1] - point[0] ** 3 + 3 * point[0] - B) % P == 0


def decompressed(encoding: str) -> Point:
    x = int(encoding[2:], 16)
    y = pow((x**3 - 3 * x + B) % P, (P + 1) // 4, P)
    return x, y if y % 2 == int(encoding[:2], 16) - 2 else P - y


def encoded(point: Point) -> bytes:
    if point is None:
        return b"\0"
    return b"\4" + point[0].to_bytes(32, "big") + point[1].to_bytes(32, "big")


def decoded(share: bytes) -> Point:
    point = int.from_bytes(share[1:33], "big"), int.from_bytes(share[33:], "big")
    if len(share) != 65 or share[0] != 4 or max(point) >= P or not on_curve(point):
        raise ValueError("the share is no point of the curve")
    return point


G: Point = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)
M = decompressed("02886e2f97ace46e55ba9dd7242579f2993b64e16ef3dcab95afd497333d8fa12f")
N = decompressed("03d8bbd6c639c62937b04d997f38c3770719c629d7014d49a24b4f98baa1292b49")


@dataclass(frozen=True)
class Keys:
    """What both sides come to: a key, and the confirmations of A and B."""

    shared: bytes
    of_a: bytes
    of_b: bytes


class Side:
    """One side of an exchange. A masks its share with M, and B with N."""

    def __init__(self, is_a: bool, secret: int, scalar: int | None = None) -> None:
        self.is_a, self.secret = is_a, secret
        self.scalar = scalar or secrets.randbelow(ORDER - 1) + 1
        self.share = encoded(add(times(self.scalar, G), times(secret, M if is_a else N)))

    def keys(self, other: bytes, identity_a: bytes, identity_b: bytes, additional: bytes = b"") -> Keys:
        mask = negated(times(self.secret, N if self.is_a else M))
        common = encoded(times(self.scalar, add(decoded(other), mask)))
        return keys_from(
            self.secret, *((self.share, other) if self.is_a else (other, self.share)), common, identity_a, identity_b, additional
        )


def keys_from(
    secret: int, share_a: bytes, share_b: bytes, common: bytes, identity_a: bytes, identity_b: bytes, additional: bytes
) -> Keys:
    parts = [identity_a, identity_b, share_a, share_b, common, secret.to_bytes(32, "big")]
    transcript = b"".join(len(part).to_bytes(8, "little") + part for part in parts)
    digest = hashlib.sha256(transcript).digest()
    confirming = hkdf(digest[16:], b"ConfirmationKeys" + additional)
    of_a, of_b = (hmac.digest(key, transcript, "sha256") for key in (confirming[:16], confirming[16:]))
    return Keys(digest[:16], of_a, of_b)


def hkdf(material: bytes, info: bytes) -> bytes:
    """32 bytes of HKDF-SHA256 without a salt."""
    return hmac.digest(hmac.digest(bytes(32), material, "sha256"), info + b"\1", "sha256")


VECTORS = """
server client 2ee57912099d31560b3a44b1184b9b4866e904c49d12ac5042c97dca461b1a5f
43dd0fd7215bdcb482879fca3220c6a968e66d70b1356cac18bb26c84a78d729 dcb60106f276b02606d8ef0a328c02e4b629f84f89786af5befb0bc75b6e66be
04a56fa807caaa53a4d28dbb9853b9815c61a411118a6fe516a8798434751470f9010153ac33d0d5f2047ffdb1a3e42c9b4e6be662766e1eeb4116988ede5f912c
0406557e482bd03097ad0cbaa5df82115460d951e3451962f1eaf4367a420676d09857ccbc522686c83d1852abfa8ed6e4a1155cf8f1543ceca528afb591a1e0b7
0e0672dc86f8e45565d338b0540abe69
58ad4aa88e0b60d5061eb6b5dd93e80d9c4f00d127c65b3b35b1b5281fee38f0 d3e2e547f1ae04f2dbdbf0fc4b79f8ecff2dff314b5d32fe9fcef2fb26dc459b

- client 0548d8729f730589e579b0475a582c1608138ddf7054b73b5381c7e883e2efae
403abbe3b1b4b9ba17e3032849759d723939a27a27b9d921c500edde18ed654b 903023b6598908936ea7c929bd761af6039577a9c3f9581064187c3049d87065
04a897b769e681c62ac1c2357319a3d363f610839c4477720d24cbe32f5fd85f44fb92ba966578c1b712be6962498834078262caa5b441ecfa9d4a9485720e918a
04e0f816fd1c35e22065d5556215c097e799390d16661c386e0ecc84593974a61b881a8c82327687d0501862970c64565560cb5671f696048050ca66ca5f8cc7fc
642f05c473c2cd79909f9a841e2f30a7
47d29e6666af1b7dd450d571233085d7a9866e4d49d2645e2df975489521232b 3313c5cefc361d27fb16847a91c2a73b766ffa90a4839122a9b70a2f6bd1d6df

server - 626e0cdc7b14c9db3e52a0b1b3a768c98e37852d5db30febe0497b14eae8c254
07adb3db6bc623d3399726bfdbfd3d15a58ea776ab8a308b00392621291f9633 b6a4fc8dbb629d4ba51d6f91ed1532cf87adec98f25dd153a75accafafedec16
04f88fb71c99bfffaea370966b7eb99cd4be0ff1a7d335caac4211c4afd855e2e15a873b298503ad8ba1d9cbb9a392d2ba309b48bfd7879aefd0f2cea6009763b0
040c269d6be017dccb15182ac6bfcd9e2a14de019dd587eaf4bdfd353f031101e7cca177f8eb362a6e83e7d5e729c0732e1b528879c086f39ba0f31a9661bd34db
005184ff460da2ce59062c87733c299c
bc9f9bbe99f26d0b2260e6456e05a86196a3307ec6663a18bf6ac825736533b2 c2370e1bf813b086dff0d834e74425a06e6390f48f5411900276dcccc5a297ec

- - 7bf46c454b4c1b25799527d896508afd5fc62ef4ec59db1efb49113063d70cca
8cef65df64bb2d0f83540c53632de911b5b24b3eab6cc74a97609fd659e95473 d7a66f64074a84652d8d623a92e20c9675c61cb5b4f6a0063e4648a2fdc02d53
04a65b367a3f613cf9f0654b1b28a1e3a8a40387956c8ba6063e8658563890f46ca1ef6a676598889fc28de2950ab8120b79a5ef1ea4c9f44bc98f585634b46d66
04589f13218822710d98d8b2123a079041052d9941b9cf88c6617ddb2fcc0494662eea8ba6b64692dc318250030c6af045cb738bc81ba35b043c3dcb46adf6f58d
fc6374762ba5cf11f4b2caa08b2cd1b9
dfb4db8d48ae5a675963ea5e6c19d98d4ea028d8e898dad96ea19a80ade95dca d0f0609d1613138d354f7e95f19fb556bf52d751947241e8c7118df5ef0ae175
"""  # A's and B's identity, w; x, y; pA; pB; Ke; the confirmations of A and B. "-" is an identity of no bytes.


def check() -> None:
    """Compares this with the vectors of RFC 9382, appendix B."""
    for vector in VECTORS.strip().split("\n\n"):
        name_a, name_b, w, x, y, share_a, share_b, shared, of_a, of_b = vector.split()
        identity_a, identity_b = (b"" if name == "-" else name.encode() for name in (name_a, name_b))
        a, b = Side(True, int(w, 16), int(x, 16)), Side(False, int(w, 16), int(y, 16))
        assert (a.share.hex(), b.share.hex()) == (share_a, share_b)
        expected = Keys(*(bytes.fromhex(each) for each in (shared, of_a, of_b)))
        assert a.keys(b.share, identity_a, identity_b) == expected == b.keys(a.share, identity_a, identity_b)


if __name__ == "__main__":
    check()
    print("RFC 9382, appendix B: 4 vectors")
