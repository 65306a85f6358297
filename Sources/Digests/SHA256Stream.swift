import COpenSSL

/// SHA-256 over bytes that arrive in parts, or over many inputs one after the other.
///
/// ```swift
/// var stream = SHA256Stream()
/// stream.update(header)
/// stream.update(body)
/// let digest = stream.finish()  // and the stream is empty again
/// ```
public struct SHA256Stream: ~Copyable {
    private let context: OpaquePointer

    /// An empty stream.
    public init() {
        context = OpenSSLErrors.require(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
        OpenSSLErrors.require(EVP_DigestInit_ex2(context, SHA256Method.pointer, nil) == 1, "EVP_DigestInit_ex2")
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    /// Adds the next bytes.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        OpenSSLErrors.require(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1, "EVP_DigestUpdate")
    }

    /// Adds the next bytes.
    public mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// The digest of all bytes since the last call; the stream is empty afterwards.
    public mutating func finish() -> SHA256Digest {
        let digest = SHA256Digest { room in
            OpenSSLErrors.require(EVP_DigestFinal_ex(context, room, nil) == 1, "EVP_DigestFinal_ex")
        }
        // Without a method the context restarts with its current one.
        OpenSSLErrors.require(EVP_DigestInit_ex2(context, nil, nil) == 1, "EVP_DigestInit_ex2")
        return digest
    }

    /// The digest of these bytes alone. The stream must be empty.
    public mutating func digest(of bytes: UnsafeRawBufferPointer) -> SHA256Digest {
        update(bytes)
        return finish()
    }
}
