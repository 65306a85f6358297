public import SecureArchive
import Vocabulary

/// The form of a model in trees: the name of its class, and its fields in the order of games.
public struct FieldTable<Model: StateModel>: Sendable {
    /// The game's name for the class; nil for a plain dictionary.
    public let className: ClassName?
    /// Other names for the class, such as `Game.Character`.
    public let otherClassNames: [ClassName]
    /// The fields in the order of writing.
    public let fields: [Field<Model>]
    /// The position in ``fields`` by name.
    private let places: [String: Int]
    /// The position in ``fields`` by the letters of a name alone.
    private let placesInAnyStyle: [String: Int]

    /// - Parameters:
    ///   - className: the game's name for the class; nil for a plain dictionary
    ///   - otherClassNames: other names for it
    ///   - fields: in the order of writing, with different keys
    public init(_ className: ClassName? = nil, alsoCalled otherClassNames: [ClassName] = [], _ fields: [Field<Model>]) {
        self.className = className
        self.otherClassNames = otherClassNames
        self.fields = fields
        places = Self.places(of: fields) { $0 }
        placesInAnyStyle = Self.places(of: fields, KeySpelling.bareLetters)
    }

    /// A table for a plain dictionary.
    /// - Parameter fields: in the order of writing, with different keys
    public init(_ fields: [Field<Model>]) {
        self.init(nil, fields)
    }

    /// The keys of its fields, in the order of writing.
    public var keys: [String] { fields.compactMap(\.key) }
}

extension FieldTable {
    /// The model; nil if it can't be read, after recording the faults.
    func read(_ value: ArchiveValue, _ reading: inout ModelReading) -> Model? {
        guard let entries = entries(of: value, &reading) else { return nil }
        let faultsBefore = reading.faults.count
        var model = Model()
        let (found, unknown) = sort(entries, &reading)
        var suggested: Set<String> = []
        if hasRest {
            readRest(unknown, entries, &model, &reading)
        } else if reading.strictness.unknownKeys == .refuse {
            suggested = refuse(unknown, missing: found, &reading)
        }
        for (place, field) in fields.enumerated() {
            guard let key = field.key else { continue }
            if let entry = found[place], let value = entries[entry] {
                reading.within(.key(entry)) { field.read(value, &model, &$0) }
            } else if field.isRequired, reading.strictness.missingKeys == .refuse, !suggested.contains(key) {
                reading.within(.key(key)) { $0.fault(.missing, "the key is missing") }
            }
        }
        guard reading.faults.count == faultsBefore else { return nil }
        if reading.strictness.impossibleStates == .refuse {
            for fault in model.impossibilities { reading.note(fault.below(reading.path)) }
        }
        return reading.faults.count == faultsBefore ? model : nil
    }

    /// Returns the keys and values of a dictionary, or of an object of the right class.
    private func entries(of value: ArchiveValue, _ reading: inout ModelReading) -> ArchiveFields? {
        if case .tagged(let name, let below) = value, let className, !Self.isDictionary(name) {
            guard name == className || otherClassNames.contains(name) else {
                let shown = PrintableText(name.description, limit: 80)
                reading.fault(.wrongKind, "it is an object of \(shown), not of \(className)")
                return nil
            }
            return entries(of: below, &reading)
        }
        guard case .dictionary(let entries) = value.untagged else {
            reading.fault(.wrongKind, "it is \(value.untagged.kindInWords), not a dictionary")
            return nil
        }
        return isUnkeyed(entries) ? keyed(entries) : entries
    }

    private static func isDictionary(_ name: ClassName) -> Bool {
        name == "NSDictionary" || name == "NSMutableDictionary"
    }

    /// True if an object was written without keys.
    func isUnkeyed(_ tree: ArchiveValue) -> Bool {
        if case .dictionary(let entries) = tree.untagged { isUnkeyed(entries) } else { false }
    }

    /// True for fields without keys: a keyed archive has them under `$0`, `$1` and so on.
    private func isUnkeyed(_ entries: ArchiveFields) -> Bool {
        !entries.isEmpty && entries.keys.indices.allSatisfy { entries["$\($0)"] != nil }
    }

    private func keyed(_ entries: ArchiveFields) -> ArchiveFields {
        var keyed = ArchiveFields(reserving: entries.count)
        let keys = keys
        for place in 0..<entries.count {
            // A value beyond the table becomes an unknown key.
            keyed[place < keys.count ? keys[place] : "$\(place)"] = entries["$\(place)"]
        }
        return keyed
    }

