import COpenSSL

/// SHA-256, which Huddle uses wherever a digest must prove something, and functions built on it.
public enum Digest {
    /// The size of a SHA-256 digest in bytes.
    public static let byteCount = 32

    /// SHA-256.
    public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { sha256($0) }.bytes
    }

    /// The SHA-256 of bytes in memory. For many small inputs ``SHA256Stream`` is faster: it reuses its
    /// context.
    public static func sha256(_ bytes: UnsafeRawBufferPointer) -> SHA256Digest {
        SHA256Digest { room in
            let answer = EVP_Digest(bytes.baseAddress, bytes.count, room, nil, SHA256Method.pointer, nil)
            OpenSSLErrors.require(answer == 1, "EVP_Digest")
        }
    }

    /// SHA-512, for a number that is reduced without a visible bias.
    public static func sha512(_ bytes: [UInt8]) -> [UInt8] {
        OpenSSLSetUp.ensure()
        var digest = [UInt8](repeating: 0, count: 64)
        let answer = EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha512(), nil)
        OpenSSLErrors.require(answer == 1, "EVP_Digest")
        return digest
    }

    /// HMAC-SHA256, which proves that its author has the key.
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

    /// Compares two secrets in constant time: the duration does not reveal the place of a difference. Their
    /// lengths are not secret.
    public static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}

/// OpenSSL's SHA-256, fetched once: a fetch takes longer than digesting a few hundred bytes.
enum SHA256Method {
    // because it never changes after its initialization and is never freed
    nonisolated(unsafe) static let pointer: OpaquePointer = {
        OpenSSLSetUp.ensure()
        return OpenSSLErrors.require(EVP_MD_fetch(nil, "SHA256", nil), "EVP_MD_fetch")
    }()
}
