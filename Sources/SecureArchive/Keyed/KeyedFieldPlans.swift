/// The declared fields that the keys of an object stand for. Objects with the same keys share the plan; the reader
/// checks the values of each object.
struct KeyedFieldPlans {
    final class Plan {
        struct Step {
            let position: Int
            let type: ArchiveType
        }

        /// The keys of the archive, retained so that no other keys get their identity.
        let source: FieldKeys
        /// The keys of the object in the tree.
        let keys: FieldKeys
        let steps: [Step]

        /// The same keys and `$class` at the end, for writing.
        private(set) lazy var keysWithClass: FieldKeys = {
            var strings = keys.strings
            _ = strings.insert("$class")
            return FieldKeys(strings)
        }()

        init(source: FieldKeys, keys: FieldKeys, steps: [Step]) {
            (self.source, self.keys, self.steps) = (source, keys, steps)
        }
    }

    private struct Place: Hashable {
        let keys: ObjectIdentifier
        let definition: Int
    }

    /// More plans than sound archives need, and few enough that strangers can't fill memory.
    private static let limit = 256

    private var plans: [Place: Plan] = [:]

    mutating func plan(
        for source: FieldKeys,
        of definition: Int,
        declared: [ArchiveField],
        unkeyed: [ArchiveType]
    ) throws(ArchiveError) -> Plan {
        let place = Place(keys: ObjectIdentifier(source), definition: definition)
        if let plan = plans[place] { return plan }
        let isUnkeyed = !unkeyed.isEmpty && source.strings.position(of: "$0") != nil
        let fields = isUnkeyed ? Self.numbered(unkeyed) : declared
        let plan = try Self.made(source, fields)
        if plans.count == Self.limit { plans = [:] }
        plans[place] = plan
        return plan
    }

    private static func numbered(_ types: [ArchiveType]) -> [ArchiveField] {
        types.enumerated().map { ArchiveField("$\($0)", $1) }
    }

    /// Foundation's archiver writes the keys of each object in another order, so this may run for each object.
    private static func made(_ source: FieldKeys, _ declared: [ArchiveField]) throws(ArchiveError) -> Plan {
        var keys = source.strings
        if let position = keys.position(of: "$class") { keys.remove(at: position) }
        var steps: [Plan.Step] = []
        steps.reserveCapacity(keys.count)
        var missingCount = declared.count { !$0.type.isOptional }
        for (position, key) in source.strings.texts.enumerated() where !key.isLiterally("$class") {
            guard let field = declared.first(where: { $0.key.isLiterally(key) }) else {
                throw ArchiveError(.notAllowed, "its class declares no such field").inside(.key(key))
            }
            if !field.type.isOptional { missingCount -= 1 }
            steps.append(Plan.Step(position: position, type: field.type))
        }
        // No key occurs twice, so none is counted twice.
        if missingCount > 0,
            let missing = declared.first(where: { !$0.type.isOptional && keys.position(of: $0.key) == nil })
        {
            throw ArchiveError(.damaged, "the field is missing").inside(.key(missing.key))
        }
        return Plan(source: source, keys: FieldKeys(keys), steps: steps)
    }
}