    private var hasRest: Bool {
        fields.contains { $0.key == nil }
    }

    /// Matches the entries to fields, and finds those that belong to none.
    private func sort(_ entries: ArchiveFields, _ reading: inout ModelReading) -> ([Int: String], [String]) {
        var found: [Int: String] = [:]
        var unknown: [String] = []
        let isAnyStyle = reading.strictness.spelling == .anyStyle
        for key in entries.keys {
            guard let place = isAnyStyle ? placesInAnyStyle[KeySpelling.bareLetters(key)] : places[key] else {
                unknown.append(key)
                continue
            }
            if let other = found[place] {
                let shown = PrintableText(other, limit: 40)
                reading.within(.key(key)) { $0.fault(.taken, "it is the same as “\(shown)”, which is there too") }
            } else {
                found[place] = key
            }
        }
        return (found, unknown)
    }

    private static func places(of fields: [Field<Model>], _ spell: (String) -> String) -> [String: Int] {
        var places: [String: Int] = [:]
        for (place, field) in fields.enumerated() {
            guard case .key(let key, let others) = field.name else { continue }
            for name in [key] + others { places[spell(name)] = place }
        }
        return places
    }

    private func readRest(
        _ unknown: [String],
        _ entries: ArchiveFields,
        _ model: inout Model,
        _ reading: inout ModelReading
    ) {
        var rest = ArchiveFields(reserving: unknown.count)
        for key in unknown { rest[key] = entries[key] }
        for field in fields where field.key == nil { field.read(.dictionary(rest), &model, &reading) }
    }

    /// Records unknown keys. Returns the missing keys that they probably mean: these need no fault of their own.
    private func refuse(
        _ unknown: [String],
        missing found: [Int: String],
        _ reading: inout ModelReading
    ) -> Set<String> {
        let missing = fields.indices.filter { found[$0] == nil }.compactMap { fields[$0].key }
        var suggested: Set<String> = []
        for key in unknown where !reading.hasEnough {
            let nearest = NearestName.of(key, in: missing) ?? NearestName.of(key, in: keys)
            if let nearest, missing.contains(nearest) { suggested.insert(nearest) }
            reading.within(.key(key)) { $0.fault(.unknownKey, "this key is unknown here", suggestion: nearest) }
        }
        return suggested
    }
}

extension FieldTable {
    /// Writes a model as a tree.
    func write(_ model: Model, _ style: ModelStyle) -> ArchiveValue {
        var entries = ArchiveFields(reserving: fields.count)
        let isUnkeyed = style.isUnkeyed && className != nil
        for field in fields {
            guard let value = field.write(model, style, nil) else {
                // Without keys, a gap would move all fields after it.
                if isUnkeyed { entries["$\(entries.count)"] = .null }
                continue
            }
            if let key = field.key {
                entries[isUnkeyed ? "$\(entries.count)" : style.spelling.spell(key)] = value
            } else if case .dictionary(let rest) = value {
                for (key, value) in rest { entries[key] = value }
            }
        }
        guard style.namesClasses, let className else { return .dictionary(entries) }
        return .tagged(className, .dictionary(entries))
    }

    /// Writes over the tree that was read: keys outside the table stay, and all keys keep their place and spelling.
    func write(_ model: Model, _ style: ModelStyle, over tree: ArchiveValue) -> ArchiveValue {
        switch tree {
        case .tagged(let name, let below):
            if case .dictionary(let old) = below, isUnkeyed(old) {
                return .tagged(name, write(model, .unkeyedObjects).untagged)
            }
            return .tagged(name, write(model, style, over: below))
        case .dictionary(var entries):
            var reading = ModelReading(.tolerant)
            let (found, _) = sort(entries, &reading)
            for (place, field) in fields.enumerated() {
                let key = found[place] ?? field.key
                let value = field.write(model, style, key.flatMap { entries[$0] })
                if let key {
                    entries[key] = value
                } else if case .dictionary(let rest)? = value {
                    for (key, value) in rest { entries[key] = value }
                }
            }
            return .dictionary(entries)
        default: return write(model, style)
        }
    }
}

extension StateError {
    /// Returns the same error with a longer path, for a caller further up.
    func below(_ path: StatePath) -> StateError {
        StateError(kind, detail, at: StatePath(path.steps + self.path.steps), suggestion: suggestion, cause: cause)
    }
}
