import COpenSSL

/// SHA-256 over bytes that come piece by piece, or over many things one after the other.
///
/// ```swift
/// var stream = SHA256Stream()
/// stream.update(header)
/// stream.update(body)
/// let digest = stream.finish()    // and the stream is as new
/// ```
public struct SHA256Stream: ~Copyable {
    private let context: OpaquePointer

    /// Nothing came yet.
    public init() {
        context = OpenSSLErrors.require(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
        OpenSSLErrors.require(EVP_DigestInit_ex2(context, SHA256Method.pointer, nil) == 1, "EVP_DigestInit_ex2")
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    /// Takes the next bytes in.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        OpenSSLErrors.require(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1, "EVP_DigestUpdate")
    }

    /// Takes the next bytes in.
    public mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// The digest of all that came since the last time, which is forgotten by this.
    public mutating func finish() -> SHA256Digest {
        let digest = SHA256Digest { room in
            OpenSSLErrors.require(EVP_DigestFinal_ex(context, room, nil) == 1, "EVP_DigestFinal_ex")
        }
        // Without a method the context begins anew with the one it has.
        OpenSSLErrors.require(EVP_DigestInit_ex2(context, nil, nil) == 1, "EVP_DigestInit_ex2")
        return digest
    }

    /// The digest of these bytes alone, for a stream that nothing else came into.
    public mutating func digest(of bytes: UnsafeRawBufferPointer) -> SHA256Digest {
        update(bytes)
        return finish()
    }
}
