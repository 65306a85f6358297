/// Says where a stream of bytes is to be cut, by what stands there and not by how far it is from the start: after a change the same
/// places are found again behind it, and all pieces but those around the change are the same.
///
/// The method is FastCDC's (Xia et al., USENIX ATC 2016) with a gear hash of 64 bits, `h = 2h + gear[byte]`, of which the highest bits are
/// looked at: a place depends on the 64 bytes before it. Up to the average a cut is four times as rare as once an average, behind it four
/// times as frequent, which keeps pieces near the average.
public struct PieceCutter: Sendable {
    /// No piece but the last is shorter.
    public let minimum: Int
    /// What pieces are about as long as.
    public let average: Int
    /// No piece is longer.
    public let maximum: Int

    /// How many bytes a place depends on.
    private static let window = 64

    private let rareBelow: UInt64
    private let frequentBelow: UInt64

    /// - Parameters:
    ///   - minimum: 64 or more
    ///   - average: a power of two, between the others
    ///   - maximum: what no piece exceeds
    public init(minimum: Int, average: Int, maximum: Int) {
        precondition(average.nonzeroBitCount == 1 && average >= 8, "an average piece is a power of two")
        precondition(Self.window <= minimum && minimum <= average && average <= maximum, "the sizes are in order")
        (self.minimum, self.average, self.maximum) = (minimum, average, maximum)
        let bits = average.trailingZeroBitCount
        rareBelow = 1 << (64 - bits - 2)
        frequentBelow = 1 << (64 - bits + 2)
    }

    /// How long the first piece is of the bytes that are left.
    ///
    /// - Parameter bytes: the maximum or more of them, or all there are until the end
    /// - Returns: at least one, unless there are none
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

    /// Whether a piece that is not the last of its file can have these bytes, as far as its end shows: that it would have ended earlier is not
    /// looked for.
    func canEnd(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= minimum, bytes.count < maximum else { return bytes.count == maximum }
        let gear = GearTable.numbers
        let hash = bytes[(bytes.count - Self.window)...].reduce(UInt64(0)) { $0 &<< 1 &+ gear[Int($1)] }
        return hash < (bytes.count < average ? rareBelow : frequentBelow)
    }

    /// Where all pieces end.
    public func ends(of bytes: UnsafeRawBufferPointer) -> [Int] {
        var ends: [Int] = []
        var start = 0
        while start < bytes.count {
            start += firstPiece(of: UnsafeRawBufferPointer(rebasing: bytes[start...]))
            ends.append(start)
        }
        return ends
    }

    /// The first place, from one to another, where the hash of what is before it is small enough.
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
