/// A keyed archive as what it is: numbered objects that name each other.
///
/// Whatever is here has been checked: every number exists, and what is reachable is no deeper and,
/// with shared objects counted at each place, no larger than the limits allow. An object may lead
/// back to itself, so that who walks over objects has to know where it was. Which classes are
/// allowed is not decided here, but by an ``ArchiveSchema`` or by
/// whoever walks over the objects.
public struct KeyedArchive: Sendable {
    /// How many objects there are, number 0 for “no object” included.
    public var count: Int { objects.count }
    /// What the archive begins with: numbers of objects by key, usually one under `root`, and plain values.
    public let top: ArchiveFields

    /// By number, as they stand in the property list.
    private(set) var objects: [ArchiveValue]
    let definitions: KeyedDefinitions
    /// What is reachable, each object behind all that it writes out.
    let order: [UInt32]
    let circles: KeyedCircles
    /// What is left for the values that are made of the objects.
    let budget: ReadingBudget

    /// Reads an archive in a binary property list.
    public init(_ bytes: [UInt8], limits: ArchiveLimits = ArchiveLimits()) throws(ArchiveError) {
        var budget = try ReadingBudget(limits, archiveBytes: bytes.count)
        let list = try BinaryPropertyList.read(bytes, drawingOn: &budget)
        try self.init(propertyList: consume list, drawingOn: budget)
    }

    /// Checks an archive that has been read as a property list, in which ``ArchiveValue/reference(_:)`` stands for the numbers of objects.
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
        // What the first survey took up is free again.
        survey = try KeyedSurvey(objects, cutting: circles, drawingOn: &budget)
        guard let order = try survey.order(from: top, drawingOn: &budget) else {
            preconditionFailure("what leads back to itself has been cut")
        }
        return (circles, order)
    }

    /// The object of a number. Traps at one that does not exist; those that stand in an archive do.
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

    /// The text, number, data or date that stands at a number as it is; nil for everything else.
    package func plainValue(_ number: UInt32) -> ArchiveValue? {
        number < count && definitions.isValue(Int(number)) ? objects[Int(number)] : nil
    }

    /// Hands the objects over, and has none any more.
    mutating func takeObjects() -> [ArchiveValue] {
        defer { objects = [] }
        return objects
    }

    /// The archive as a plain property list for looking at it, whatever classes it names. Numbers of objects are
    /// ``ArchiveValue/reference(_:)``.
    public static func raw(
        _ bytes: [UInt8],
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> ArchiveValue {
        try BinaryPropertyList.read(bytes, limits: limits)
    }

    /// Reads an archive in a binary property list as a tree of what a schema allows, and refuses all else.
    ///
    /// The tree is what stands under `root`. Where the archive begins with other keys, alone or too, it is a dictionary of them, tagged `$top`.
    public static func read(
        _ bytes: [UInt8],
        schema: ArchiveSchema,
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> ArchiveValue {
        try KeyedArchive(bytes, limits: limits).value(schema: schema)
    }

    /// The tree of what a schema allows, or why it refuses.
    public consuming func value(schema: ArchiveSchema) throws(ArchiveError) -> ArchiveValue {
        var reader = KeyedTreeReader(self, schema: schema)
        return try reader.read()
    }

    /// Writes a tree as a keyed archive in a binary property list, which Foundation's, Apple's and Python's readers open. The same schema
    /// reads it as the same tree again. The same tree gives the same bytes.
    public static func write(_ value: ArchiveValue, schema: ArchiveSchema) throws(ArchiveError) -> [UInt8] {
        try BinaryPropertyList.write(propertyList(of: value, schema: schema))
    }

    /// The same as a property list, in which ``ArchiveValue/reference(_:)`` stands for the numbers of objects.
    public static func propertyList(of value: ArchiveValue, schema: ArchiveSchema) throws(ArchiveError) -> ArchiveValue
    {
        var writer = KeyedTreeWriter(schema: schema)
        try writer.write(value)
        return writer.writer.propertyList()
    }

    /// Whether a property list says that it is a keyed archive, be it a whole one or not: what has a part of one is read as one and refused
    /// with what is missing, rather than taken for a plain list.
    public static func isKeyedArchive(_ propertyList: ArchiveValue) -> Bool {
        switch propertyList {
        case .dictionary(let fields): ["$archiver", "$objects", "$top"].contains { fields[$0] != nil }
        case .string(let text): text == KeyedEnvelope.archiver
        default: false
        }
    }
}
