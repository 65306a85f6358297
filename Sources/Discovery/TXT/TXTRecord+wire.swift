/// What was wrong with a record that came from the network. The rest of it counts all the same.
public enum TXTDefect: Hashable, Sendable {
    /// An entry without a key, or with characters that a key can't have; it was left out.
    case badKey
    /// A key that had stood before, in whatever case; the first one counts.
    case repeatedKey
    /// The record ended in the middle of an entry; that entry was left out.
    case cutShort
    /// There were more entries than anybody needs; the rest was left out.
    case tooManyEntries
}

extension TXTRecord {
    private static let maximumEntryCount = 256

    /// Reads a record as it stands in DNS: each entry behind a byte that gives its length.
    ///
    /// By the rules of RFC 6763 a reader passes over what is wrong rather than refuse it all; `defects` says what it
    /// passed over, each kind once.
    static func read(_ bytes: [UInt8]) -> (record: TXTRecord, defects: Set<TXTDefect>) {
        var record = TXTRecord()
        var defects: Set<TXTDefect> = []
        var seen: Set<TXTKey> = []
        var rest = bytes[...]
        while let length = rest.popFirst() {
            guard rest.count >= length else {
                defects.insert(.cutShort)
                break
            }
            let entry = rest.prefix(Int(length))
            rest = rest.dropFirst(Int(length))
            // An empty entry is how an empty record is written.
            guard !entry.isEmpty else { continue }
            guard seen.count < maximumEntryCount else {
                defects.insert(.tooManyEntries)
                break
            }
            guard let parsed = Entry(bytes: entry) else {
                defects.insert(.badKey)
                continue
            }
            if seen.insert(parsed.key).inserted {
                record.append(parsed)
            } else {
                defects.insert(.repeatedKey)
            }
        }
        return (record, defects)
    }

    /// The record as it stands in DNS. An empty one is a single empty entry.
    var wireBytes: [UInt8] {
        guard !entries.isEmpty else { return [0] }
        return entries.flatMap { entry in
            let bytes = entry.wireBytes
            return [UInt8(bytes.count)] + bytes
        }
    }
}

extension TXTRecord.Entry {
    init?(bytes: ArraySlice<UInt8>) {
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else {
            guard let key = TXTKey(bytes: bytes) else { return nil }
            self.init(key: key, value: .none)
            return
        }
        guard let key = TXTKey(bytes: bytes[..<equals]) else { return nil }
        self.init(key: key, value: .bytes(Array(bytes[(equals + 1)...])))
    }

    fileprivate var wireBytes: [UInt8] {
        switch value {
        case .none: Array(key.text.utf8)
        case .bytes(let bytes): Array(key.text.utf8) + [UInt8(ascii: "=")] + bytes
        }
    }
}
