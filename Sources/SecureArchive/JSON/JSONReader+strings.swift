extension JSONReader {
    /// A text, from the opening quote to behind the closing one.
    mutating func readString() throws(ArchiveError) -> String {
        position += 1
        let start = position
        let end = try endOfPlainText()
        if bytes[end] == UInt8(ascii: "\"") {
            position = end + 1
            try limits.check(textBytes: end - start)
            try tree.budget.check(comingMemory: end - start)
            return try text(of: bytes[start..<end], from: start)
        }
        return try readStringWithEscapes(from: start, upTo: end)
    }

    /// The place of the next quote or backslash.
    private mutating func endOfPlainText() throws(ArchiveError) -> Int {
        var end = position
        while end < bytes.count {
            let byte = bytes[end]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return end }
            if byte < 0x20 {
                position = end
                throw damaged("a control character must be escaped in a text")
            }
            end += 1
        }
        position = end
        throw damaged("the text ends inside of quotes")
    }

    /// Walks over the text twice, so that the memory fits exactly.
    private mutating func readStringWithEscapes(from start: Int, upTo firstEscape: Int) throws(ArchiveError) -> String {
        position = firstEscape
        var count = firstEscape - start
        while bytes[position] != UInt8(ascii: "\"") {
            let (escaped, plain) = try readEscapeAndPlainText()
            count += escaped.utf8.count + plain.count
            try limits.check(textBytes: count)
        }
        // Once as bytes and once as a text.
        try tree.budget.check(comingMemory: 2 * count)
        var unescaped: [UInt8] = []
        unescaped.reserveCapacity(count)
        unescaped += bytes[start..<firstEscape]
        position = firstEscape
        while bytes[position] != UInt8(ascii: "\"") {
            let (escaped, plain) = try readEscapeAndPlainText()
            unescaped += escaped.utf8
            unescaped += bytes[plain]
        }
        position += 1
        return try text(of: unescaped[...], from: start)
    }

    /// From a backslash up to the next one or to the closing quote.
    private mutating func readEscapeAndPlainText() throws(ArchiveError) -> (Unicode.Scalar, plain: Range<Int>) {
        position += 1
        let escaped = try readEscape()
        let start = position
        position = try endOfPlainText()
        return (escaped, start..<position)
    }

    private func text(of utf8: ArraySlice<UInt8>, from start: Int) throws(ArchiveError) -> String {
        guard let text = String(validating: utf8, as: UTF8.self) else {
            throw ArchiveError(.damaged, "this text is not UTF-8", offset: start)
        }
        return text
    }

    /// Reads the character behind a backslash.
    private mutating func readEscape() throws(ArchiveError) -> Unicode.Scalar {
        let plain: UInt8
        switch next {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain = bytes[position]
        case UInt8(ascii: "n"): plain = 0x0A
        case UInt8(ascii: "t"): plain = 0x09
        case UInt8(ascii: "r"): plain = 0x0D
        case UInt8(ascii: "b"): plain = 0x08
        case UInt8(ascii: "f"): plain = 0x0C
        case UInt8(ascii: "u"):
            position += 1
            return try readEscapedScalar()
        case nil: throw damaged("the text ends inside of an escape")
        default: throw damaged("there is no such escape")
        }
        position += 1
        return Unicode.Scalar(plain)
    }

    /// The digits behind `\u`, and a second such escape if the first is half of a pair.
    private mutating func readEscapedScalar() throws(ArchiveError) -> Unicode.Scalar {
        let first = try readFourDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, next == UInt8(ascii: "\\"), position + 1 < bytes.count,
            bytes[position + 1] == UInt8(ascii: "u")
        else { throw damaged("half of a surrogate pair is alone") }
        position += 2
        let second = try readFourDigits()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw damaged("half of a surrogate pair is alone") }
        return scalar
    }

    private mutating func readFourDigits() throws(ArchiveError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = next.flatMap(HexadecimalDigit.value) else {
                throw damaged("four hexadecimal digits are expected behind “\\u”")
            }
            value = value << 4 + UInt32(digit)
            position += 1
        }
        return value
    }
}
