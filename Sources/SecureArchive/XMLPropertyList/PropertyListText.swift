/// Values of a property list as texts in its XML.
enum PropertyListText {
    /// Decimal with or without a sign, or hexadecimal behind `0x`, as Apple reads them.
    static func integer(_ text: String) throws(ArchiveError) -> ArchiveInteger {
        let digits = Array(trimmed(text))
        var rest = digits[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        let isHexadecimal = rest.starts(with: Array("0x".utf8)) || rest.starts(with: Array("0X".utf8))
        if isHexadecimal { rest = rest.dropFirst(2) }
        let radix: UInt8 = isHexadecimal ? 16 : 10
        guard !rest.isEmpty, rest.allSatisfy({ HexadecimalDigit.value(of: $0).map { $0 < radix } ?? false }) else {
            throw ArchiveError(.damaged, "this is not an integer")
        }
        do throws(NumberText.Fault) {
            return try NumberText.integer(isNegative: isNegative, digits: rest, radix: UInt64(radix))
        } catch {
            throw ArchiveError(.damaged, error.words)
        }
    }

    /// `inf`, `-infinity`, `nan`, as Apple and Python spell them; nil for everything else.
    private static func beyondNumbers(_ literal: [UInt8]) -> Double? {
        switch String(decoding: literal, as: UTF8.self).lowercased() {
        case "nan": .nan
        case "inf", "+inf", "infinity", "+infinity": .infinity
        case "-inf", "-infinity": -.infinity
        default: nil
        }
    }

    /// Digits with or without sign, fraction and exponent, or a spelling of infinity or NaN.
    static func real(_ text: String) throws(ArchiveError) -> ArchiveReal {
        let literal = Array(trimmed(text))
        guard isReal(literal) else {
            if let number = beyondNumbers(literal) { return ArchiveReal(said: number) }
            throw ArchiveError(.damaged, "this is not a number")
        }
        do throws(NumberText.Fault) {
            return try NumberText.real(literal[...])
        } catch {
            throw ArchiveError(.damaged, error.words)
        }
    }

    private static func isReal(_ literal: [UInt8]) -> Bool {
        var rest = literal[...]
        func dropSign() {
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        }
        func dropDigits() -> Int {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest = rest.dropFirst(digits.count)
            return digits.count
        }
        dropSign()
        var digits = dropDigits()
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            digits += dropDigits()
        }
        guard digits > 0 else { return false }
        if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            dropSign()
            guard dropDigits() > 0 else { return false }
        }
        return rest.isEmpty
    }

    /// `2026-01-02T03:04:05Z` and no other form. Readers of property lists know no year before 1.
    static func date(_ text: String) throws(ArchiveError) -> ArchiveDate {
        guard let time = CalendarTime(spelled: trimmed(text)), time.year >= 1, let date = time.date else {
            throw ArchiveError(.damaged, "this is not a date such as 2026-01-02T03:04:05Z")
        }
        return date
    }

    /// Base64 with space anywhere between its characters.
    static func data(_ text: String) throws(ArchiveError) -> [UInt8] {
        guard let data = Base64.decode(text.utf8) else { throw ArchiveError(.damaged, "this is not data in base64") }
        return data
    }

    private static func trimmed(_ text: String) -> Substring.UTF8View {
        var text = text.utf8[...]
        while let first = text.first, XMLCharacter.isSpace(first) { text = text.dropFirst() }
        while let last = text.last, XMLCharacter.isSpace(last) { text = text.dropLast() }
        return text
    }
}
