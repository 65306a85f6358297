/// A piece of a file, or of a manifest, and how long it is.
public struct PieceReference: Hashable, Sendable {
    /// How long a piece may be.
    public static let lengths = 1...4 << 20
    static let byteCount = PieceID.byteCount + 4

    /// Its name, which is its digest.
    public let id: PieceID
    private let count: UInt32

    /// How many bytes it has.
    public var length: Int { Int(count) }

    /// - Parameters:
    ///   - id: the SHA-256 of its bytes
    ///   - length: how many they are
    public init(_ id: PieceID, length: Int) {
        precondition(Self.lengths.contains(length), "a piece has 1 byte to 4 MiB")
        self.id = id
        count = UInt32(length)
    }
}

extension Sequence<PieceReference> {
    /// How many bytes they have together.
    public var totalLength: UInt64 { reduce(0) { $0 + UInt64($1.length) } }
}
