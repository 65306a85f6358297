/// Property lists as XML, as Apple's programs and Python's `plistlib` write and read them.
///
/// The document type that all of them announce is passed over; nothing is ever fetched. Keys that
/// stand twice and attributes
/// are refused. A dictionary whose only key is `CF$UID` is a reference of a keyed archive, as Apple has it, and is written so again.
/// Comments are skipped and are not kept, since no reader of property lists keeps them.
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

    /// The list of a tree, byte for byte as `plistlib` lays it out, keys in their order. Not expressible are null, objects of classes, fractions
    /// of a second and control characters.
    public static func write(_ value: ArchiveValue) throws(ArchiveError) -> [UInt8] {
        var writer = XMLPropertyListWriter()
        return try writer.document(of: value)
    }

    /// Elements that some readers take for a list though no `<plist>` is around them, and that can hurt them: by what stands in them, or by bytes that are
    /// no text. Of the other values, as `<data>` and `<string>`, none is known to, and in a game's own XML they are likelier.
    static let bareRoots = ["dict", "array", "integer"]

    /// Whether an element stands in lists.
    static func mayStand(_ name: String) -> Bool {
        ["dict", "key", "array", "string", "data", "date", "integer", "real", "true", "false"].contains(name)
    }

    /// The only key of a dictionary that is a reference.
    static let referenceKey = "CF$UID"
}
