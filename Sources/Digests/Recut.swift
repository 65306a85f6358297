import LinuxPlatform

/// A large file that was cut before and has changed since. It compares the known pieces at their places. From
/// the first mismatch it cuts the file until the pieces match the known ones again, possibly at another
/// place. The result is the same as cutting the whole file.
struct Recut: ~Copyable {
    /// The pieces match the known ones again.
    private struct InStep: Error {}

    private let file: CInt
    private let size: UInt64
    private let cutter: PieceCutter
    private let known: [KnownPiece]
    /// The old place of each known piece.
    private let places: [UInt64]
    /// The first index of each digest.
    private lazy var numbers = Dictionary(known.lazy.enumerated().map { ($1.digest, $0) }) { first, _ in first }
    private var place: UInt64 = 0
    /// The index of the known piece that may come next; nil if it is unknown.
    private var next: Int? = 0
    /// The distance of its expected place from its old one.
    private var shift: Int64 = 0
    /// The number of bytes read in vain.
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

    /// True if few bytes were read in vain, so that another comparison is worthwhile. A file that shares
    /// little with its old state is better just cut.
    private var isPatient: Bool { wasted <= size / 2 }

    /// Delivers all pieces and returns the number of bytes.
    mutating func deliver(to body: (FoundPiece) throws -> Void) throws -> UInt64 {
        repeat {
            try compare(body)
        } while try place < size && cut(body)
        return place
    }

    /// Delivers the known pieces that are at their expected places.
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

    /// Cuts the file until the pieces match again, or to its end.
    private mutating func cut(_ body: (FoundPiece) throws -> Void) throws -> Bool {
        // Most changes are small, and the cut is done before a second thread would run.
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

    /// The known piece that may come next: the one after the last, or else the one that was at this place.
    private mutating func expected(after number: Int?) -> Int? {
        let there = piece(at: Int64(place) - shift)
        guard let number else { return there }
        if let there, there > 0, known[there - 1] == known[number] { return there }
        guard number + 1 < known.count else { return nil }
        shift = Int64(place) - Int64(places[number + 1])
        return number + 1
    }

    /// The known piece that began at a place.
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
