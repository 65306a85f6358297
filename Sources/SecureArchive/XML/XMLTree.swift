/// A whole XML document: one element, and comments before and after it.
///
/// Names, attributes, comments and text with all its space keep their order. Spellings that mean the same to every
/// reader are written in one way: references, CDATA sections, quotes, empty elements. So a document that was written
/// here is the same, byte by byte, after reading and writing it again.
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

    /// Reads a document in UTF-8, UTF-16, ISO-8859-1 or US-ASCII. Document types, entities of one's own and processing
    /// instructions are refused.
    public init(
        reading bytes: [UInt8],
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) {
        // The value of a document always describes a document.
        self = try XMLTree(try Self.readValue(bytes, limits: limits))
    }

    /// The tree of values of a document, without the document in between: see ``value``.
    public static func readValue(
        _ bytes: [UInt8],
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> ArchiveValue {
        let budget = try ReadingBudget(limits, archiveBytes: bytes.count)
        var reader = try XMLValueReader(bytes, drawingOn: budget)
        return try reader.readDocument()
    }

    /// The document's bytes, the same for the same tree. Refuses names and characters that XML has no spelling for.
    public func write() throws(ArchiveError) -> [UInt8] {
        var writer = XMLWriter()
        return try writer.document(of: self)
    }
}
