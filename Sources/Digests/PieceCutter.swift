/// Content-defined chunking: the content decides the places to cut, not their distance from the start. After
/// a change, the same places are found again behind it, and all pieces but those around the change stay the
/// same.
///
/// The method is FastCDC (Xia et al., USENIX ATC 2016) with a 64-bit gear hash, `h = 2h + gear[byte]`. It
/// tests the highest bits, so a place depends on the 64 bytes before it. Before the average length, a cut is
/// four times as rare as one per average; after it, four times as frequent. This keeps pieces near the
/// average.
public struct PieceCutter: Sendable {
    /// The smallest length of a piece, except the last.
    public let minimum: Int
    /// The approximate average length of a piece.
    public let average: Int
    /// The largest length of a piece.
    public let maximum: Int

    /// The number of bytes that a place depends on.
    private static let window = 64

    private let rareBelow: UInt64
    private let frequentBelow: UInt64

    /// - Parameters:
    ///   - minimum: 64 or more
    ///   - average: a power of two, between the others
    ///   - maximum: the largest length of a piece
    public init(minimum: Int, average: Int, maximum: Int) {
        precondition(average.nonzeroBitCount == 1 && average >= 8, "an average piece is a power of two")
        precondition(Self.window <= minimum && minimum <= average && average <= maximum, "the sizes are in order")
        (self.minimum, self.average, self.maximum) = (minimum, average, maximum)
        let bits = average.trailingZeroBitCount
        rareBelow = 1 << (64 - bits - 2)
        frequentBelow = 1 << (64 - bits + 2)
    }

    /// The length of the first piece in the remaining bytes.
    ///
    /// - Parameter bytes: at least `maximum` bytes, or all bytes up to the end
    /// - Returns: at least one, unless there are no bytes
    public func firstPiece(of bytes: UnsafeRawBufferPointer) -> Int {
        guard bytes.count > minimum, let start = bytes.baseAddress else { return bytes.count }
        let end = min(bytes.count, maximum)
        let gear = GearTable.numbers
        var hash: UInt64 = 0
        for place in (minimum - Self.window)..<minimum {
            hash = hash &<< 1 &+ gear[Int(start.load(fromByteOffset: place, as: UInt8.self))]
        }
        let middle = min(end, average)
        if let cut = Self.cut(start, from: minimum, to: middle, below: rareBelow, &hash, gear) { return cut }
        return Self.cut(start, from: middle, to: end, below: frequentBelow, &hash, gear) ?? end
    }

    /// True if a piece with these bytes, other than the last of a file, may end here. It does not check for
    /// an earlier end.
    func canEnd(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= minimum, bytes.count < maximum else { return bytes.count == maximum }
        let gear = GearTable.numbers
        let hash = bytes[(bytes.count - Self.window)...].reduce(UInt64(0)) { $0 &<< 1 &+ gear[Int($1)] }
        return hash < (bytes.count < average ? rareBelow : frequentBelow)
    }

    /// The ends of all pieces.
    public func ends(of bytes: UnsafeRawBufferPointer) -> [Int] {
        var ends: [Int] = []
        var start = 0
        while start < bytes.count {
            start += firstPiece(of: UnsafeRawBufferPointer(rebasing: bytes[start...]))
            ends.append(start)
        }
        return ends
    }

    /// The first place in a range at which the hash of the bytes before it is small enough.
    @inline(__always)
    private static func cut(
        _ start: UnsafeRawPointer,
        from first: Int,
        to end: Int,
        below limit: UInt64,
        _ hash: inout UInt64,
        _ gear: UnsafePointer<UInt64>
    ) -> Int? {
        var rolling = hash
        defer { hash = rolling }
        var place = first
        while place < end {
            if rolling < limit { return place }
            rolling = rolling &<< 1 &+ gear[Int(start.load(fromByteOffset: place, as: UInt8.self))]
            place &+= 1
        }
        return nil
    }
}
