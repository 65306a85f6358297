import Vocabulary

/// Reads a tar archive piece by piece, and nothing else that a tar archive may hold: no device, no hard link, no sparse
/// file.
///
/// A pure value. It holds at most one header, and the bytes that were appended last.
public struct TarReader: Sendable {
    /// The events, in the order of the archive.
    public enum Event: Hashable, Sendable {
        case entry(TarEntry)
        /// Bytes of the file whose entry came last.
        case bytes(ArraySlice<UInt8>)
        /// The end of the archive. What follows does not count.
        case end
    }

    private static let block = TarWriter.block
    /// A header of names and times has no reason to be longer.
    private static let longestHeader: UInt64 = 64 << 10

    private enum State {
        case header
        case contents(left: UInt64, padding: Int)
        case end
    }

    private var bytes: [UInt8] = []
    private var place = 0
    private var state = State.header
    private var extras: [String: String] = [:]
    private var isFirst = true

    /// Before its first byte.
    public init() {}

    /// More of the archive.
    public mutating func append(_ more: some Sequence<UInt8>) {
        bytes.removeFirst(place)
        place = 0
        bytes.append(contentsOf: more)
    }

    /// The next event; nil if more bytes are needed.
    public mutating func next() throws(TarFault) -> Event? {
        while true {
            switch state {
            case .end: return .end
            case .contents(let left, let padding):
                if left > 0 {
                    let part = bytes[place...].prefix(Int(min(left, UInt64(bytes.count - place))))
                    guard !part.isEmpty else { return nil }
                    place += part.count
                    state = .contents(left: left - UInt64(part.count), padding: padding)
                    return .bytes(part)
                }
                guard bytes.count - place >= padding else { return nil }
                place += padding
                state = .header
            case .header:
                guard let event = try header() else { return nil }
                if let event = event.event { return event }
            }
        }
    }

    /// The archive has ended.
    public func finish() throws(TarFault) {
        guard case .end = state else { throw isFirst && bytes.count < Self.block ? .noTar : .truncated }
    }

    private static func padding(_ size: UInt64) -> Int { Int((512 - size % 512) % 512) }

    /// An event, or nothing for a header that belongs to the next one; nil if more bytes are needed.
    private mutating func header() throws(TarFault) -> (event: Event?, Void)? {
        guard bytes.count - place >= Self.block else { return nil }
        let header = Array(bytes[place..<(place + Self.block)])
        if header.allSatisfy({ $0 == 0 }) {
            guard bytes.count - place >= 2 * Self.block else { return nil }
            guard bytes[(place + Self.block)..<(place + 2 * Self.block)].allSatisfy({ $0 == 0 }), extras.isEmpty else {
                throw .damaged
            }
            if isFirst { throw .unusual("no file at all") }
            state = .end
            return (.end, ())
        }
        try check(header)
        let size = try number(header[124..<136])
        let type = header[156]
        if let word = Self.extraHeaders[type] {
            guard size <= Self.longestHeader else { throw .damaged }
            let whole = Self.block + Int(size) + Self.padding(size)
            guard bytes.count - place >= whole else { return nil }
            let text = bytes[(place + Self.block)..<(place + Self.block + Int(size))]
            try take(Array(text), as: word)
            place += whole
            isFirst = false
            return (nil, ())
        }
        let entry = try entry(header, type, size)
        place += Self.block
        (extras, isFirst) = ([:], false)
        state = .contents(left: entry.size, padding: Self.padding(entry.size))
        return (.entry(entry), ())
    }

    private enum Extra { case records, globalRecords, longPath, longTarget }

    private static let extraHeaders: [UInt8: Extra] = [
        UInt8(ascii: "x"): .records, UInt8(ascii: "g"): .globalRecords,
        UInt8(ascii: "L"): .longPath, UInt8(ascii: "K"): .longTarget,
    ]

    private func check(_ header: [UInt8]) throws(TarFault) {
        let sum = header.enumerated().reduce(UInt64(0)) { sum, byte in
            sum + UInt64((148..<156).contains(byte.offset) ? 0x20 : byte.element)
        }
        let isTar = header[257..<262].elementsEqual("ustar".utf8)
        guard isTar, (try? number(header[148..<156])) == sum else { throw isFirst ? .noTar : .damaged }
    }

