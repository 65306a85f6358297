/// Apple's binary property list, version `00`, the form of keyed archives and most preference files.
///
/// CFBinaryPList.c of Apple's CoreFoundation describes it: a header, objects, a table of their offsets, a trailer.
/// Objects refer to others by number, so that one object may be at many places.
public enum BinaryPropertyList {
    static let header = Array("bplist00".utf8)

    /// True if bytes begin as a binary property list does, of any version.
    public static func begins(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: header.prefix(6))
    }

    /// Reads everything reachable from the root. Numbers of other objects, which only keyed archives have, become
    /// ``ArchiveValue/reference(_:)``.
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
        var reader = BinaryTreeReader(try BinaryObjects(bytes, drawingOn: &budget), drawingOn: budget)
        let value = try reader.read()
        budget = reader.budget
        return value
    }

    /// Writes a value; null and classes are refused. The same value gives the same bytes, which are those of Python's
    /// `plistlib` in the order of the keys.
    public static func write(_ value: ArchiveValue) throws(ArchiveError) -> [UInt8] {
        var flattener = BinaryFlattener()
        _ = try flattener.add(value, depth: 1)
        return BinaryLayout(flattener).laidOut()
    }
}
