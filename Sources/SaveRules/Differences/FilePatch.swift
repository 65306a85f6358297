/// The changes to a file in place: pieces to write, each at its offset, and the new size. All other bytes stay, because
/// the same piece was at the same offset.
public struct FilePatch: Hashable, Sendable {
    /// A piece and its place in the file.
    public struct Write: Hashable, Sendable {
        /// The offset of its first byte in the file.
        public let offset: UInt64
        /// The piece to write.
        public let piece: PieceReference

        /// The bytes of the file that it covers.
        public var range: Range<UInt64> { offset..<offset + UInt64(piece.length) }
    }

    /// The pieces to write, by ascending offset and without overlap.
    public let writes: [Write]
    /// The size of the file before.
    public let oldSize: UInt64
    /// The size of the file after: it is cut or extended to that.
    public let newSize: UInt64

    /// The number of bytes to write.
    public var byteCount: UInt64 { writes.reduce(0) { $0 + UInt64($1.piece.length) } }

    /// The parts of the old file that are overwritten or cut off. They are needed to undo the patch.
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
    ///   - old: the pieces of the present file
    ///   - new: the pieces of the new file
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

    /// True if a part of the present file stays.
    public var keepsSomething: Bool { byteCount < newSize }
}
