/// Apple's binary property list, version `00`: what keyed archives and most preference files are written in.
///
/// The format is described in CFBinaryPList.c of Apple's CoreFoundation: a header, objects, a table of their offsets, a trailer. Objects name
/// others by number, so that one may stand in many places.
public enum BinaryPropertyList {
    static let header = Array("bplist00".utf8)

    /// Whether bytes begin as a binary property list does, of whatever version.
    public static func begins(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: header.prefix(6))
    }

    /// Reads all that is reachable from the root. Numbers of other objects, which only keyed archives have, become
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

    /// Writes what a property list can say: everything but null and classes. The same value gives the same bytes, which are those that
    /// Python's `plistlib` writes in the order of the keys.
    public static func write(_ value: ArchiveValue) throws(ArchiveError) -> [UInt8] {
        var flattener = BinaryFlattener()
        _ = try flattener.add(value, depth: 1)
        return BinaryLayout(flattener).laidOut()
    }
}
