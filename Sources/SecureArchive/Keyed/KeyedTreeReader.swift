/// Makes the tree of a keyed archive, and refuses everything that the schema does not allow.
///
/// Each object is made after all that it refers to, so there is no recursion. The value of an object does not depend on
/// its holder; the reader checks at each place whether the object is allowed there.
struct KeyedTreeReader {
    /// The archive without its objects, which are in ``values``.
    private let archive: KeyedArchive
    private let schema: ArchiveSchema
    var budget: ReadingBudget
    /// By number: first the archive's object, then the value that was made of it. So memory has only one of the two.
    private(set) var values: [ArchiveValue]
    /// By position of the archive's definitions.
    private let allowed: [ArchiveClass?]
    private var plans: KeyedFieldPlans
    var keyLists = KeyedKeyLists()
    /// The object whose parts are being made; 0 for the top of the archive.
    private var holder: UInt32 = 0
    /// The objects with only one place in the tree that have been put there.
    private var placed: Set<UInt32> = []

    init(_ archive: consuming KeyedArchive, schema: ArchiveSchema) {
        self.schema = schema
        budget = archive.budget
        values = archive.takeObjects()
        self.archive = archive
        allowed = archive.definitions.classes.map { schema.allowedClass($0.name) }
        plans = KeyedFieldPlans()
    }

    mutating func read() throws(ArchiveError) -> ArchiveValue {
        try refuseStrangers()
        for number in archive.order {
            holder = number
            do {
                values[Int(number)] = try made(Int(number))
            } catch {
                throw error.inside([.key("$objects"), .index(Int(number))])
            }
        }
        holder = 0
        do { return try top() } catch { throw error.inside(.key("$top")) }
    }

    /// Refuses objects of classes that are not allowed before anything is made, even if nothing refers to them: the
    /// next reader of the file may. Archivers number an object before those that it refers to, so the lowest number is
    /// the outermost object.
    private func refuseStrangers() throws(ArchiveError) {
        guard allowed.contains(where: { $0 == nil }) else { return }
        if let first = archive.order.lazy.filter({ stranger($0) != nil }).min(), let name = stranger(first) {
            throw Self.refusal(of: name).inside(archive.way(to: first, among: values))
        }
        for number in values.indices {
            guard let name = stranger(UInt32(number)) else { continue }
            throw Self.refusal(of: name).inside([.key("$objects"), .index(number)])
        }
    }

    /// The class of an object if it is not allowed.
    private func stranger(_ number: UInt32) -> ClassName? {
        guard let position = archive.definitions.classPosition(of: Int(number)), allowed[position] == nil else {
            return nil
        }
        return archive.definitions.classes[position].name
    }

    private static func refusal(of name: ClassName) -> ArchiveError {
        ArchiveError(.notAllowed, "class \(name) is not allowed")
    }

    private mutating func made(_ number: Int) throws(ArchiveError) -> ArchiveValue {
        guard let position = archive.definitions.classPosition(of: number), let allowed = allowed[position],
            case .dictionary(let fields) = values[number]
        else { return values[number] }
        let payload: ArchiveValue
        switch allowed.content {
        case .value(let kind):
            let definition = archive.definitions.classes[position]
            payload = try value(of: kind, fields, mayHoldNothing: definition.namesNoAncestor)
            if ClassName.plain.contains(allowed.name) { return payload }
        case .fields(let declared, let unkeyed):
            let plan = try plans.plan(for: fields.sharedKeys, of: position, declared: declared, unkeyed: unkeyed)
            let made = try follow(plan, fields)
            if let fault = allowed.fault(made) { throw fault }
            payload = .dictionary(made)
        case .anything:
            let made = try takeAll(fields)
            if let fault = allowed.fault(made) { throw fault }
            payload = .dictionary(made)
        }
        return try tagged(allowed.name, payload)
    }

    private mutating func tagged(_ name: ClassName, _ payload: ArchiveValue) throws(ArchiveError) -> ArchiveValue {
        try budget.holdTag()
        return .tagged(name, payload)
    }

    private mutating func follow(
        _ plan: KeyedFieldPlans.Plan,
        _ fields: ArchiveFields
    ) throws(ArchiveError) -> ArchiveFields {
        var made: [ArchiveValue] = []
        made.reserveCapacity(plan.steps.count)
        for step in plan.steps {
            do {
                made.append(try field(fields.values[step.position], type: step.type))
            } catch {
                throw error.inside(.key(fields.keys[step.position]))
            }
        }
        return ArchiveFields(plan.keys, values: made)
    }

