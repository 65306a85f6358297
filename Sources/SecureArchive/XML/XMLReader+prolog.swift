extension XMLReader {
    /// Reads `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`, of which only the version is required. The
    /// declaration may be missing as a whole.
    ///
    /// - Parameter order: the byte order of a document in UTF-16
    mutating func readDeclaration(inUTF16 order: TextEncoding.ByteOrder?) throws(ArchiveError) {
        guard beginsDeclaration else { return }
        position += 5
        guard let version = try readPseudoAttribute("version") else { throw damaged("the version of XML is missing") }
        guard version == "1.0" || isTolerant && version.wholeMatch(of: #/1\.[0-9]+/#) != nil else {
            throw ArchiveError(.notAllowed, "only version 1.0 of XML is read", offset: position)
        }
        if let encoding = try readPseudoAttribute("encoding") {
            try check(encoding, inUTF16: order)
        }
        if let standalone = try readPseudoAttribute("standalone"), !["yes", "no"].contains(standalone) {
            throw damaged("“standalone” is “yes” or “no”")
        }
        skipSpace()
        guard skip("?>") else { throw damaged("“?>” is expected here") }
    }

    /// True for a document with a mark of UTF-8, which beats its declaration.
    private var hasMark: Bool { TextEncoding.markByteCount(of: bytes) > 0 }

    private var isTolerant: Bool { documentType == .harmless }

    /// True for a declaration, false for an instruction whose name begins alike.
    var beginsDeclaration: Bool {
        starts(with: "<?xml") && position + 5 < bytes.count
            && (XMLCharacter.isSpace(bytes[position + 5]) || bytes[position + 5] == UInt8(ascii: "?"))
    }

    private func check(_ encoding: String, inUTF16 order: TextEncoding.ByteOrder?)
        throws(ArchiveError)
    {
        if let order {
            let names = ["utf-16", order == .littleEndian ? "utf-16le" : "utf-16be"]
            guard names.contains(encoding.lowercased()) else {
                throw ArchiveError(
                    .notAllowed,
                    "the document is in UTF-16, and says that it is in another encoding",
                    offset: position
                )
            }
            return
        }
        switch encoding.lowercased() {
        // The whole document was read in this encoding.
        case let name where XMLDeclaration.isLatin1(name) && !hasMark: return
        case "utf-8": return
        case "utf8" where isTolerant: return
        case let name where name == "us-ascii" || name == "ascii" || isTolerant && Self.isLikeASCII(name):
            if let place = bytes.firstIndex(where: { $0 >= 0x80 }) {
                throw ArchiveError(.damaged, "this is not ASCII, as the document says it is", offset: place)
            }
        default:
            throw ArchiveError(
                .notAllowed,
                "XML is read in UTF-8, UTF-16, ISO-8859-1 and US-ASCII; this says another",
                offset: position
            )
        }
    }

    /// True if an encoding has the same bytes below 0x80 as ASCII.
    private static func isLikeASCII(_ encoding: String) -> Bool {
        encoding.wholeMatch(of: #/iso[-_]8859-[0-9]+|latin[0-9]+|(windows-|cp)125[0-9]|koi8-[ru]|macintosh/#) != nil
    }

    private mutating func readPseudoAttribute(_ name: StaticString) throws(ArchiveError) -> String? {
        let start = position
        guard skipSpace(), skip(name) else {
            position = start
            return nil
        }
        skipSpace()
        guard skip("=") else { throw damaged("“=” is expected here") }
        skipSpace()
        return try readLiteral()
    }

    /// A literal in quotes, without references.
    private mutating func readLiteral() throws(ArchiveError) -> String {
        guard position < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[position]),
            let end = bytes[(position + 1)...].prefix(Self.nameByteLimit).firstIndex(of: bytes[position])
        else { throw damaged("a short value in quotes is expected here") }
        defer { position = end + 1 }
        return text(of: position + 1..<end)
    }

    /// Skips the document type that every writer of property lists announces. Its content is never read.
    mutating func readDocumentType() throws(ArchiveError) {
        let start = position
        guard documentType != .none, try skipPropertyListType() else {
            throw ArchiveError(
                .notAllowed,
                "a DOCTYPE is not read: it can pull in other files and unfold without end",
                offset: start
            )
        }
    }

    private mutating func skipPropertyListType() throws(ArchiveError) -> Bool {
        guard skip("<!DOCTYPE"), skipSpace(), skip("plist") else { return false }
        let hasSpace = skipSpace()
        if !isTolerant || !starts(with: "[") && !starts(with: ">") {
            guard hasSpace, try skipAddress() else { return false }
        }
        skipSpace()
        if isTolerant, skip("[") {
            skipSpace()
            guard skip("]") else { return false }
            skipSpace()
        }
        return skip(">")
    }

    private mutating func skipAddress() throws(ArchiveError) -> Bool {
        if skip("SYSTEM") {
            guard skipSpace() else { return false }
            return try readLiteral() == PropertyListType.firstAddress
        }
        guard skip("PUBLIC"), skipSpace(), let addresses = PropertyListType.addresses[try readLiteral()], skipSpace()
        else { return false }
        return addresses.contains(try readLiteral())
    }

    /// The document types of property lists, now and in the first years, by Apple and by GNUstep. Their addresses are
    /// never fetched.
    private enum PropertyListType {
        static let addresses = [
            "-//Apple//DTD PLIST 1.0//EN": apple, "-//Apple Computer//DTD PLIST 1.0//EN": apple,
            "-//GNUstep//DTD plist 0.9//EN": ["http://www.gnustep.org/plist-0_9.xml"],
        ]
        static let firstAddress = "file://localhost/System/Library/DTDs/PropertyList.dtd"
        private static let apple = [
            "http://www.apple.com/DTDs/PropertyList-1.0.dtd", "https://www.apple.com/DTDs/PropertyList-1.0.dtd",
        ]
    }
}

/// The first line of a document, before anything is read.
enum XMLDeclaration {
    /// Longer than any declaration.
    private static let longest = 1024

    /// True for ISO-8859-1. A document with a mark of UTF-8 is in UTF-8.
    static func saysLatin1(_ bytes: [UInt8]) -> Bool {
        let start = bytes.prefix(longest)
        guard start.starts(with: "<?xml".utf8), let end = start.firstIndex(of: UInt8(ascii: ">"))
        else { return false }
        let line = String(decoding: start[..<end], as: UTF8.self)
        guard let match = line.firstMatch(of: #/\sencoding\s*=\s*["']([^"']*)["']/#) else {
            return false
        }
        return isLatin1(match.1.lowercased())
    }

    static func isLatin1(_ name: String) -> Bool {
        ["iso-8859-1", "iso_8859-1", "iso8859-1", "latin1"].contains(name)
    }
}
