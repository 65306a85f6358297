/// A keyed archive as numbered objects that refer to each other.
///
/// Its structure has been checked: every number exists, and everything reachable is within the limits for depth and
/// size, with shared objects counted at each place. An object may lead back to itself, so code that walks over objects
/// must remember where it was. An ``ArchiveSchema`` or that code decides which classes are allowed.
public struct KeyedArchive: Sendable {
    /// The count of objects, with number 0 for “no object”.
    public var count: Int { objects.count }
    /// The top of the archive: numbers of objects by key, usually one under `root`, and plain values.
    public let top: ArchiveFields

    /// By number, as the property list has them.
    private(set) var objects: [ArchiveValue]
    let definitions: KeyedDefinitions
    /// The reachable objects, each behind all that it contains.
    let order: [UInt32]
    let circles: KeyedCircles
    /// The rest of the limits, for the values that are made of the objects.
    let budget: ReadingBudget

    /// Reads an archive in a binary property list.
    public init(_ bytes: [UInt8], limits: ArchiveLimits = ArchiveLimits()) throws(ArchiveError) {
        var budget = try ReadingBudget(limits, archiveBytes: bytes.count)
        let list = try BinaryPropertyList.read(bytes, drawingOn: &budget)
        try self.init(propertyList: consume list, drawingOn: budget)
    }

    /// Checks an archive that was read as a property list, with ``ArchiveValue/reference(_:)`` for the numbers of
    /// objects.
    public init(propertyList: ArchiveValue, limits: ArchiveLimits = ArchiveLimits()) throws(ArchiveError) {
        try self.init(propertyList: propertyList, drawingOn: try ReadingBudget(limits, archiveBytes: 0))
    }

    init(propertyList: consuming ArchiveValue, drawingOn budget: ReadingBudget) throws(ArchiveError) {
        var budget = budget
        let envelope = try KeyedEnvelope(propertyList)
        top = envelope.top
        objects = envelope.objects
        definitions = try KeyedDefinitions(objects, drawingOn: &budget)
        (circles, order) = try Self.survey(objects, definitions, from: top, drawingOn: &budget)
        self.budget = budget
    }

    private static func survey(
        _ objects: [ArchiveValue],
        _ definitions: KeyedDefinitions,
        from top: ArchiveFields,
        drawingOn budget: inout ReadingBudget
    ) throws(ArchiveError) -> (KeyedCircles, [UInt32]) {
        var spent = budget
        var survey = try KeyedSurvey(objects, drawingOn: &spent)
        if let order = try survey.order(from: top, drawingOn: &spent) {
            budget = spent
            return (.none, order)
        }
        let circles = try KeyedCircles(
            survey.graph,
            from: top,
            isFixed: definitions.isFixedCollection,
            drawingOn: &spent
        )
        // The memory of the first survey is free again.
        survey = try KeyedSurvey(objects, cutting: circles, drawingOn: &budget)
        guard let order = try survey.order(from: top, drawingOn: &budget) else {
            preconditionFailure("what leads back to itself has been cut")
        }
        return (circles, order)
    }

    /// The object of a number. Traps if it does not exist; numbers in an archive exist.
    public func object(_ number: UInt32) -> KeyedObject {
        let value = objects[Int(number)]
        switch definitions.kind(of: Int(number)) {
        case .null: return .null
        case .value: return .value(value)
        case .bare: return .bare(value)
        case .definition(let definition): return .definition(definition)
        case .instance(let definition):
            guard case .dictionary(let fields) = value else { return .bare(value) }
            return .instance(definition, fields)
        }
    }

    /// The text, number, data or date at a number; nil for everything else.
    package func plainValue(_ number: UInt32) -> ArchiveValue? {
        number < count && definitions.isValue(Int(number)) ? objects[Int(number)] : nil
    }

    /// Hands the objects over and keeps none.
    mutating func takeObjects() -> [ArchiveValue] {
        defer { objects = [] }
        return objects
    }

    /// The archive as a plain property list to look at, with any classes. Numbers of objects are
    /// ``ArchiveValue/reference(_:)``.
    public static func raw(
        _ bytes: [UInt8],
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> ArchiveValue {
        try BinaryPropertyList.read(bytes, limits: limits)
    }

    /// Reads an archive in a binary property list as a tree, and refuses everything that the schema does not allow.
    ///
    /// The tree is the value under `root`. If the archive has other keys at its top, the tree is a dictionary of all of
    /// them, tagged `$top`.
    public static func read(
        _ bytes: [UInt8],
        schema: ArchiveSchema,
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> ArchiveValue {
        try KeyedArchive(bytes, limits: limits).value(schema: schema)
    }

    /// The tree that a schema allows.
    public consuming func value(schema: ArchiveSchema) throws(ArchiveError) -> ArchiveValue {
        var reader = KeyedTreeReader(self, schema: schema)
        return try reader.read()
    }

    /// Writes a tree as a keyed archive in a binary property list, for the readers of Foundation, Apple and Python. The
    /// same schema reads the same tree again. The same tree gives the same bytes.
    public static func write(_ value: ArchiveValue, schema: ArchiveSchema) throws(ArchiveError) -> [UInt8] {
        try BinaryPropertyList.write(propertyList(of: value, schema: schema))
    }

    /// The same as a property list, with ``ArchiveValue/reference(_:)`` for the numbers of objects.
    public static func propertyList(of value: ArchiveValue, schema: ArchiveSchema) throws(ArchiveError) -> ArchiveValue
    {
        var writer = KeyedTreeWriter(schema: schema)
        try writer.write(value)
        return writer.writer.propertyList()
    }

    /// True if a property list claims to be a keyed archive, complete or not. A list with a part of one is read as an
    /// archive and refused for the missing part; nothing takes it for a plain list.
    public static func isKeyedArchive(_ propertyList: ArchiveValue) -> Bool {
        switch propertyList {
        case .dictionary(let fields): ["$archiver", "$objects", "$top"].contains { fields[$0] != nil }
        case .string(let text): text == KeyedEnvelope.archiver
        default: false
        }
    }
}