    private mutating func takeAll(_ fields: ArchiveFields) throws(ArchiveError) -> ArchiveFields {
        try budget.hold(keys: fields.count)
        var made = ArchiveFields()
        for (key, value) in fields where key != "$class" {
            do {
                made[key] = try undeclared(value)
            } catch {
                throw error.inside(.key(key))
            }
        }
        return made
    }

    /// The value of a field, if it has the field's type.
    private mutating func field(_ value: ArchiveValue, type: ArchiveType) throws(ArchiveError) -> ArchiveValue {
        if case .optional(let inner) = type {
            if value == .reference(0) { return .null }
            let made = try field(value, type: inner)
            // A null object must differ from no object.
            return made == .null ? try tagged(.nsNull, .null) : made
        }
        if case .orText(let inner) = type {
            if case .reference(let number) = value, number != 0 {
                let made = try object(number)
                if made.isText { return made }
            }
            return try field(value, type: inner)
        }
        if type.isInline {
            try type.check(value)
            return value
        }
        if type == .scalar {
            let made = try undeclared(value)
            try type.check(made)
            return made
        }
        guard case .reference(let number) = value else {
            throw ArchiveError(.notAllowed, "\(value.kindInWords) is here, but an object is expected")
        }
        let made = try object(number)
        try type.check(made)
        return made
    }

    private mutating func undeclared(_ value: ArchiveValue) throws(ArchiveError) -> ArchiveValue {
        switch value {
        case .bool, .integer, .real: return value
        case .string, .data, .date: return try tagged(.inline, value)
        case .reference(0): return .null
        case .reference(let number):
            let made = try object(number)
            switch made {
            case .bool, .integer, .real: return try tagged(.nsNumber, made)
            case .null: return try tagged(.nsNull, made)
            default: return made
            }
        default:
            throw ArchiveError(.notAllowed, "\(value.kindInWords) is here, but an object is expected")
        }
    }

    /// The value of an object, if other values may contain it.
    mutating func object(_ number: UInt32) throws(ArchiveError) -> ArchiveValue {
        switch archive.definitions.kind(of: Int(number)) {
        case .instance:
            if let home = archive.circles.home(of: number) { return try numbered(number, home) }
            return values[Int(number)]
        case .value: return values[Int(number)]
        case .null: throw ArchiveError(.notAllowed, "there is no object where one is expected")
        case .bare: throw ArchiveError(.notAllowed, "it names a collection without a class")
        case .definition: throw ArchiveError(.damaged, "it names the definition of a class")
        }
    }

    /// An object that leads back to itself: with its number at its place, and as its number everywhere else.
    private mutating func numbered(
        _ number: UInt32,
        _ home: KeyedCircles.Home
    ) throws(ArchiveError) -> ArchiveValue {
        try budget.holdTag()
        if home.holder == holder, placed.insert(number).inserted {
            try budget.hold(memory: MemoryLayout<UInt32>.stride * 4)
            return .tagged(.object(home.number), values[Int(number)])
        }
        let position = archive.definitions.classPosition(of: Int(number))
        guard let name = position.flatMap({ allowed[$0]?.name }) else {
            return .reference(home.number)
        }
        return .tagged(name, .reference(home.number))
    }

    private mutating func top() throws(ArchiveError) -> ArchiveValue {
        var made = ArchiveFields(reserving: archive.top.count)
        for (key, value) in archive.top {
            do {
                let type = schema.topType(of: key)
                made[key] = if let type { try field(value, type: type) } else { try undeclared(value) }
            } catch {
                throw error.inside(.key(key))
            }
        }
        if let missing = schema.top.first(where: { !$0.type.isOptional && archive.top[$0.key] == nil }) {
            throw ArchiveError(.damaged, "it is missing").inside(.key(missing.key))
        }
        return made.keys == ["root"] ? made.values[0] : .tagged(.top, .dictionary(made))
    }
}

extension ArchiveValue {
    fileprivate var isText: Bool {
        switch self {
        case .string, .tagged(.nsMutableString, .string): true
        default: false
        }
    }
}
