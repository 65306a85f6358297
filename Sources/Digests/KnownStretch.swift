import LinuxPlatform

/// A search for the first known piece that is not at its expected place, from a given place on. Two threads
/// share the work. It cuts nothing: the end of a piece depends on its own bytes alone, or on the end of the
/// file.
final class KnownStretch: Sendable {
    private struct State {
        /// The index of the next piece to check, and its expected place.
        var next: Int
        var place: UInt64
        /// The first known mismatch so far.
        var end: Int
        /// The number of bytes to check at once. It grows: if changes are close together, little is read in
        /// vain.
        var groupCount: Int
        /// The number of bytes read.
        var byteCount: UInt64 = 0
        var isHelperGone = true
    }

    /// The pieces that one thread checks at once.
    private struct Group {
        let pieces: Range<Int>
        let place: UInt64
        let count: Int
    }

    /// The number of average pieces that one thread checks at once, at first and at most.
    private static let groupPieces = (first: 2, most: 16)

    private let file: CInt
    private let size: UInt64
    private let cutter: PieceCutter
    private let known: [KnownPiece]
    private let state: Monitor<State>

    init(of file: CInt, size: UInt64, cutter: PieceCutter, _ known: [KnownPiece], from first: Int, at place: UInt64) {
        (self.file, self.size, self.cutter, self.known) = (file, size, cutter, known)
        let groupCount = max(cutter.average * Self.groupPieces.first, cutter.maximum)
        state = Monitor(State(next: first, place: place, end: known.count, groupCount: groupCount))
    }

    /// The index of the first piece that is not at its place, and the number of bytes read to find it.
    func end(_ stream: inout SHA256Stream) -> (piece: Int, byteCount: UInt64) {
        let scratch = Scratch(byteCount: mostCount)
        // If the mismatch is near, a second thread would start too late.
        if let first = nextGroup() { look(at: first, scratch, &stream) }
        if state.update({ $0.next < $0.end }) {
            begin()
            while let group = nextGroup() { look(at: group, scratch, &stream) }
        }
        return state.wait { $0.isHelperGone ? ($0.end, $0.byteCount) : nil }
    }

    private var mostCount: Int { max(cutter.average * Self.groupPieces.most, cutter.maximum) }

    private func begin() {
        state.update { $0.isHelperGone = false }
        do throws(SystemError) {
            try startThread(named: "comparing") { @Sendable in
                var stream = SHA256Stream()
                let scratch = Scratch(byteCount: self.mostCount)
                while let group = self.nextGroup() { self.look(at: group, scratch, &stream) }
                self.state.update { $0.isHelperGone = true }
            }
        } catch {
            // Without a helper this thread does all the work.
            state.update { $0.isHelperGone = true }
        }
    }

    /// The next group. Groups are claimed in order, so all pieces before the first mismatch are checked.
    private func nextGroup() -> Group? {
        state.update { state in
            let first = state.next
            var (next, count) = (first, 0)
            while next < state.end, count + known[next].length <= state.groupCount,
                isSound(next, at: state.place + UInt64(count))
            {
                count += known[next].length
                next += 1
            }
            guard next > first else {
                state.end = min(state.end, first)
                return nil
            }
            defer {
                (state.next, state.place) = (next, state.place + UInt64(count))
                state.groupCount = min(state.groupCount * 2, mostCount)
            }
            return Group(pieces: first..<next, place: state.place, count: count)
        }
    }

    /// True if a piece may be at this place. The last piece of a file has its length only because the file
    /// ended there.
    private func isSound(_ number: Int, at place: UInt64) -> Bool {
        let length = known[number].length
        guard length <= cutter.maximum, UInt64(length) <= size - place else { return false }
        let isAtEnd = place + UInt64(length) == size
        return isAtEnd || (number < known.count - 1 && length >= cutter.minimum)
    }

    private func look(at group: Group, _ scratch: Scratch, _ stream: inout SHA256Stream) {
        // The cut that follows reads these bytes again and reports a read error then.
        let room = scratch.prefix(UInt64(group.count))
        let count = (try? OwnedDescriptor.read(from: file, into: room, at: group.place)) ?? 0
        var (place, offset) = (group.place, 0)
        for number in group.pieces {
            let end = offset + known[number].length
            guard end <= count else { return note(number, count) }
            let bytes = UnsafeRawBufferPointer(rebasing: room[offset..<end])
            place += UInt64(bytes.count)
            guard place == size || cutter.canEnd(bytes), stream.digest(of: bytes) == known[number].digest else {
                return note(number, count)
            }
            offset = end
        }
        note(known.count, count)
    }

    private func note(_ end: Int, _ byteCount: Int) {
        state.update { state in
            state.end = min(state.end, end)
            state.byteCount += UInt64(byteCount)
        }
    }
}
