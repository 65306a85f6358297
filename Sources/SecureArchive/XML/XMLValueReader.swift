/// Turns the events of an XML document into the tree of values that ``XMLTree/value`` describes, within the limits.
struct XMLValueReader {
    /// Each element is a dictionary with an array inside, and both may be around the root as well. So many elements
    /// within each other give a tree of the greatest depth.
    private static let depthLimit = ArchiveLimits.deepest / 2 - 1

    private var events: XMLReader
    private var tree: TreeBuilder
    /// For each open element, true if it has content.
    private var hasContent: [Bool] = []
    private var names: [String] = []

    init(_ bytes: [UInt8], drawingOn budget: ReadingBudget) throws(ArchiveError) {
        var budget = budget
        events = try XMLReader(
            bytes,
            announcing: .none,
            depthLimit: min(budget.limits.depthInForce, Self.depthLimit),
            drawingOn: &budget
        )
        tree = TreeBuilder(drawingOn: budget, depthLimit: ArchiveLimits.deepest)
    }

    mutating func readDocument() throws(ArchiveError) -> ArchiveValue {
        do throws(ArchiveError) {
            return try readParts()
        } catch {
            throw error.found(at: events.position).inside(names.map { .key($0) })
        }
    }

    private mutating func readParts() throws(ArchiveError) -> ArchiveValue {
        try tree.openCollection(isDictionary: true)
        try tree.put(key: XMLTree.documentKey)
        try tree.openCollection(isDictionary: false)
        while let event = try events.next(within: tree.budget) {
            switch event {
            case .start(let name, let attributes): try begin(name, attributes)
            case .end: try end()
            case .text(let text):
                // An empty CDATA section has no meaning.
                if !text.isEmpty { try put { tree throws(ArchiveError) in try tree.put(.string(text)) } }
            case .comment(let comment):
                try put { tree throws(ArchiveError) in
                    try tree.openCollection(isDictionary: true)
                    try tree.put(key: XMLTree.commentKey)
                    try tree.put(.string(comment))
                    try tree.close()
                }
            }
        }
        try tree.close()
        try tree.close(as: Self.withoutDocument)
        guard let root = tree.root else { throw ArchiveError(.damaged, "there is no element") }
        return root
    }

    private mutating func begin(_ name: String, _ attributes: [XMLAttribute]) throws(ArchiveError) {
        names.append(name)
        try put { tree throws(ArchiveError) in
            try tree.openCollection(isDictionary: true)
            try tree.put(key: XMLTree.elementKey)
            try tree.put(.string(name))
            for attribute in attributes {
                try tree.put(key: XMLTree.attributeKey(attribute.name))
                try tree.put(.string(attribute.value))
            }
        }
        hasContent.append(false)
    }

    private mutating func end() throws(ArchiveError) {
        if hasContent.removeLast() { try tree.close(as: Self.withoutArray) }
        try tree.close()
        names.removeLast()
    }

    /// Puts a part into the open element, or into the document.
    private mutating func put(
        _ content: (inout TreeBuilder) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        if hasContent.last == false {
            hasContent[hasContent.count - 1] = true
            try tree.put(key: XMLTree.contentKey)
            try tree.openCollection(isDictionary: false)
        }
        try content(&tree)
    }

    /// One text in place of an array with only that text.
    private static func withoutArray(_ content: ArchiveValue) -> ArchiveValue {
        if case .array(let parts) = content, parts.count == 1, case .string = parts[0] { return parts[0] }
        return content
    }

    /// The root in place of a document without comments around it.
    private static func withoutDocument(_ document: ArchiveValue) -> ArchiveValue {
        if case .dictionary(let fields) = document, case .array(let parts) = fields.values[0], parts.count == 1 {
            return parts[0]
        }
        return document
    }
}
