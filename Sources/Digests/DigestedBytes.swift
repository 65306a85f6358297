/// Bytes together with their digest. Only digesting the bytes creates one, so the receiver need not check the
/// digest.
///
/// The bytes are valid only during a call and must not be kept.
public struct DigestedBytes {
    /// The bytes, valid only during the call that delivers them.
    public let bytes: UnsafeRawBufferPointer
    /// Their SHA-256.
    public let digest: SHA256Digest

    /// Digests the bytes.
    public init(_ bytes: UnsafeRawBufferPointer) {
        self.init(bytes, digest: Digest.sha256(bytes))
    }

    init(_ bytes: UnsafeRawBufferPointer, digest: SHA256Digest) {
        self.bytes = bytes
        self.digest = digest
    }
}
