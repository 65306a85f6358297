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
}
