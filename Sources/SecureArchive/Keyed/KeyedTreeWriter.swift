/// Makes the objects of a keyed archive from a tree, so that the same schema reads the same tree again. It works
/// without recursion: unfinished objects are on a stack.
struct KeyedTreeWriter {
    let schema: ArchiveSchema
    var writer = KeyedWriter()
    private var open: [OpenObject] = []
    private var plans = KeyedFieldPlans()
    private var positions: [ClassName: Int] = [:]
    /// A program has one null, so an archive has one.
    private var nullNumber: UInt32?
    private var numbered = NumberedObjects()
    /// The number for the next object, if something has referred to it before.
    private var promised: UInt32?

    /// The place of a value, which decides about its form.
    enum Place {
        /// In a collection: as an object of its own.
        case object
        /// In a field of this type.
        case field(ArchiveType)
        /// In an undeclared field: see ``ArchiveClass/init(withAnyFields:ancestors:)``.
        case undeclared
    }

    /// An object with its number whose fields are being made.
    struct OpenObject {
        /// The use of the children's results.
        enum Form {
            case list
            case set
            case orderedSet
            case dictionary(keys: [ArchiveValue])
            case url(relative: ArchiveValue)
            /// None: the fields are there already.
            case done
            case fields(KeyedFieldPlans.Plan)
            case undeclared
        }

        let number: UInt32
        let allowed: ArchiveClass
        let form: Form
        var children: [ArchiveValue] = []
        /// The names of the children, if they have any.
        var keys: [String] = []
        var made: [ArchiveValue] = []

        /// The step to the next child; nil at the end.
        var nextStep: PathStep? {
            guard made.count < children.count else { return nil }
            return keys.isEmpty ? .index(made.count) : .key(keys[made.count])
        }

        var nextPlace: Place {
            switch form {
            case .fields(let plan): .field(plan.steps[made.count].type)
            case .undeclared: .undeclared
            default: .object
            }
        }
    }

    init(schema: ArchiveSchema) {
        self.schema = schema
    }

    mutating func write(_ value: ArchiveValue) throws(ArchiveError) {
        let top: ArchiveFields =
            if case .tagged(.top, .dictionary(let fields)) = value { fields } else { ["root": value] }
        if let missing = schema.top.first(where: { !$0.type.isOptional && top[$0.key] == nil }) {
            throw ArchiveError(.inexpressible, "the archive must have it at its top").inside(.key(missing.key))
        }
        for (key, value) in top {
            do {
                writer.top[key] = try made(of: value, at: schema.topType(of: key).map { .field($0) } ?? .undeclared)
            } catch {
                let located = error.inside(open.compactMap(\.nextStep))
                throw top.count == 1 ? located : located.inside(.key(key))
            }
        }
        try numbered.check()
    }

    private mutating func made(of value: ArchiveValue, at place: Place) throws(ArchiveError) -> ArchiveValue {
        if let made = try begin(value, at: place) { return made }
        while true {
            let top = open.count - 1
            let position = open[top].made.count
            if position < open[top].children.count {
                let made = try begin(open[top].children[position], at: open[top].nextPlace)
                if let made { open[top].made.append(made) }
                continue
            }
            try finish(open[top])
            let reference = ArchiveValue.reference(open.removeLast().number)
            guard !open.isEmpty else { return reference }
            open[top - 1].made.append(reference)
        }
    }

    /// The value or the number of an object for a place; nil if an object was begun.
    private mutating func begin(_ value: ArchiveValue, at place: Place) throws(ArchiveError) -> ArchiveValue? {
        switch place {
        case .object: return try begin(value)
        case .undeclared:
            switch value {
            case .bool, .integer, .real: return value
            case .null: return .reference(0)
            case .tagged(.inline, .string(let text)): return .string(text)
            case .tagged(.inline, .data(let data)): return .data(data)
            case .tagged(.inline, .date(let date)): return .date(date)
            default: return try begin(value)
            }
        case .field(.optional(let inner)):
            if value == .null { return .reference(0) }
            return try begin(value == .tagged(.nsNull, .null) ? .null : value, at: .field(inner))
        case .field(let type):
            do {
                try type.check(value)
            } catch {
                throw ArchiveError(.inexpressible, error.detail, at: error.path)
            }
            if type == .scalar { return try begin(value, at: .undeclared) }
            if case .orText(let inner) = type, inner.isInline, (try? inner.check(value)) != nil {
                return value
            }
            return type.isInline ? value : try begin(value)
        }
    }

