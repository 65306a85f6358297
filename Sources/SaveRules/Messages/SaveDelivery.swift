public import Vocabulary

/// An answer of one machine to another over a stream: history, or pieces.
public enum SaveDelivery: Hashable, Sendable {
    /// The largest size of an encoded answer without its length: history with one version beyond its limit, or a piece.
    public static let maximumByteCount =
        HistoryRequest.maximumAnswerByteCount + Snapshot.maximumByteCount + HistoryRequest.maximumAnswerCount * 4 + 64

    /// The requested versions, each in its canonical encoding. The receiver decodes them.
    case history(SaveSetID, ExchangeEpoch, [[UInt8]])
    /// A requested piece. The receiver checks that its bytes match its name.
    case piece(SaveSetID, ExchangeEpoch, PieceID, [UInt8])
    /// The requested pieces that are no longer here.
    case missing(SaveSetID, ExchangeEpoch, [PieceID])

    private enum Kind: UInt8 {
        case history = 1
        case piece = 2
        case missing = 3
    }

    /// The game.
    public var set: SaveSetID {
        switch self {
        case .history(let set, _, _), .piece(let set, _, _, _), .missing(let set, _, _): set
        }
    }

    /// The exchange epoch to which the answer belongs.
    public var epoch: ExchangeEpoch {
        switch self {
        case .history(_, let epoch, _), .piece(_, let epoch, _, _), .missing(_, let epoch, _): epoch
        }
    }

    /// The canonical encoding, after its length in four bytes.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    /// Appends ``encoded``.
    public func append(to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.append(bigEndian: UInt32(0))
        bytes.append(kind.rawValue)
        bytes.append(contentsOf: set.bytes)
        bytes.append(bigEndian: epoch.number)
        switch self {
        case .history(_, _, let snapshots):
            bytes.append(bigEndian: UInt16(snapshots.count))
            for snapshot in snapshots {
                bytes.append(bigEndian: UInt32(snapshot.count))
                bytes += snapshot
            }
        case .piece(_, _, let id, let contents):
            id.append(to: &bytes)
            bytes += contents
        case .missing(_, _, let ids): bytes.append(ids)
        }
        let count = UInt32(bytes.count - start - 4)
        precondition(count <= Self.maximumByteCount, "what is sent at once keeps to what is taken at once")
        withUnsafeBytes(of: count.bigEndian) { bytes.replaceSubrange(start..<start + 4, with: $0) }
    }

    /// Decodes ``encoded`` without its length.
    public init(decoding bytes: [UInt8]) throws(SaveFormatError) { try self.init(decoding: bytes[...]) }

    /// Decodes a part of a longer read without a copy, so that a piece is copied only once.
    init(decoding bytes: ArraySlice<UInt8>) throws(SaveFormatError) {
        guard bytes.count <= Self.maximumByteCount else { throw SaveFormatError(.tooManyBytes) }
        var reader = CanonicalReader(bytes)
        let number = try reader.integer(UInt8.self)
        guard let kind = Kind(rawValue: number) else { throw reader.error(.unknownMessage(number)) }
        let set = SaveSetID(high: try reader.integer(), low: try reader.integer())
        let epoch = ExchangeEpoch(try reader.integer())
        switch kind {
        case .history: self = .history(set, epoch, try reader.snapshots())
        case .piece:
            let id = try reader.id(PieceContent.self)
            guard PieceReference.lengths.contains(reader.remaining) else { throw reader.error(.badPieceLength) }
            self = .piece(set, epoch, id, Array(try reader.bytes(reader.remaining)))
        case .missing:
            self = .missing(set, epoch, try reader.ids(PieceContent.self, limit: SaveMessage.maximumWantedCount))
        }
        try reader.finish()
    }

    private var kind: Kind {
        switch self {
        case .history: .history
        case .piece: .piece
        case .missing: .missing
        }
    }
}

extension CanonicalReader {
    fileprivate mutating func snapshots() throws(SaveFormatError) -> [[UInt8]] {
        let count = Int(try integer(UInt16.self))
        guard count <= HistoryRequest.maximumAnswerCount else { throw error(.tooManyNames) }
        var snapshots: [[UInt8]] = []
        for _ in 0..<count { snapshots.append(Array(try bytes(Int(try integer(UInt32.self))))) }
        return snapshots
    }
}

/// A reader that cuts the bytes of a stream into answers. It holds at most one incomplete answer and the last read.
public struct SaveDeliveryReader: Sendable {
    private var bytes: [UInt8] = []
    private var position = 0
    /// The bytes that came after ``bytes``, in parts. A single buffer that doubles as it grows would have room for
    /// twice its contents, which the limits on memory do not count.
    private var later: [[UInt8]] = []
    private var laterByteCount = 0
    /// The size of each part of ``later`` but the last. One part for each read would cost 40 times its bytes if the
    /// bytes come one by one.
    private static let partByteCount = 64 << 10

    /// Creates a reader that has read nothing.
    public init() {}

    /// The bytes that are held: those of an incomplete answer, and those that the caller has not taken.
    public var heldByteCount: Int { bytes.count - position + laterByteCount }

    /// The bytes for which there is room.
    package var capacity: Int { later.reduce(bytes.capacity) { $0 + $1.capacity } }

    /// Adds the bytes of one read.
    public mutating func append(_ more: [UInt8]) {
        guard heldByteCount > 0 else { return (bytes, position) = (more, 0) }
        laterByteCount += more.count
        var rest = more[...]
        while !rest.isEmpty {
            if later.last.map({ $0.count == Self.partByteCount }) ?? true {
                var part: [UInt8] = []
                part.reserveCapacity(Self.partByteCount)
                later.append(part)
            }
            let part = later.count - 1
            let fitting = rest.prefix(Self.partByteCount - later[part].count)
            later[part] += fitting
            rest = rest.dropFirst(fitting.count)
        }
    }

    /// Returns the next complete answer; nil if more bytes must be read first.
    public mutating func next() throws(SaveFormatError) -> SaveDelivery? {
        guard heldByteCount >= 4 else { return nil }
        if bytes.count - position < 4 { join() }
        let count = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
        guard count <= SaveDelivery.maximumByteCount else { throw SaveFormatError(.tooManyBytes, offset: position) }
        guard heldByteCount >= 4 + count else { return nil }
        if bytes.count - position < 4 + count { join() }
        let delivery = try SaveDelivery(decoding: bytes[position + 4..<position + 4 + count])
        position += 4 + count
        // Otherwise a peer that sends an answer of 4 MiB and one byte of the next makes the daemon keep both.
        if position > bytes.count / 2 { (bytes, position) = (Array(bytes[position...]), 0) }
        return delivery
    }

    private mutating func join() {
        var joined: [UInt8] = []
        joined.reserveCapacity(heldByteCount)
        joined += bytes[position...]
        for part in later { joined += part }
        (bytes, position, later, laterByteCount) = (joined, 0, [], 0)
    }
}
