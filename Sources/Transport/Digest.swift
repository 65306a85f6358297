import COpenSSL

/// The digest that the protocol uses everywhere, SHA-256, and what is made of it.
public enum Digest {
    /// How many bytes each answer has.
    public static let byteCount = 32

    /// SHA-256.
    public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        OpenSSLSetUp.ensure()
        // because OpenSSL fills the bytes, always all of them
        return [UInt8](unsafeUninitializedCapacity: byteCount) { room, count in
            OpenSSLErrors.require(SHA256(bytes, bytes.count, room.baseAddress) != nil, "SHA256")
            count = byteCount
        }
    }

    /// HMAC-SHA256: proof that whoever made it has the key.
    public static func authentication(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        OpenSSLSetUp.ensure()
        // because OpenSSL fills the bytes, always all of them
        return [UInt8](unsafeUninitializedCapacity: byteCount) { room, count in
            let start = room.baseAddress
            let answer = HMAC(EVP_sha256(), key, CInt(key.count), bytes, bytes.count, start, nil)
            OpenSSLErrors.require(answer != nil, "HMAC")
            count = byteCount
        }
    }

    /// Whether two secrets are equal. How long the answer takes does not tell where they differ; their lengths are no secret.
    public static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}

/// Bytes that nobody can guess.
public enum RandomBytes {
    /// So many of them.
    public static func make(_ count: Int) -> [UInt8] {
        OpenSSLSetUp.ensure()
        // because OpenSSL fills the bytes, always all of them
        return [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            OpenSSLErrors.require(RAND_bytes(room.baseAddress, CInt(count)) == 1, "RAND_bytes")
            filled = count
        }
    }
}
