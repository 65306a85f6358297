import Vocabulary

/// The class of each object of a keyed archive, and the definitions of classes.
struct KeyedDefinitions: Sendable {
    enum Kind {
        case null
        case value
        case bare
        case instance(KeyedClass)
        case definition(KeyedClass)
    }

    /// The value of ``marks`` beside a position in ``classes``.
    private static let value: Int32 = -1
    private static let bare: Int32 = -2

    /// No class has so many ancestors. Without a limit, many definitions could share a very long list.
    private static let longestChain = 64

    /// Each definition that some object refers to, by its position.
    private(set) var classes: [KeyedClass] = []
    /// By number: the position of an instance's class; for a definition, its own position, counted down from below
    /// ``bare``; or another kind.
    private var marks: [Int32]
    /// By number of the definition.
    private var positions: [UInt32: Int32] = [:]

    init(_ objects: [ArchiveValue], drawingOn budget: inout ReadingBudget) throws(ArchiveError) {
        try budget.hold(memory: objects.count * MemoryLayout<Int32>.stride)
        marks = Array(repeating: Self.value, count: objects.count)
        for (number, object) in objects.enumerated() {
            switch object {
            case .dictionary(let fields):
                marks[number] = try mark(fields, number: number, objects)
            case .array: marks[number] = Self.bare
            case .tagged, .null, .reference:
                throw ArchiveError(.damaged, "this can't be an object").inside(.index(number)).inside(.key("$objects"))
            case .bool, .integer, .real, .string, .data, .date: break
            }
        }
        for (number, position) in positions { marks[Int(number)] = Self.bare - 1 - position }
    }

    /// The position of an instance's class in ``classes``; nil for other objects.
    func classPosition(of number: Int) -> Int? {
        marks[number] >= 0 ? Int(marks[number]) : nil
    }

    /// True for a collection that was complete before anything could refer to it.
    func isFixedCollection(_ number: Int) -> Bool {
        classPosition(of: number).map { ClassName.fixedCollections.contains(classes[$0].name) }
            ?? false
    }

    /// True for a plain value.
    func isValue(_ number: Int) -> Bool { number > 0 && marks[number] == Self.value }

    func kind(of number: Int) -> Kind {
        switch marks[number] {
        case Self.value: number == 0 ? .null : .value
        case Self.bare: .bare
        case let position where position >= 0: .instance(classes[Int(position)])
        case let mark: .definition(classes[Int(Self.bare - 1 - mark)])
        }
    }

    private mutating func mark(
        _ fields: ArchiveFields,
        number: Int,
        _ objects: [ArchiveValue]
    ) throws(ArchiveError) -> Int32 {
        guard let named = fields["$class"] else { return Self.bare }
        let place: [PathStep] = [.key("$objects"), .index(number), .key("$class")]
        guard case .reference(let definition) = named else {
            throw ArchiveError(.damaged, "it names no object").inside(place)
        }
        if let position = positions[definition] { return position }
        guard Int(definition) < objects.count else {
            throw ArchiveError(.damaged, "object \(definition) does not exist").inside(place)
        }
        guard case .dictionary(let defining) = objects[Int(definition)], defining["$class"] == nil else {
            throw ArchiveError(.damaged, "object \(definition) defines no class").inside(place)
        }
        do {
            classes.append(try Self.definition(defining))
        } catch {
            throw error.inside([.key("$objects"), .index(Int(definition))])
        }
        positions[definition] = Int32(classes.count - 1)
        return Int32(classes.count - 1)
    }

    private static func definition(_ fields: ArchiveFields) throws(ArchiveError) -> KeyedClass {
        guard case .string(let text) = fields["$classname"] else {
            throw ArchiveError(.damaged, "it is no text").inside(.key("$classname"))
        }
        guard let name = ClassName(text) else {
            let shown = PrintableText(text, limit: 80)
            throw ArchiveError(.damaged, "“\(shown)” can't be the name of a class").inside(.key("$classname"))
        }
        return KeyedClass(name: name, chain: try chain(fields["$classes"]))
    }

    private static func chain(_ value: ArchiveValue?) throws(ArchiveError) -> [String] {
        guard let value else { return [] }
        guard case .array(let elements) = value, elements.count <= longestChain else {
            throw ArchiveError(.damaged, "it is no list of names").inside(.key("$classes"))
        }
        var chain: [String] = []
        for element in elements {
            guard case .string(let ancestor) = element else {
                throw ArchiveError(.damaged, "it is no list of names").inside(.key("$classes"))
            }
            chain.append(ancestor)
        }
        return chain
    }
}
