extension JSONReader {
    /// A number: an integer if it has neither fraction nor exponent.
    mutating func readNumber() throws(ArchiveError) -> ArchiveValue {
        let start = position
        skip(UInt8(ascii: "-"))
        try readWholePart()
        let endOfWholePart = position
        if skip(UInt8(ascii: ".")) { try readDigits() }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "+")) { skip(UInt8(ascii: "-")) }
            try readDigits()
        }
        do throws(NumberText.Fault) {
            let literal = bytes[start..<position]
            return try position == endOfWholePart
                ? .integer(NumberText.integer(literal)) : .real(NumberText.real(literal))
        } catch {
            position = start
            throw damaged(error.words)
        }
    }

    private mutating func readWholePart() throws(ArchiveError) {
        let startsWithZero = next == UInt8(ascii: "0")
        let start = position
        try readDigits()
        if startsWithZero, position > start + 1 {
            position = start
            throw damaged("a number does not begin with 0 unless it is 0")
        }
    }

    private mutating func readDigits() throws(ArchiveError) {
        let start = position
        while let digit = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) {
            position += 1
        }
        if position == start { throw damaged("a digit is expected here") }
    }

    @discardableResult
    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }
}
