import LinuxPlatform

/// One large file that was cut before and has changed since. What was known is compared at its place; only from the first piece that is not
/// there it is cut anew, until the pieces are in step with the known ones again, be it at another place. What comes out is what cutting all
/// of it anew would give.
struct Recut: ~Copyable {
    /// The pieces are in step with the known ones again.
    private struct InStep: Error {}

    private let file: CInt
    private let size: UInt64
    private let cutter: PieceCutter
    private let known: [KnownPiece]
    /// Where each of them stood.
    private let places: [UInt64]
    /// The first of each digest.
    private lazy var numbers = Dictionary(known.lazy.enumerated().map { ($1.digest, $0) }) { first, _ in first }
    private var place: UInt64 = 0
    /// The known piece that may come next; nil where nobody knows.
    private var next: Int? = 0
    /// How much further on it is expected than it stood.
    private var shift: Int64 = 0
    /// How many bytes were read in vain.
    private var wasted: UInt64 = 0
    private var stream = SHA256Stream()

    init(of file: CInt, size: UInt64, cutter: PieceCutter, knowing known: [KnownPiece]) {
        (self.file, self.size, self.cutter, self.known) = (file, size, cutter, known)
        var end: UInt64 = 0
        places = known.map { piece in
            defer { end += UInt64(piece.length) }
            return end
        }
    }

    /// Whether so little was read in vain that it may be tried again: a file that has little in common with what it was is better just cut.
    private var isPatient: Bool { wasted <= size / 2 }

    /// Hands over all pieces. Answers how many bytes there were.
    mutating func deliver(to body: (FoundPiece) throws -> Void) throws -> UInt64 {
        repeat {
            try compare(body)
        } while try place < size && cut(body)
        return place
    }

    /// Hands over the known pieces that stand where they are expected.
    private mutating func compare(_ body: (FoundPiece) throws -> Void) throws {
        guard let first = next else { return }
        let (end, count) = KnownStretch(of: file, size: size, cutter: cutter, known, from: first, at: place)
            .end(&stream)
        let start = place
        for number in first..<end {
            try body(.known(number))
            place += UInt64(known[number].length)
        }
        wasted += count - (place - start)
    }

    /// Cuts what follows until the pieces are in step again, or to the end.
    ///
    /// - Returns: false at the end
    private mutating func cut(_ body: (FoundPiece) throws -> Void) throws -> Bool {
        // Most changes are small, and over before a second thread would run.
        let (block, start) = (CutBlock(capacity: 2 * cutter.maximum), place)
        do {
            let wanted = min(UInt64(block.room.count), size - place)
            let room = UnsafeMutableRawBufferPointer(rebasing: block.room.prefix(Int(wanted)))
            block.count = try OwnedDescriptor.read(from: file, into: room, at: place)
            let isLast = block.count < room.count || place + wanted == size
            block.cut(by: cutter, isLast: isLast)
            try block.forEachPiece { _, bytes in
                try take(DigestedBytes(bytes, digest: stream.digest(of: bytes)), body)
            }
            if isLast { return false }
            wasted += UInt64(block.count) - (place - start)
        } catch is InStep {
            wasted += UInt64(block.count) - (place - start)
            return true
        }
        let middle = place
        let run = CutRun(of: file, from: place, size: size, cutter: cutter)
        do {
            _ = try run.deliver { try take($0, body) }
            return false
        } catch is InStep {
            wasted += run.byteCount - (place - middle)
            return true
        }
    }

    private mutating func take(_ piece: DigestedBytes, _ body: (FoundPiece) throws -> Void) throws {
        let number = numbers[piece.digest]
        try body(number.map { .known($0) } ?? .new(piece))
        place += UInt64(piece.bytes.count)
        guard isPatient else { return }
        next = expected(after: number)
        if next != nil { throw InStep() }
    }

    /// The known piece that may come next: the one that follows the last, or else the one that stood here.
    private mutating func expected(after number: Int?) -> Int? {
        let there = piece(at: Int64(place) - shift)
        guard let number else { return there }
        if let there, there > 0, known[there - 1] == known[number] { return there }
        guard number + 1 < known.count else { return nil }
        shift = Int64(place) - Int64(places[number + 1])
        return number + 1
    }

    /// The piece that stood at a place.
    private func piece(at place: Int64) -> Int? {
        guard let place = UInt64(exactly: place) else { return nil }
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low < places.count && places[low] == place ? low : nil
    }
}
