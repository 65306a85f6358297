/// Reads a document of XML 1.0 from beginning to end, event by event, and checks that it is well-formed.
///
/// It reads no document types, so it knows no entities but the five of XML itself: a document can't make it fetch or
/// expand anything. Processing instructions are refused, too: no format of game state has any, and every reader treats
/// them differently. Prefixes of namespaces are part of the name.
struct XMLReader {
    /// The document types that may be announced. None is ever read.
    enum DocumentType {
        case none
        /// Exactly those that writers of property lists announce, without definitions of their own.
        case propertyList
        /// The same, or only a name, in every spelling that hides nothing from other readers of the list. The same
        /// holds for the declaration before it.
        case harmless
    }

    /// Far longer than any name in use.
    static let nameByteLimit = 1024
    static let attributeLimit = 10_000

    /// The document in UTF-8, after conversion.
    let bytes: [UInt8]
    let limits: ArchiveLimits
    let documentType: DocumentType
    private let depthLimit: Int
    var position: Int
    private var hasSeenType = false
    private var hasSeenRoot = false
    private var endIsDue = false
    /// The ranges of the names of the open elements.
    private var open: [Range<Int>] = []

    /// - Parameter depthLimit: the count of elements within each other
    init(
        _ bytes: [UInt8],
        announcing documentType: DocumentType,
        depthLimit: Int,
        drawingOn budget: inout ReadingBudget
    ) throws(ArchiveError) {
        let order = TextEncoding.utf16(bytes)
        if let order {
            self.bytes = try TextEncoding.utf8(ofUTF16: bytes, order, drawingOn: &budget)
        } else {
            try TextEncoding.refuseOthersThanUTF8(bytes, in: "XML")
            // The declaration is ASCII, and may say that the rest is in another encoding.
            self.bytes =
                XMLDeclaration.saysLatin1(bytes)
                ? try TextEncoding.utf8(ofLatin1: bytes, drawingOn: &budget) : bytes
        }
        limits = budget.limits
        self.documentType = documentType
        self.depthLimit = depthLimit
        position = TextEncoding.markByteCount(of: self.bytes)
        try readDeclaration(inUTF16: order)
        try XMLCharacter.check(self.bytes)
    }

    /// The next event; nil at the end of a complete document.
    ///
    /// - Parameter budget: the limits, asked before texts are made. The caller counts the texts that it keeps.
    mutating func next(within budget: borrowing ReadingBudget) throws(ArchiveError) -> XMLEvent? {
        if endIsDue { return closeElement() }
        guard !open.isEmpty else { return try nextOutsideOfRoot(within: budget) }
        guard position < bytes.count else { throw damaged("the text ends inside of an element") }
        guard startsMarkup else { return .text(try readText(within: budget)) }
        switch position + 1 < bytes.count ? bytes[position + 1] : 0 {
        case UInt8(ascii: "/"): return try readEndTag()
        case UInt8(ascii: "!") where starts(with: "<!--"): return .comment(try readComment(within: budget))
        case UInt8(ascii: "!") where starts(with: "<![CDATA["): return .text(try readText(within: budget))
        default: return try readStartTag(within: budget)
        }
    }

    private mutating func nextOutsideOfRoot(within budget: borrowing ReadingBudget) throws(ArchiveError) -> XMLEvent? {
        try skipToNext()
        guard position < bytes.count else {
            guard hasSeenRoot else { throw damaged("there is no element") }
            return nil
        }
        if starts(with: "<!--") { return .comment(try readComment(within: budget)) }
        guard !hasSeenRoot else { throw damaged("something follows the end of the first element") }
        guard startsMarkup else { throw damaged("an element is expected here") }
        return try readStartTag(within: budget)
    }

    /// Skips space and a document type.
    private mutating func skipToNext() throws(ArchiveError) {
        skipSpace()
        guard starts(with: "<!DOCTYPE"), !hasSeenRoot, !hasSeenType else { return }
        try readDocumentType()
        hasSeenType = true
        skipSpace()
    }

    /// Skips everything before the first element.
    mutating func skipPreamble(within budget: borrowing ReadingBudget) throws(ArchiveError) {
        try skipToNext()
        while starts(with: "<!--") {
            _ = try readComment(within: budget)
            try skipToNext()
        }
    }

    private mutating func readStartTag(within budget: borrowing ReadingBudget) throws(ArchiveError) -> XMLEvent {
        if position + 1 < bytes.count, Self.beginsOtherMarkup(bytes[position + 1]) { throw unknownMarkup }
        position += 1
        let name = try readName()
        guard open.count < depthLimit else {
            throw tooLarge("elements stand in each other more than \(depthLimit) deep")
        }
        let (attributes, isEmpty) = try readAttributes(within: budget)
        hasSeenRoot = true
        open.append(name)
        endIsDue = isEmpty
        return .start(name: text(of: name), attributes: attributes)
    }

    private mutating func readEndTag() throws(ArchiveError) -> XMLEvent {
        position += 2
        let name = try readName()
        guard let opened = open.last, bytes[opened].elementsEqual(bytes[name]) else {
            position = name.lowerBound
            throw damaged("another element ends here than began")
        }
        skipSpace()
        guard skip(UInt8(ascii: ">")) else { throw damaged("“>” is expected here") }
        return closeElement()
    }

    private mutating func closeElement() -> XMLEvent {
        endIsDue = false
        open.removeLast()
        return .end
    }

    private static func beginsOtherMarkup(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "!") || byte == UInt8(ascii: "?")
    }

    private var unknownMarkup: ArchiveError {
        if beginsDeclaration { return damaged("“<?xml” is allowed only at the very beginning") }
        if starts(with: "<?") {
            return ArchiveError(.notAllowed, "processing instructions are not read", offset: position)
        }
        let isKnown = starts(with: "<!DOCTYPE") || starts(with: "<![CDATA[")
        return damaged(isKnown ? "this may not stand here" : "“<!” begins nothing here")
    }
}

extension XMLReader {
    private var startsMarkup: Bool { bytes[position] == UInt8(ascii: "<") }

    func starts(with word: StaticString) -> Bool {
        guard bytes.count - position >= word.utf8CodeUnitCount else { return false }
        var index = position
        for byte in word.description.utf8 {
            guard bytes[index] == byte else { return false }
            index += 1
        }
        return true
    }

    mutating func skip(_ word: StaticString) -> Bool {
        guard starts(with: word) else { return false }
        position += word.utf8CodeUnitCount
        return true
    }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// Skips space; true if there was any.
    @discardableResult
    mutating func skipSpace() -> Bool {
        let start = position
        while position < bytes.count, XMLCharacter.isSpace(bytes[position]) {
            position += 1
        }
        return position > start
    }

    /// The text of a range, which begins and ends at ASCII. The whole document was checked to be UTF-8.
    func text(of range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    func damaged(_ detail: String) -> ArchiveError {
        ArchiveError(.damaged, detail, offset: position)
    }

    func tooLarge(_ detail: String) -> ArchiveError {
        ArchiveError(.tooLarge, detail, offset: position)
    }
}
