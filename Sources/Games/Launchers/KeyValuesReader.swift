/// Goes through such a text once, with a stack of its own in place of recursion.
package struct KeyValuesReader {
    static let deepest = 32
    static let mostFields = 200_000
    static let longestText = 64 << 10

    private enum Token {
        case text(String)
        case open, close
    }

    private var rest: ArraySlice<UInt8>
    private var fieldCount = 0

    private init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// The fields of a file; nil if it is nothing of the kind.
    package static func read(_ bytes: [UInt8]) -> KeyValues? {
        guard !bytes.contains(0) else { return nil }
        var reader = KeyValuesReader(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes)
        return reader.document()
    }

    private mutating func document() -> KeyValues? {
        var open: [(key: String, fields: [KeyValues.Field])] = [("", [])]
        var key: String?
        loop: while let token = next() {
            switch token {
            case .text(let text):
                if let name = key {
                    open[open.count - 1].fields.append(KeyValues.Field(key: name, value: .text(text)))
                    key = nil
                    fieldCount += 1
                } else {
                    key = text
                }
            case .open:
                guard let name = key, open.count < Self.deepest else { return nil }
                open.append((name, []))
                key = nil
                fieldCount += 1
            case .close:
                guard open.count > 1 else { break loop }
                Self.close(&open)
                key = nil
            }
            guard fieldCount <= Self.mostFields else { return nil }
        }
        while open.count > 1 { Self.close(&open) }
        return open[0].fields.isEmpty ? nil : .block(open[0].fields)
    }

    private static func close(_ open: inout [(key: String, fields: [KeyValues.Field])]) {
        let (key, fields) = open.removeLast()
        open[open.count - 1].fields.append(KeyValues.Field(key: key, value: .block(fields)))
    }

    private mutating func next() -> Token? {
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): rest.removeFirst()
            case UInt8(ascii: "/") where rest.dropFirst().first == UInt8(ascii: "/"):
                rest = rest.drop { $0 != UInt8(ascii: "\n") }
            // A condition, such as [$WIN32], that belongs to what came before.
            case UInt8(ascii: "["): rest = rest.drop { $0 != UInt8(ascii: "]") }.dropFirst()
            case UInt8(ascii: "{"):
                rest.removeFirst()
                return .open
            case UInt8(ascii: "}"):
                rest.removeFirst()
                return .close
            case UInt8(ascii: "\""):
                rest.removeFirst()
                return quoted().map { .text($0) }
            default: return bare().map { .text($0) }
            }
        }
        return nil
    }

    /// A text to its closing quote; nil if the file ends before.
    private mutating func quoted() -> String? {
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                switch escaped {
                case UInt8(ascii: "n"): bytes.append(UInt8(ascii: "\n"))
                case UInt8(ascii: "t"): bytes.append(UInt8(ascii: "\t"))
                default: bytes.append(escaped)
                }
            default: bytes.append(byte)
            }
            guard bytes.count <= Self.longestText else { return nil }
        }
        return nil
    }

    private mutating func bare() -> String? {
        let word = rest.prefix {
            $0 > 0x20 && $0 != UInt8(ascii: "{") && $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: "\"")
        }
        guard !word.isEmpty, word.count <= Self.longestText else { return nil }
        rest = rest[word.endIndex...]
        return String(decoding: word, as: UTF8.self)
    }
}
