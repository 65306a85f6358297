/// The encoding of a text, as far as its first bytes show.
enum TextEncoding {
    /// The size of a UTF-8 byte order mark at the beginning: 3 or 0 bytes.
    static func markByteCount(of bytes: [UInt8]) -> Int {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Names the encoding in the error, in place of an unexpected byte. The first character of every format here is
    /// ASCII, so a zero beside it means two or four bytes for each character.
    static func refuseOthersThanUTF8(_ bytes: [UInt8], in format: String) throws(ArchiveError) {
        guard !bytes.isEmpty else { throw ArchiveError(.damaged, "it is empty") }
        let start = Array(bytes.prefix(4))
        guard let first = start.first(where: { $0 != 0 }) else {
            // Zeros that a power cut left, or space that was never written. Other files may begin with zeros, too.
            guard bytes.contains(where: { $0 != 0 }) else {
                throw ArchiveError(.damaged, "it is all zeros", offset: 0)
            }
            return
        }
        // A program's own format may have numbers with zeros beside them.
        let isText = (0x20...0x7E).contains(first) || XMLCharacter.isSpace(first) || first >= 0xFE
        guard isText else { return }
        let beginsWithHalfACharacter = bytes.count.isMultiple(of: 2) && start.prefix(2).contains(0)
        let encoding: String
        if [[0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF]].contains(start) || start.count(where: { $0 == 0 }) == 3 {
            encoding = "UTF-32"
        } else if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) || beginsWithHalfACharacter {
            encoding = "UTF-16"
        } else {
            return
        }
        throw ArchiveError(.notAllowed, "it is in \(encoding); \(format) is read in UTF-8 only", offset: 0)
    }

    /// The order of the two bytes of a UTF-16 unit.
    enum ByteOrder {
        case littleEndian
        case bigEndian
    }

    /// The byte order of a text in UTF-16, by its mark, or by the zero beside its first character, which is ASCII; nil
    /// for other texts.
    static func utf16(_ bytes: [UInt8]) -> ByteOrder? {
        let start = Array(bytes.prefix(4))
        guard start.count >= 2, start.count(where: { $0 == 0 }) <= 2 else { return nil }
        if start.starts(with: [0xFE, 0xFF]) { return .bigEndian }
        if start.starts(with: [0xFF, 0xFE]) {
            return start.count == 4 && start[2...] == [0, 0] ? nil : .littleEndian
        }
        func isText(_ byte: UInt8) -> Bool {
            (0x20...0x7E).contains(byte) || XMLCharacter.isSpace(byte)
        }
        switch (start[0], start[1]) {
        case (0, let byte) where isText(byte): return .bigEndian
        case (let byte, 0) where isText(byte): return .littleEndian
        default: return nil
        }
    }

    /// The same text in UTF-8, without its mark.
    static func utf8(
        ofUTF16 bytes: [UInt8],
        _ order: ByteOrder,
        drawingOn budget: inout ReadingBudget
    ) throws(ArchiveError) -> [UInt8] {
        guard bytes.count.isMultiple(of: 2) else {
            throw ArchiveError(
                .damaged,
                "the text ends in the middle of a character",
                offset: bytes.count - 1
            )
        }
        let isLittle = order == .littleEndian
        func unit(_ index: Int) -> UInt16 {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        let start = unit(0) == 0xFEFF ? 2 : 0
        // At most three bytes for two, and four for the four of a surrogate pair.
        var count = 0
        for index in stride(from: start, to: bytes.count, by: 2) {
            let unit = unit(index)
            count += unit < 0x80 ? 1 : unit < 0x800 || UTF16.isSurrogate(unit) ? 2 : 3
        }
        try budget.hold(data: count)
        var text: [UInt8] = []
        text.reserveCapacity(count)
        var index = start
        while index < bytes.count {
            var scalar = Unicode.Scalar(unit(index))
            if scalar == nil, UTF16.isLeadSurrogate(unit(index)), index + 3 < bytes.count,
                UTF16.isTrailSurrogate(unit(index + 2))
            {
                let value =
                    0x10000 + (UInt32(unit(index)) - 0xD800) << 10
                    + (UInt32(unit(index + 2)) - 0xDC00)
                scalar = Unicode.Scalar(value)
                index += 2
            }
            guard let scalar else {
                throw ArchiveError(.damaged, "half a character is here", offset: index)
            }
            text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            index += 2
        }
        return text
    }

    /// The same text in UTF-8. In ISO-8859-1 each byte is the number of its character.
    static func utf8(
        ofLatin1 bytes: [UInt8],
        drawingOn budget: inout ReadingBudget
    ) throws(ArchiveError) -> [UInt8] {
        let count = bytes.count + bytes.count(where: { $0 >= 0x80 })
        guard count > bytes.count else { return bytes }
        try budget.hold(data: count)
        var text: [UInt8] = []
        text.reserveCapacity(count)
        for byte in bytes {
            if byte < 0x80 {
                text.append(byte)
            } else {
                text.append(0xC0 | byte >> 6)
                text.append(0x80 | byte & 0x3F)
            }
        }
        return text
    }
}
