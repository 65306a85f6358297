/// Property lists as XML, as Apple's programs and Python's `plistlib` write and read them.
///
/// The document type that all of them announce is skipped, and nothing is ever fetched. Duplicate keys and attributes
/// are refused. A dictionary whose only key is `CF$UID` is a reference of a keyed archive, as with Apple, and is
/// written so again. Comments are skipped and not kept, because no reader of property lists keeps them.
public enum XMLPropertyList {
    /// The tree of a list.
    public static func read(
        _ bytes: [UInt8],
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> ArchiveValue {
        var budget = try ReadingBudget(limits, archiveBytes: bytes.count)
        return try read(bytes, drawingOn: &budget)
    }

    static func read(
        _ bytes: [UInt8],
        drawingOn budget: inout ReadingBudget
    ) throws(ArchiveError) -> ArchiveValue {
        var reader = try XMLPropertyListReader(bytes, drawingOn: budget)
        let value = try reader.readDocument()
        budget = reader.budget
        return value
    }

    /// The list of a tree, byte for byte as `plistlib` writes it, keys in their order. Refuses null, objects of
    /// classes, fractions of a second and control characters.
    public static func write(_ value: ArchiveValue) throws(ArchiveError) -> [UInt8] {
        var writer = XMLPropertyListWriter()
        return try writer.document(of: value)
    }

    /// Elements that some readers take for a list without a `<plist>` around them, and that can hurt those readers: by
    /// their content, or by bytes that are no text. The other values, such as `<data>` and `<string>`, are not known
    /// to, and occur more often in a game's own XML.
    static let bareRoots = ["dict", "array", "integer"]

    /// True if lists have this element.
    static func mayStand(_ name: String) -> Bool {
        ["dict", "key", "array", "string", "data", "date", "integer", "real", "true", "false"].contains(name)
    }

    /// The only key of a dictionary that is a reference.
    static let referenceKey = "CF$UID"
}
