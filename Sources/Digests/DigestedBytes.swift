/// Bytes together with their digest. There is no other way to have one than digesting the bytes, so that whoever is given one need not do it again.
///
/// The bytes are lent for the time of a call; they must not be kept.
public struct DigestedBytes {
    /// The bytes, as long as the call lasts that hands them over.
    public let bytes: UnsafeRawBufferPointer
    /// Their SHA-256.
    public let digest: SHA256Digest

    /// Digests them.
    public init(_ bytes: UnsafeRawBufferPointer) {
        self.init(bytes, digest: Digest.sha256(bytes))
    }

    init(_ bytes: UnsafeRawBufferPointer, digest: SHA256Digest) {
        self.bytes = bytes
        self.digest = digest
    }
}