    private mutating func begin(_ value: ArchiveValue) throws(ArchiveError) -> ArchiveValue? {
        switch value {
        case .bool, .integer, .real, .string, .data: return .reference(writer.add(value))
        case .null, .tagged(.nsNull, .null):
            if let nullNumber { return .reference(nullNumber) }
            try begin(.null, as: .nsNull)
            nullNumber = open.last?.number
        case .date: try begin(value, as: .nsDate)
        case .array: try begin(value, as: .nsArray)
        case .dictionary: try begin(value, as: .nsDictionary)
        case .tagged(let name, let payload):
            if name == .numberKeys {
                try begin(value, as: .nsDictionary)
                return nil
            }
            if let number = name.objectNumber { return try begin(payload, numbered: number) }
            if case .reference(let number) = payload { return try named(number, as: name) }
            if let number = standing(payload, as: name) { return .reference(number) }
            try begin(payload, as: name)
        case .reference(let number): return try named(number, as: nil)
        }
        return nil
    }

    /// Begins an object that its own parts refer to, or refers to it if it was begun before.
    private mutating func begin(
        _ value: ArchiveValue,
        numbered number: UInt32
    ) throws(ArchiveError) -> ArchiveValue? {
        if let known = try numbered.number(ofWritten: number, saying: value) {
            return .reference(known)
        }
        promised = numbered.number(of: number)
        let begun = try begin(value)
        guard begun == nil, promised == nil, let object = open.last else {
            throw ArchiveError(
                .inexpressible,
                "it is \(value.kindInWords), and only an object has a number"
            )
        }
        numbered.write(number, as: object.allowed.name, at: object.number, saying: value)
        return nil
    }

    /// The number of an object that is written at another place, perhaps later.
    private mutating func named(_ number: UInt32, as name: ClassName?) throws(ArchiveError)
        -> ArchiveValue
    {
        if let name, schema.allowedClass(name) == nil {
            throw ArchiveError(.inexpressible, "class \(name) is not allowed")
        }
        if let known = numbered.number(of: number) {
            numbered.name(number, as: name, at: known, from: open.compactMap(\.nextStep))
            return .reference(known)
        }
        let promise = writer.begin()
        numbered.name(number, as: name, at: promise, from: open.compactMap(\.nextStep))
        return .reference(promise)
    }

    /// The number of a new object.
    mutating func beginObject() -> UInt32 {
        defer { promised = nil }
        return promised ?? writer.begin()
    }

    /// The number of a plain value that was tagged with its class.
    private mutating func standing(_ payload: ArchiveValue, as name: ClassName) -> UInt32? {
        switch (payload, name) {
        case (.string, .nsString), (.data, .nsData), (.bool, .nsNumber), (.integer, .nsNumber), (.real, .nsNumber):
            writer.add(payload)
        default: nil
        }
    }

    private mutating func begin(_ payload: ArchiveValue, as name: ClassName) throws(ArchiveError) {
        try WritingDepth.check(open.count + 1)
        guard let allowed = schema.allowedClass(name) else {
            throw ArchiveError(.inexpressible, "class \(name) is not allowed")
        }
        switch (allowed.content, payload) {
        case (.value(let kind), _): open.append(try begun(payload, kind, as: allowed))
        case (.fields(let declared, let unkeyed), .dictionary(let fields)):
            let plan = try plan(for: fields, of: allowed, declared, unkeyed)
            if let fault = allowed.fault(fields) {
                throw ArchiveError(.inexpressible, fault.detail)
            }
            var object = OpenObject(number: beginObject(), allowed: allowed, form: .fields(plan))
            object.children = fields.values
            object.keys = fields.keys
            open.append(object)
        case (.anything, .dictionary(let fields)):
            try Self.checkKeys(of: fields)
            if let fault = allowed.fault(fields) {
                throw ArchiveError(.inexpressible, fault.detail)
            }
            var object = OpenObject(number: beginObject(), allowed: allowed, form: .undeclared)
            object.children = fields.values
            object.keys = fields.keys
            open.append(object)
        default:
            throw ArchiveError(.inexpressible, "class \(name) has fields, and here is \(payload.kindInWords)")
        }
    }

    /// The plan for an object. No field is called `$class`, so each step of the plan belongs to the field of the same
    /// position.
    private mutating func plan(
        for fields: ArchiveFields,
        of allowed: ArchiveClass,
        _ declared: [ArchiveField],
        _ unkeyed: [ArchiveType]
    ) throws(ArchiveError) -> KeyedFieldPlans.Plan {
        try Self.checkKeys(of: fields)
        let position = positions[allowed.name] ?? positions.count
        positions[allowed.name] = position
        do {
            return try plans.plan(for: fields.sharedKeys, of: position, declared: declared, unkeyed: unkeyed)
        } catch {
            throw ArchiveError(.inexpressible, error.detail, at: error.path)
        }
    }

    private static func checkKeys(of fields: ArchiveFields) throws(ArchiveError) {
        guard fields.position(of: "$class") == nil else {
            throw ArchiveError(.inexpressible, "no field may be called “$class”")
        }
    }
}
