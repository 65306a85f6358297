/// A whole XML document: one element, and comments before and after it.
///
/// Everything that means something is kept, in its order: names, attributes, text with all its space, comments. What two spellings of the
/// same are to every reader is written in one way only: references, sections of character data, quotes, empty elements. So a document that
/// was written once is the same, byte by byte, after it was read and written again.
public struct XMLTree: Hashable, Sendable {
    /// Comments before the element.
    public var before: [String]
    /// The element that holds all others.
    public var root: XMLElement
    /// Comments after the element.
    public var after: [String]

    /// - Parameters:
    ///   - root: the element that holds all others
    ///   - before: comments before it
    ///   - after: comments after it
    public init(_ root: XMLElement, before: [String] = [], after: [String] = []) {
        self.before = before
        self.root = root
        self.after = after
    }

    /// Reads a document in UTF-8, UTF-16, ISO-8859-1 or US-ASCII. Document types, entities of one's
    /// own and processing instructions are refused.
    public init(
        reading bytes: [UInt8],
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) {
        // What was read as a value is always the value of a document.
        self = try XMLTree(try Self.readValue(bytes, limits: limits))
    }

    /// The tree of values that a document is, without the document in between: ``value`` says how it looks.
    public static func readValue(
        _ bytes: [UInt8],
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> ArchiveValue {
        let budget = try ReadingBudget(limits, archiveBytes: bytes.count)
        var reader = try XMLValueReader(bytes, drawingOn: budget)
        return try reader.readDocument()
    }

    /// The document's bytes, the same for the same tree. Refused is what XML can't spell: a name that is none, a character that it does not know.
    public func write() throws(ArchiveError) -> [UInt8] {
        var writer = XMLWriter()
        return try writer.document(of: self)
    }
}
