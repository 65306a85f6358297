/// A piece of a file from an earlier cut.
public struct KnownPiece: Hashable, Sendable {
    /// The digest of its bytes.
    public let digest: SHA256Digest
    /// The number of bytes.
    public let length: Int

    /// - Parameters:
    ///   - digest: the digest of its bytes
    ///   - length: the number of bytes
    public init(_ digest: SHA256Digest, length: Int) {
        (self.digest, self.length) = (digest, length)
    }
}

/// A piece of a file that was cut before.
public enum FoundPiece {
    /// A piece that the file had before, as its index among the known pieces.
    case known(Int)
    /// A new piece.
    case new(DigestedBytes)
}
