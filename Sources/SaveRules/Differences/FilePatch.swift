/// The changes to a file's contents in place: pieces to write, each at its offset, and the size at the end. All other
/// bytes stay, because the same piece was at the same offset.
public struct FilePatch: Hashable, Sendable {
    /// A piece and where it belongs.
    public struct Write: Hashable, Sendable {
        /// The first byte's place in the file.
        public let offset: UInt64
        /// The piece that is written there.
        public let piece: PieceReference

        /// The bytes of the file that it covers.
        public var range: Range<UInt64> { offset..<offset + UInt64(piece.length) }
    }

    /// By ascending place; none overlaps another.
    public let writes: [Write]
    /// How many bytes the file had.
    public let oldSize: UInt64
    /// How many bytes it has at the end: it is cut or grows to that.
    public let newSize: UInt64

    /// How many bytes are written.
    public var byteCount: UInt64 { writes.reduce(0) { $0 + UInt64($1.piece.length) } }

    /// The parts of the old file that are overwritten or cut off. Undoing needs them.
    public var overwritten: [Range<UInt64>] {
        var ranges: [Range<UInt64>] = []
        func add(_ range: Range<UInt64>) {
            let range = range.clamped(to: 0..<oldSize)
            guard !range.isEmpty else { return }
            if let last = ranges.last, last.upperBound == range.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            } else {
                ranges.append(range)
            }
        }
        let kept = min(oldSize, newSize)
        for write in writes { add(write.range.clamped(to: 0..<kept)) }
        if newSize < oldSize { add(newSize..<oldSize) }
        return ranges
    }

    /// - Parameters:
    ///   - old: the pieces of the file that is there
    ///   - new: the pieces that it is to have
    public init(from old: [PieceReference], to new: [PieceReference]) {
        var writes: [Write] = []
        var (oldPlace, oldOffset, offset) = (0, UInt64(0), UInt64(0))
        for piece in new {
            while oldPlace < old.count, oldOffset < offset {
                oldOffset += UInt64(old[oldPlace].length)
                oldPlace += 1
            }
            let isThere = oldPlace < old.count && oldOffset == offset && old[oldPlace] == piece
            if !isThere { writes.append(Write(offset: offset, piece: piece)) }
            offset += UInt64(piece.length)
        }
        self.writes = writes
        (oldSize, newSize) = (old.totalLength, offset)
    }

    /// True if some of what is there can stay.
    public var keepsSomething: Bool { byteCount < newSize }
}
