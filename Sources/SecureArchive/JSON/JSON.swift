/// JSON by RFC 8259, in UTF-8, read strictly and written in one form only.
///
/// A number without fraction and exponent is an integer, any other a real: `1` and `1.0` stay what they are. What would have to be
/// changed to be kept is refused: an integer beyond 64 bits, a real beyond or below what a double can say, a key that stands twice,
/// half of a surrogate pair. A byte order mark at the very beginning is skipped, as the RFC lets a reader do; none is written.
public enum JSON {
    /// How much space is written between values.
    public enum Layout: Sendable, Hashable {
        /// None.
        case compact
        /// A line for each value, two spaces for each level, a line break at the end.
        case pretty
    }

    /// The tree of a document.
    public static func read(
        _ bytes: [UInt8],
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> ArchiveValue {
        var reader = JSONReader(bytes, drawingOn: try ReadingBudget(limits, archiveBytes: bytes.count))
        return try reader.readDocument()
    }

    /// The document of a tree: the same bytes for the same tree, keys in their order. JSON has no word for data, dates, references and
    /// classes: these are refused.
    public static func write(_ value: ArchiveValue, as layout: Layout = .pretty) throws(ArchiveError) -> [UInt8] {
        var writer = JSONWriter(layout)
        return try writer.document(of: value)
    }
}
