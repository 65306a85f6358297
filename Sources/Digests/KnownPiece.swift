/// A piece that a file had when it was cut before.
public struct KnownPiece: Hashable, Sendable {
    /// The digest of its bytes.
    public let digest: SHA256Digest
    /// How many they are.
    public let length: Int

    /// - Parameters:
    ///   - digest: of its bytes
    ///   - length: how many they are
    public init(_ digest: SHA256Digest, length: Int) {
        (self.digest, self.length) = (digest, length)
    }
}

/// A piece of a file that was cut before.
public enum FoundPiece {
    /// One that the file had before: its number among those.
    case known(Int)
    /// Another one.
    case new(DigestedBytes)
}
