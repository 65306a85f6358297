/// Which encoding a text is in, as far as its first bytes tell.
enum TextEncoding {
    /// How many bytes a UTF-8 byte order mark takes up at the beginning: 3 or 0.
    static func markByteCount(of bytes: [UInt8]) -> Int {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Says in words what would otherwise be an unexpected byte. The first character of what is read here is always ASCII, so that a zero
    /// beside it means two or four bytes for each.
    static func refuseOthersThanUTF8(_ bytes: [UInt8], in format: String) throws(ArchiveError) {
        guard !bytes.isEmpty else { throw ArchiveError(.damaged, "it is empty") }
        let start = Array(bytes.prefix(4))
        guard let first = start.first(where: { $0 != 0 }) else {
            // What was lost in a power cut, or never written. Something else may begin so.
            guard bytes.contains(where: { $0 != 0 }) else {
                throw ArchiveError(.damaged, "it is all zeros", offset: 0)
            }
            return
        }
        // Numbers of a program's own format have zeros beside them as well.
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

    /// In which order the two bytes of a character of UTF-16 stand.
    enum ByteOrder {
        case littleEndian
        case bigEndian
    }

    /// Whether a text is in UTF-16, by its mark, or by the zero beside its first character, which
    /// is ASCII.
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
        // Three bytes for two at most; of two halves of a character, four for four.
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
                throw ArchiveError(.damaged, "half a character stands here", offset: index)
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
