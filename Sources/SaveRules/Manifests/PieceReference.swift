/// A piece of a file or of a manifest, with its length.
public struct PieceReference: Hashable, Sendable {
    /// The valid lengths of a piece.
    public static let lengths = 1...4 << 20
    static let byteCount = PieceID.byteCount + 4

    /// The id of the piece, which is its digest.
    public let id: PieceID
    private let count: UInt32

    /// The number of its bytes.
    public var length: Int { Int(count) }

    /// - Parameters:
    ///   - id: the SHA-256 of its bytes
    ///   - length: the number of its bytes
    public init(_ id: PieceID, length: Int) {
        precondition(Self.lengths.contains(length), "a piece has 1 byte to 4 MiB")
        self.id = id
        count = UInt32(length)
    }
}

extension Sequence<PieceReference> {
    /// The number of bytes of all pieces together.
    public var totalLength: UInt64 { reduce(0) { $0 + UInt64($1.length) } }
}
