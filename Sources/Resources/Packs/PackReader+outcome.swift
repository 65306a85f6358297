extension PackReader {
    /// Result of reading a pack, to compare different piece sizes.
    package struct Outcome: Hashable, Sendable {
        package var records = 0
        package var contentBytes = 0
        package var fileEnds = 0
        package var deepest = 0
        package var hasEnded = false
        package var defect: PackDefect?
    }

    /// Parses bytes as a pack and discards the events. Fuzzers call it: it returns for any bytes, and the result does
    /// not depend on the size of the pieces.
    package static func outcome(
        of bytes: UnsafeRawBufferPointer,
        inPiecesOf size: Int,
        entries: Int = 1_000
    ) -> Outcome {
        var reader = PackReader(total: UInt64(bytes.count), entries: entries)
        var (outcome, rest) = (Outcome(), bytes)
        do throws(PackDefect) {
            while !rest.isEmpty {
                var piece = UnsafeRawBufferPointer(rebasing: rest.prefix(size))
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
                while let event = try reader.next(&piece) { outcome.count(event, depth: reader.depth) }
            }
        } catch {
            outcome.defect = error
        }
        outcome.hasEnded = reader.hasEnded
        return outcome
    }
}

extension PackReader.Outcome {
    fileprivate mutating func count(_ event: PackReader.Event, depth: Int) {
        deepest = max(deepest, depth)
        switch event {
        case .record: records += 1
        case .content(let bytes): contentBytes += bytes.count
        case .fileEnd: fileEnds += 1
        }
    }
}
