import Vocabulary

extension DeviceID: CustomStringConvertible {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
    /// The number of letters that one check letter protects.
    private static let checkedCount = 13
    private static let groupLength = 7
    private static let letterCount = 52

    /// The text that Syncthing shows: 56 letters in groups of seven, each fourteenth of them a check.
    package var description: String {
        let letters = Self.letters(of: bytes)
        var checked: [UInt8] = []
        for start in stride(from: 0, to: letters.count, by: Self.checkedCount) {
            let part = letters[start..<start + Self.checkedCount]
            checked += part
            checked.append(Self.check(part))
        }
        let groups = stride(from: 0, to: checked.count, by: Self.groupLength).map {
            String(decoding: checked[$0..<$0 + Self.groupLength].map { Self.alphabet[Int($0)] }, as: UTF8.self)
        }
        return groups.joined(separator: "-")
    }

    /// The first group, by which users distinguish devices. It has 35 bits: enough to read, never enough to trust.
    package var shortText: String { String(description.prefix(Self.groupLength)) }

    /// Parses ``description`` as Syncthing does. Spaces and hyphens don't count, and `0`, `1` and `8` are read as the
    /// letters that look like them.
    ///
    /// - Parameter text: 56 letters with checks, or 52 without; any other gives nil, as does a wrong check
    package init?(_ text: String) {
        var values: [UInt8] = []
        for letter in text.utf8 where letter != UInt8(ascii: "-") && letter != UInt8(ascii: " ") {
            guard let value = Self.value(of: letter), values.count <= Self.letterCount + 4 else { return nil }
            values.append(value)
        }
        if values.count == Self.letterCount + 4 {
            guard let plain = Self.unchecked(values) else { return nil }
            values = plain
        }
        guard values.count == Self.letterCount, let bytes = Self.bytes(of: values) else { return nil }
        self.init(bytes: bytes)
    }

    /// The check letter of a part, as Syncthing computes it: a Luhn check whose sum it takes from the wrong end.
    private static func check(_ part: some Sequence<UInt8>) -> UInt8 {
        var sum = 0
        for (place, value) in part.enumerated() {
            let addend = Int(value) * (place % 2 == 0 ? 1 : 2)
            sum += addend / 32 + addend % 32
        }
        return UInt8((32 - sum % 32) % 32)
    }

    private static func unchecked(_ values: [UInt8]) -> [UInt8]? {
        var plain: [UInt8] = []
        for start in stride(from: 0, to: values.count, by: checkedCount + 1) {
            let part = values[start..<start + checkedCount]
            guard check(part) == values[start + checkedCount] else { return nil }
            plain += part
        }
        return plain
    }

    private static func letters(of bytes: [UInt8]) -> [UInt8] { Base32.text(of: bytes).utf8.compactMap(value) }

    /// Decodes letters; nil if the surplus bits of the last letter are not zero.
    private static func bytes(of letters: [UInt8]) -> [UInt8]? {
        Base32.bytes(of: String(decoding: letters.map { alphabet[Int($0)] }, as: UTF8.self))
    }

    private static func value(of letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "0"): value(of: UInt8(ascii: "O"))
        case UInt8(ascii: "1"): value(of: UInt8(ascii: "I"))
        case UInt8(ascii: "8"): value(of: UInt8(ascii: "B"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a")
        default: alphabet.firstIndex(of: letter).map(UInt8.init)
        }
    }
}
