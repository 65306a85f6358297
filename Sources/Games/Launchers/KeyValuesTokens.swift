/// Reads the words and braces of Valve's text of keys and values, one after the other.
struct KeyValuesTokens {
    enum Token {
        case text(String)
        case open, close
    }

    static let longestText = 64 << 10

    private var rest: ArraySlice<UInt8>
    /// True after a text without an end, or after one that is too long.
    private(set) var isBroken = false
    /// The index of the next byte.
    var position: Int { rest.startIndex }

    init(_ bytes: [UInt8]) { rest = bytes[...].dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0) }

    /// The next word or brace; nil at the end, and if the file is broken.
    mutating func next() -> Token? {
        skipSpaces()
        guard let byte = rest.first else { return nil }
        switch byte {
        case UInt8(ascii: "{"):
            rest.removeFirst()
            return .open
        case UInt8(ascii: "}"):
            rest.removeFirst()
            return .close
        case UInt8(ascii: "\""):
            rest.removeFirst()
            return text(quoted())
        default: return text(bare())
        }
    }

    /// Skips spaces, comments and conditions, so that the position is that of the next word or brace.
    mutating func skipSpaces() {
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): rest.removeFirst()
            case UInt8(ascii: "/") where rest.dropFirst().first == UInt8(ascii: "/"):
                rest = rest.drop { $0 != UInt8(ascii: "\n") }
            // A condition, such as [$WIN32], that belongs to the entry before it.
            case UInt8(ascii: "["): rest = rest.drop { $0 != UInt8(ascii: "]") }.dropFirst()
            default: return
            }
        }
    }

    private mutating func text(_ text: String?) -> Token? {
        isBroken = text == nil
        return text.map { .text($0) }
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
