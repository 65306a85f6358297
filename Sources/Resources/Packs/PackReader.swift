import LinuxPlatform
import Vocabulary

/// Parser of a pack that arrives in pieces of any size. It has no side effects and bounded memory for any input.
package struct PackReader {
    package enum Event {
        /// A complete record.
        case record(PackRecord)
        /// Bytes of the file of the last record.
        case content(UnsafeRawBufferPointer)
        /// That file is complete.
        case fileEnd
    }

    private enum State {
        case record
        case content(left: UInt64)
        case ended
    }

    private let total: UInt64
    private var state = State.record
    private var entriesLeft: Int
    private var header: [UInt8] = []
    /// The last name in each open folder, the root first; empty before the root record.
    private(set) var lastNames: [FileName?] = []
    /// Number of bytes of the pack that were read, including those of an incomplete record.
    private(set) package var position: UInt64 = 0
    /// The bytes of the last record.
    private(set) var lastRecordBytes: [UInt8] = []

    /// - Parameters:
    ///   - total: announced number of bytes
    ///   - entries: announced number of entries
    package init(total: UInt64, entries: Int) {
        self.total = total
        entriesLeft = min(entries, PackLimits.entries)
        header.reserveCapacity(512)
    }

    /// True after the end record.
    package var hasEnded: Bool {
        if case .ended = state { true } else { false }
    }

    /// Number of bytes of the incomplete record.
    var unfinishedByteCount: Int { header.count }

    /// Depth of the current folder; 0 is the root.
    var depth: Int { lastNames.count - 1 }

    /// Consumes input until there is an event; nil if it needs more input.
    package mutating func next(_ input: inout UnsafeRawBufferPointer) throws(PackDefect) -> Event? {
        switch state {
        case .content(left: 0):
            state = .record
            return .fileEnd
        case .content(let left):
            guard !input.isEmpty else { return nil }
            let piece = take(Int(min(left, UInt64(input.count))), from: &input)
            state = .content(left: left - UInt64(piece.count))
            return .content(piece)
        case .record:
            return try readRecord(&input).map { .record($0) }
        case .ended:
            guard input.isEmpty else { throw .bytesAfterTheEnd }
            return nil
        }
    }

    /// Skips bytes of the current file, for a caller that has them elsewhere.
    mutating func skipContent(_ count: UInt64) {
        guard case .content(let left) = state, count <= left else { preconditionFailure("there is no such content") }
        state = .content(left: left - count)
        position += count
    }

    // MARK: Records

    private mutating func take(_ count: Int, from input: inout UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let piece = UnsafeRawBufferPointer(rebasing: input.prefix(count))
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst(count))
        position += UInt64(count)
        return piece
    }

    private mutating func readRecord(_ input: inout UnsafeRawBufferPointer) throws(PackDefect) -> PackRecord? {
        while true {
            let missing = try byteCountKnownSoFar() - header.count
            if missing == 0 { break }
            if input.isEmpty { return nil }
            header.append(contentsOf: take(min(missing, input.count), from: &input))
        }
        let record = try parsed()
        try admit(record)
        swap(&header, &lastRecordBytes)
        header.removeAll(keepingCapacity: true)
        return record
    }

    /// The length of the record, as far as its bytes determine it.
    private func byteCountKnownSoFar() throws(PackDefect) -> Int {
        if lastNames.isEmpty { return PackRecord.rootByteCount }
        guard let first = header.first else { return 1 }
        guard let tag = PackRecord.Tag(rawValue: first) else { throw .unknownRecord(first) }
        if tag == .end || tag == .leave { return 1 }
        guard header.count > 1 else { return 2 }
        let fixed = 2 + Int(header[1]) + PackRecord.stampByteCount
        switch tag {
        case .folder, .end, .leave: return fixed
        case .file: return fixed + 8
        case .link:
            guard header.count >= fixed + 2 else { return fixed + 2 }
            let length = Int(header[fixed]) << 8 | Int(header[fixed + 1])
            guard length <= LinkTarget.maximumByteCount else { throw .linkLeadsOut }
            return fixed + 2 + length
        }
    }

    private func parsed() throws(PackDefect) -> PackRecord {
        if lastNames.isEmpty {
            guard header.starts(with: PackRecord.magic) else { throw .notAPack }
            return .root(try stamp(at: PackRecord.magic.count))
        }
        guard let tag = PackRecord.Tag(rawValue: header[0]) else { throw .unknownRecord(header[0]) }
        if tag == .leave { return .leave }
        if tag == .end { return .end }
        let nameEnd = 2 + Int(header[1])
        guard let name = try? FileName(bytes: header[2..<nameEnd]) else { throw .badName }
        let stamp = try stamp(at: nameEnd)
        let rest = nameEnd + PackRecord.stampByteCount
        switch tag {
        case .file: return .file(name, stamp, size: number(at: rest, byteCount: 8))
        case .link:
            guard let target = LinkTarget(header[(rest + 2)...], depth: depth) else { throw .linkLeadsOut }
            return .link(name, stamp, target)
        case .folder, .leave, .end: return .folder(name, stamp)
        }
    }

    private func stamp(at start: Int) throws(PackDefect) -> ResourceStamp {
        let nanoseconds = UInt32(number(at: start + 10, byteCount: 4))
        guard nanoseconds < 1_000_000_000 else { throw .badTime }
        return ResourceStamp(
            mode: FileMode(rawValue: UInt32(number(at: start, byteCount: 2))),
            modified: FileTime(
                seconds: Int64(bitPattern: number(at: start + 2, byteCount: 8)),
                nanoseconds: nanoseconds
            )
        )
    }

    private func number(at start: Int, byteCount: Int) -> UInt64 {
        header[start..<(start + byteCount)].reduce(0) { $0 << 8 | UInt64($1) }
    }

    // MARK: Order of records

    private mutating func admit(_ record: PackRecord) throws(PackDefect) {
        switch record {
        case .root: lastNames = [nil]
        case .folder(let name, _):
            try admitEntry(name)
            guard depth < PackLimits.depth else { throw .tooDeep }
            lastNames.append(nil)
        case .file(let name, _, let size):
            try admitEntry(name)
            // At least the end record follows.
            guard total > position, size < total - position else { throw .largerThanTheWhole }
            state = .content(left: size)
        case .link(let name, _, _): try admitEntry(name)
        case .leave:
            guard depth > 0 else { throw .leftTooOften }
            lastNames.removeLast()
        case .end:
            guard depth == 0, position == total else { throw .endedWithin }
            state = .ended
        }
    }

    private mutating func admitEntry(_ name: FileName) throws(PackDefect) {
        guard entriesLeft > 0 else { throw .tooManyEntries }
        entriesLeft -= 1
        if let last = lastNames[depth], !(last < name) { throw .outOfOrder }
        lastNames[depth] = name
    }
}