    /// Octal digits, or a big number of GNU tar.
    private func number(_ field: ArraySlice<UInt8>) throws(TarFault) -> UInt64 {
        if field.first == 0x80 {
            guard field.dropFirst().dropLast(8).allSatisfy({ $0 == 0 }) else { throw .damaged }
            let number = field.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard number < 1 << 62 else { throw .damaged }
            return number
        }
        let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0 && $0 != 0x20 }
        guard !digits.isEmpty else { return 0 }
        guard digits.count <= 20, let number = UInt64(String(decoding: digits, as: UTF8.self), radix: 8),
            number < 1 << 62
        else { throw .damaged }
        return number
    }

    private mutating func take(_ text: [UInt8], as extra: Extra) throws(TarFault) {
        switch extra {
        case .longPath: extras["path"] = try string(text.prefix { $0 != 0 })
        case .longTarget: extras["linkpath"] = try string(text.prefix { $0 != 0 })
        case .records: for (key, value) in try records(text) { extras[key] = value }
        case .globalRecords:
            // A comment, as git writes it, says nothing about an entry.
            guard try records(text).keys.allSatisfy({ $0 == "comment" }) else { throw .unusual("a global header") }
        }
        if let sparse = extras.keys.first(where: { $0.hasPrefix("GNU.sparse") }), !sparse.isEmpty {
            throw .unusual("a sparse file")
        }
    }

    private func records(_ text: [UInt8]) throws(TarFault) -> [String: String] {
        var (records, rest) = ([String: String](), text[...])
        while !rest.isEmpty {
            guard let space = rest.firstIndex(of: 0x20), space - rest.startIndex <= 6,
                let length = Int(String(decoding: rest[..<space], as: UTF8.self)), length > 0, length <= rest.count,
                rest.startIndex + length > space + 1, rest[rest.startIndex + length - 1] == 0x0A
            else { throw .damaged }
            let record = rest[(space + 1)..<(rest.startIndex + length - 1)]
            guard let equals = record.firstIndex(of: UInt8(ascii: "=")) else { throw .damaged }
            let key = String(decoding: record[..<equals], as: UTF8.self)
            // Others than these have any bytes, and are not read.
            if Self.keys.contains(key) || key.hasPrefix("GNU.sparse") || key == "comment" {
                records[key] = key == "comment" ? "" : try string(record[(equals + 1)...])
            }
            rest = rest[(rest.startIndex + length)...]
        }
        return records
    }

    private static let keys: Set<String> = ["path", "linkpath", "size", "mtime"]

    private func string(_ bytes: ArraySlice<UInt8>) throws(TarFault) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .unusual("a name that is not UTF-8") }
        return text
    }

    private func entry(_ header: [UInt8], _ type: UInt8, _ plainSize: UInt64) throws(TarFault) -> TarEntry {
        var path = try text("path", header[0..<100])
        if extras["path"] == nil, header[263] == UInt8(ascii: "0") {
            let prefix = try string(header[345..<500].prefix { $0 != 0 })
            if !prefix.isEmpty { path = "\(prefix)/\(path)" }
        }
        let target = try text("linkpath", header[157..<257])
        let kind: TarEntry.Kind
        switch type {
        case 0, UInt8(ascii: "0"): kind = path.hasSuffix("/") ? .folder : .file
        case UInt8(ascii: "5"): kind = .folder
        case UInt8(ascii: "2"): kind = .link(to: target)
        case UInt8(ascii: "1"): throw .unusual("a hard link")
        case UInt8(ascii: "S"): throw .unusual("a sparse file")
        default: throw .unusual("a device or another special file")
        }
        var size = plainSize
        if let text = extras["size"] {
            guard let number = UInt64(text), number < 1 << 62 else { throw .damaged }
            size = number
        }
        guard kind == .file || size == 0 else { throw .damaged }
        let mode = FileMode(rawValue: UInt32(truncatingIfNeeded: try number(header[100..<108])))
        let modified =
            if let text = extras["mtime"] { try Self.time(text) } else {
                FileTime(seconds: Int64(try number(header[136..<148])), nanoseconds: 0)
            }
        return TarEntry(path, kind, mode: mode, modified: modified, size: size)
    }

    /// The text of a header before this one, or else of the field.
    private func text(_ key: String, _ field: ArraySlice<UInt8>) throws(TarFault) -> String {
        if let said = extras[key] { return said }
        return try string(field.prefix { $0 != 0 })
    }

    private static func time(_ text: String) throws(TarFault) -> FileTime {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let seconds = Int64(parts[0]), abs(seconds) < 1 << 40 else { throw .damaged }
        guard parts.count == 2 else { return FileTime(seconds: seconds, nanoseconds: 0) }
        let digits = parts[1].prefix(9)
        guard let part = UInt32(digits + String(repeating: "0", count: 9 - digits.count)) else { throw .damaged }
        guard text.hasPrefix("-"), part > 0 else { return FileTime(seconds: seconds, nanoseconds: part) }
        return FileTime(seconds: seconds - 1, nanoseconds: 1_000_000_000 - part)
    }
}
