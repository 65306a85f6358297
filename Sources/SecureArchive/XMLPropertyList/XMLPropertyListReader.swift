/// Turns the events of an XML document into the values of a property list.
struct XMLPropertyListReader {
    private var events: XMLReader
    private var tree: TreeBuilder
    /// `<plist>` and the element of a scalar are around the values that the limits count.
    private static let furtherDepth = 2
    /// Version 0.9 is the same language: GNUstep's, and Apple's before 2002.
    private static let versions = [[XMLAttribute("version", "1.0")], [XMLAttribute("version", "0.9")]]

    init(_ bytes: [UInt8], drawingOn budget: ReadingBudget) throws(ArchiveError) {
        var budget = budget
        events = try XMLReader(
            bytes,
            announcing: .propertyList,
            depthLimit: Self.elementDepth(within: budget.limits),
            drawingOn: &budget
        )
        tree = TreeBuilder(drawingOn: budget, depthLimit: budget.limits.depthInForce)
    }

    /// The count of elements within each other.
    static func elementDepth(within limits: ArchiveLimits) -> Int { limits.depthInForce + furtherDepth }

    /// The rest of the limits.
    var budget: ReadingBudget { tree.budget }

    mutating func readDocument() throws(ArchiveError) -> ArchiveValue {
        do throws(ArchiveError) {
            return try readList()
        } catch {
            throw error.found(at: events.position).inside(tree.steps)
        }
    }

    private mutating func readList() throws(ArchiveError) -> ArchiveValue {
        guard case .start("plist", let attributes) = try nextMeaningful(),
            attributes.isEmpty || Self.versions.contains(attributes)
        else { throw ArchiveError(.damaged, "a property list begins with <plist version=\"1.0\">") }
        repeat {
            try readPart()
        } while tree.root == nil
        guard case .end = try nextMeaningful() else {
            throw ArchiveError(.damaged, "a property list holds one value")
        }
        guard try nextMeaningful() == nil, let root = tree.root else {
            throw ArchiveError(.damaged, "something follows the end of the list")
        }
        return root
    }

    /// Reads the start or the end of a collection, a key, or a scalar.
    private mutating func readPart() throws(ArchiveError) {
        guard let event = try nextMeaningful(), case .start(let name, let attributes) = event else {
            return try closeCollection()
        }
        guard attributes.isEmpty else { throw ArchiveError(.damaged, "a value has no attributes") }
        if name == "key" { return try readKey() }
        guard tree.isInDictionary != true || tree.awaitsValue else {
            throw ArchiveError(.damaged, "a value is expected behind a key")
        }
        switch name {
        case "dict": try tree.openCollection(isDictionary: true)
        case "array": try tree.openCollection(isDictionary: false)
        default: try tree.put(readValue(of: name))
        }
    }

    private mutating func readKey() throws(ArchiveError) {
        guard tree.isInDictionary == true, !tree.awaitsValue else {
            throw ArchiveError(.damaged, "a key is not allowed here")
        }
        try tree.put(key: readText())
    }

    /// Ends a collection. The code that reads a scalar also reads its end.
    private mutating func closeCollection() throws(ArchiveError) {
        guard tree.isInDictionary != nil else { throw ArchiveError(.damaged, "a value is missing") }
        guard !tree.awaitsValue else { throw ArchiveError(.damaged, "a key is not followed by a value") }
        try tree.close { closed throws(ArchiveError) in try Self.reference(closed) ?? closed }
    }

    private static func reference(_ value: ArchiveValue) throws(ArchiveError) -> ArchiveValue? {
        guard case .dictionary(let fields) = value, fields.count == 1, fields.keys[0] == XMLPropertyList.referenceKey
        else { return nil }
        guard case .integer(let number) = fields.values[0], let index = number.value(as: UInt32.self) else {
            throw ArchiveError(.damaged, "a reference must be a number from 0 to \(UInt32.max)")
        }
        return .reference(index)
    }

    private mutating func readValue(of name: String) throws(ArchiveError) -> ArchiveValue {
        let text = try readText()
        switch name {
        case "string": return .string(text)
        case "integer": return .integer(try PropertyListText.integer(text))
        case "real": return .real(try PropertyListText.real(text))
        case "date": return .date(try PropertyListText.date(text))
        case "data":
            // In addition to the text that it is made of.
            try tree.budget.check(comingMemory: text.utf8.count * 2)
            return .data(try PropertyListText.data(text))
        case "true" where text.isEmpty: return .bool(true)
        case "false" where text.isEmpty: return .bool(false)
        case "true", "false": throw ArchiveError(.damaged, "a boolean has no text")
        default: throw ArchiveError(.damaged, "no kind of value has this name")
        }
    }

    /// All text up to the end of the element.
    private mutating func readText() throws(ArchiveError) -> String {
        var whole = ""
        while let event = try events.next(within: tree.budget) {
            switch event {
            case .text(let text):
                let count = whole.utf8.count + text.utf8.count
                try tree.budget.check(textBytes: count)
                // In place, because there may be very many pieces with comments between them. If there is no room, the
                // text moves to twice as much.
                try tree.budget.check(comingMemory: whole.isEmpty ? count : 3 * count)
                whole += text
            case .comment: continue
            case .end: return whole
            case .start: throw ArchiveError(.damaged, "this element allows no other in it")
            }
        }
        return whole
    }

    /// The next tag. Between tags only space and comments are allowed.
    private mutating func nextMeaningful() throws(ArchiveError) -> XMLEvent? {
        events.skipSpace()
        while let event = try events.next(within: tree.budget) {
            switch event {
            case .start, .end: return event
            case .comment: continue
            case .text(let text):
                guard text.utf8.allSatisfy(XMLCharacter.isSpace) else {
                    throw ArchiveError(.damaged, "text is not allowed between values")
                }
            }
        }
        return nil
    }
}
