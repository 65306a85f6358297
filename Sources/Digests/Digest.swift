import COpenSSL

/// The digest that the house uses wherever a digest has to prove something, SHA-256, and what is made of it.
public enum Digest {
    /// How many bytes each answer has.
    public static let byteCount = 32

    /// SHA-256.
    public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { sha256($0) }.bytes
    }

    /// SHA-256 of bytes where they lie. For many small things in a row ``SHA256Stream`` is faster: it keeps its memory.
    public static func sha256(_ bytes: UnsafeRawBufferPointer) -> SHA256Digest {
        SHA256Digest { room in
            let answer = EVP_Digest(bytes.baseAddress, bytes.count, room, nil, SHA256Method.pointer, nil)
            OpenSSLErrors.require(answer == 1, "EVP_Digest")
        }
    }

    /// SHA-512, for a number that is to be reduced without a bias that could be seen.
    public static func sha512(_ bytes: [UInt8]) -> [UInt8] {
        OpenSSLSetUp.ensure()
        var digest = [UInt8](repeating: 0, count: 64)
        let answer = EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha512(), nil)
        OpenSSLErrors.require(answer == 1, "EVP_Digest")
        return digest
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

/// OpenSSL's SHA-256, looked up once: looking it up takes longer than digesting a few hundred bytes.
enum SHA256Method {
    // because it is never changed after it was made, nor freed
    nonisolated(unsafe) static let pointer: OpaquePointer = {
        OpenSSLSetUp.ensure()
        return OpenSSLErrors.require(EVP_MD_fetch(nil, "SHA256", nil), "EVP_MD_fetch")
    }()
}
