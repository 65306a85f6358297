/// A defect of a record from the network. The rest of the record counts.
public enum TXTDefect: Hashable, Sendable {
    /// An entry has no key, or characters that a key can't have. It is skipped.
    case badKey
    /// A key occurs twice, compared without case. The first one counts.
    case repeatedKey
    /// The record ends in the middle of an entry. That entry is skipped.
    case cutShort
    /// The record has more than 256 entries. The rest is skipped.
    case tooManyEntries
}

extension TXTRecord {
    private static let maximumEntryCount = 256

    /// Reads a record in its DNS form: each entry follows a byte with its length.
    ///
    /// As RFC 6763 requires, a reader skips a defect and keeps the rest. `defects` names each kind of defect once.
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
            // An empty record is written as one empty entry.
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

    /// The record in its DNS form. An empty record is a single empty entry.
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
