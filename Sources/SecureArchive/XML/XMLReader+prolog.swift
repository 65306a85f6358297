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
        case let name where name == "us-ascii" || name == "ascii" || isTolerant && XMLDeclaration.isLikeASCII(name):
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
}
