/// Reads a document of XML 1.0 from its beginning to its end, event by event, and checks that it is well-formed.
///
/// It knows no document types, hence no entities but the five that XML itself has; there is nothing it could be made to fetch or to expand.
/// Processing instructions are refused as well: no format of game state has any, and every reader treats them differently.
/// Prefixes of namespaces are text, part of the name.
struct XMLReader {
    /// Which document types may be announced. None is ever read.
    enum DocumentType {
        case none
        /// Exactly those that writers of property lists announce, without definitions of their own.
        case propertyList
        /// The same, or none but the name, in every spelling that hides nothing from who looks through the list; so with the declaration before it.
        case harmless
    }

    /// No name in use comes near.
    static let nameByteLimit = 1024
    static let attributeLimit = 10_000

    /// The document in UTF-8, whatever it was written in.
    let bytes: [UInt8]
    let limits: ArchiveLimits
    let documentType: DocumentType
    private let depthLimit: Int
    var position: Int
    private var hasSeenType = false
    private var hasSeenRoot = false
    private var endIsDue = false
    /// Where the names of the open elements stand.
    private var open: [Range<Int>] = []

    /// - Parameter depthLimit: how many elements may stand in each other
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
            // Its declaration is ASCII, and may say that the rest is in another encoding.
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

    /// The next event; nil at the end of a document that is whole.
    ///
    /// - Parameter budget: asked before texts are made. They are held by whoever puts them somewhere.
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
        guard !hasSeenRoot else { throw damaged("something follows after the end of the first element") }
        guard startsMarkup else { throw damaged("an element has to stand here") }
        return try readStartTag(within: budget)
    }

    /// Passes over space, and a document type.
    private mutating func skipToNext() throws(ArchiveError) {
        skipSpace()
        guard starts(with: "<!DOCTYPE"), !hasSeenRoot, !hasSeenType else { return }
        try readDocumentType()
        hasSeenType = true
        skipSpace()
    }

    /// Passes over all that stands before the first element.
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
        guard skip(UInt8(ascii: ">")) else { throw damaged("“>” has to stand here") }
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
        if beginsDeclaration { return damaged("“<?xml” has to stand at the very beginning") }
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

    /// Whether there was any.
    @discardableResult
    mutating func skipSpace() -> Bool {
        let start = position
        while position < bytes.count, XMLCharacter.isSpace(bytes[position]) {
            position += 1
        }
        return position > start
    }

    /// A piece of the document. That all of it is UTF-8 was checked, and a piece begins and ends at ASCII.
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
