/// Converts the bytes of a terminal to keys, in pieces of any size.
struct Keyboard {
    enum Key: Equatable {
        case text(Unicode.Scalar)
        case left, right, home, end
        case up, down
        case backspace, delete
        case deleteWord, deleteBefore, deleteAfter
        case enter
        case endOfInput
    }

    private var pending: [UInt8] = []

    /// The known keys in these bytes and earlier ones; other bytes are skipped.
    mutating func keys(in bytes: [UInt8]) -> [Key] {
        pending += bytes
        var keys: [Key] = []
        while let (key, length) = Self.first(in: pending) {
            pending.removeFirst(length)
            if let key { keys.append(key) }
        }
        return keys
    }

    /// The first key, or nil for an unknown one, and its number of bytes. Nil if more bytes are needed.
    private static func first(in bytes: [UInt8]) -> (Key?, Int)? {
        guard let first = bytes.first else { return nil }
        if first == escape { return sequence(in: bytes) }
        if first < 0x20 || first == 0x7F { return (controls[first], 1) }
        let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        let part = bytes.prefix(length)
        guard let text = String(validating: part, as: UTF8.self), let scalar = text.unicodeScalars.first else {
            let isBegun = part.count < length && part.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
            return isBegun ? nil : (nil, 1)
        }
        return (scalar.properties.generalCategory == .control ? nil : .text(scalar), length)
    }

    /// Keys of single bytes. Enter is a line feed: the terminal converts it, and input from a pipe has one, perhaps
    /// after a carriage return.
    private static let controls: [UInt8: Key] = [
        0x01: .home, 0x02: .left, 0x04: .endOfInput, 0x05: .end, 0x06: .right, 0x08: .backspace, 0x0A: .enter,
        0x0B: .deleteAfter, 0x0E: .down, 0x10: .up, 0x15: .deleteBefore, 0x17: .deleteWord, 0x7F: .backspace,
    ]

    // MARK: Keys that send several bytes

    private static let escape: UInt8 = 0x1B
    /// Maximum length of a sequence: no terminal sends a longer one.
    private static let sequenceLimit = 32

    /// Sequences of ECMA-48: `ESC [`, parameters, and a letter or `~`; or `ESC O` and a letter.
    private static func sequence(in bytes: [UInt8]) -> (Key?, Int)? {
        guard bytes.count > 1 else { return nil }
        switch bytes[1] {
        case UInt8(ascii: "O"): return bytes.count > 2 ? (letters[bytes[2]], 3) : nil
        case UInt8(ascii: "["): break
        default: return (nil, 1)
        }
        // Function keys of the Linux console have an additional bracket.
        if bytes.count > 2, bytes[2] == UInt8(ascii: "[") { return bytes.count > 3 ? (nil, 4) : nil }
        guard let last = bytes.dropFirst(2).firstIndex(where: { !(0x20..<0x40).contains($0) }) else {
            return bytes.count < sequenceLimit ? nil : (nil, bytes.count)
        }
        // An invalid byte ends the sequence, and is a key of its own.
        guard (0x40..<0x7F).contains(bytes[last]) else { return (nil, last) }
        guard bytes[last] == UInt8(ascii: "~") else { return (letters[bytes[last]], last + 1) }
        let number = bytes[2..<last].prefix { $0 != UInt8(ascii: ";") }
        return (numbers[String(decoding: number, as: UTF8.self)], last + 1)
    }

    private static let letters: [UInt8: Key] = [
        UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
        UInt8(ascii: "F"): .end, UInt8(ascii: "H"): .home,
    ]
    private static let numbers: [String: Key] = ["1": .home, "3": .delete, "4": .end, "7": .home, "8": .end]
}
