/// The entry to archives of all formats: bytes to a tree, and back.
public enum Archive {
    /// Reads an archive.
    ///
    /// - Parameters:
    ///   - format: the format; nil finds it out from the bytes. A keyed archive that is read as a property list is a
    ///     raw tree of its objects, with any classes.
    ///   - schema: the classes that a keyed archive may have
    /// - Returns: the tree, and the format of the bytes
    public static func read(
        _ bytes: [UInt8],
        as format: ArchiveFormat? = nil,
        schema: ArchiveSchema = .values,
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> (value: ArchiveValue, format: ArchiveFormat) {
        let shown = if let format { format } else { try ArchiveFormat(sniffing: bytes) }
        switch shown {
        case .json: return (try JSON.read(bytes, limits: limits), .json)
        case .xml: return (try XMLTree.readValue(bytes, limits: limits), .xml)
        case .binaryPropertyList:
            return try readList(bytes, spelled: .binary, asKeyed: format == nil ? nil : false, schema, limits)
        case .xmlPropertyList:
            return try readList(bytes, spelled: .xml, asKeyed: format == nil ? nil : false, schema, limits)
        case .keyedArchive(let spelling):
            return try readList(bytes, spelled: spelling, asKeyed: true, schema, limits)
        }
    }

    /// Reduces a property list to the form that every reader of lists understands alike.
    ///
    /// A binary list stays as it is. A list in XML becomes whole, in UTF-8, without processing instructions and without
    /// anything before its first element. It then begins with `<plist>`, so that no reader takes it for another format.
    /// Everything that could change how a reader understands the rest is refused.
    ///
    /// - Returns: nil for XML whose first element only has a name that lists use: readers of lists stop at another
    ///   element in it, and no element before that one is nested too deeply for them
    /// - Throws: the reason why readers may disagree about it
    public static func plainList(
        _ bytes: [UInt8],
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> [UInt8]? {
        if BinaryPropertyList.begins(bytes) { return bytes }
        var budget = try ReadingBudget(limits, archiveBytes: bytes.count)
        var reader = try XMLReader(
            bytes,
            announcing: .harmless,
            depthLimit: XMLPropertyListReader.elementDepth(within: limits),
            drawingOn: &budget
        )
        try reader.skipPreamble(within: budget)
        let start = reader.position
        guard case .start(let root, _) = try reader.next(within: budget),
            root == "plist" || XMLPropertyList.bareRoots.contains(root)
        else {
            throw ArchiveError(.damaged, "no property list begins with this element", offset: start)
        }
        while let event = try reader.next(within: budget) {
            if case .start(let name, _) = event, root != "plist", !XMLPropertyList.mayStand(name) { return nil }
        }
        let list = reader.bytes[start...]
        return Array(root == "plist" ? list : "<plist>".utf8 + list + "</plist>".utf8)
    }

    /// Writes a tree: the same bytes for the same tree, keys in their order. A value that the format has no word for is
    /// refused with its place.
    public static func write(
        _ value: ArchiveValue,
        as format: ArchiveFormat,
        schema: ArchiveSchema = .values
    ) throws(ArchiveError) -> [UInt8] {
        switch format {
        case .json: try JSON.write(value)
        case .xml: try XMLTree(value).write()
        case .binaryPropertyList: try BinaryPropertyList.write(plainList(value))
        case .xmlPropertyList: try XMLPropertyList.write(plainList(value))
        case .keyedArchive(.binary): try KeyedArchive.write(value, schema: schema)
        case .keyedArchive(.xml): try XMLPropertyList.write(KeyedArchive.propertyList(of: value, schema: schema))
        }
    }

    /// The same, but refuses a list that readers would take for a keyed archive that is broken.
    private static func plainList(_ value: ArchiveValue) throws(ArchiveError) -> ArchiveValue {
        guard KeyedArchive.isKeyedArchive(value), (try? KeyedEnvelope(value)) == nil else { return value }
        throw ArchiveError(.inexpressible, "this list would be taken for a keyed archive, and is none")
    }

    /// - Parameter isKeyed: nil if the list itself says it
    private static func readList(
        _ bytes: [UInt8],
        spelled spelling: ArchiveFormat.Spelling,
        asKeyed isKeyed: Bool?,
        _ schema: ArchiveSchema,
        _ limits: ArchiveLimits
    ) throws(ArchiveError) -> (value: ArchiveValue, format: ArchiveFormat) {
        var budget = try ReadingBudget(limits, archiveBytes: bytes.count)
        let list: ArchiveValue
        let format: ArchiveFormat
        switch spelling {
        case .binary:
            list = try BinaryPropertyList.read(bytes, drawingOn: &budget)
            format = .binaryPropertyList
        case .xml:
            list = try XMLPropertyList.read(bytes, drawingOn: &budget)
            format = .xmlPropertyList
        }
        guard isKeyed ?? KeyedArchive.isKeyedArchive(list) else { return (list, format) }
        let archive = try KeyedArchive(propertyList: consume list, drawingOn: budget)
        return (try archive.value(schema: schema), .keyedArchive(spelling))
    }
}
