/// JSON by RFC 8259, in UTF-8, read strictly and written in one form only.
///
/// A number without fraction and exponent is an integer, any other a real: `1` and `1.0` stay different. A value that
/// could not be kept exactly is refused: an integer beyond 64 bits, a real outside of the range of a double, a
/// duplicate key, half of a surrogate pair. A byte order mark at the very beginning is skipped, as the RFC permits;
/// none is written.
public enum JSON {
    /// The amount of space between values.
    public enum Layout: Sendable, Hashable {
        /// No space.
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

    /// The document of a tree: the same bytes for the same tree, keys in their order. Data, dates, references and
    /// classes are refused, because JSON has no word for them.
    public static func write(_ value: ArchiveValue, as layout: Layout = .pretty) throws(ArchiveError) -> [UInt8] {
        var writer = JSONWriter(layout)
        return try writer.document(of: value)
    }
}
