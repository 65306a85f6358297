/// Numbers all values of a tree for a binary property list: in their order, a collection before its contents, the keys
/// of a dictionary before its values. Equal texts, data, numbers and dates are one object; collections never are.
struct BinaryFlattener {
    enum Object {
        /// A value that is no collection.
        case scalar(ArchiveValue)
        /// The position in ``references`` of the first element.
        case array(at: Int, count: Int)
        /// The position of the first key; the values follow the keys.
        case dictionary(at: Int, count: Int)
    }

    /// So few that a table of them stays small.
    private static let lowReferences = 1 << 22

    private(set) var objects: [Object] = []
    private(set) var references: [UInt32] = []
    private var numbers: [ScalarIdentity: UInt32] = [:]
    private var integers = IntegerNumbers()
    /// Numbers of low references, plus one, or 0. Keyed archives are full of low references.
    private var referenceNumbers: [UInt32] = []
    private var texts = LiteralStrings()
    /// By position in ``texts``.
    private var textNumbers: [UInt32] = []
    /// By the identity of shared keys, which the tree retains: the position in ``references`` of their first
    /// occurrence.
    private var keyLists: [ObjectIdentifier: Int] = [:]

    mutating func add(_ value: ArchiveValue, depth: Int) throws(ArchiveError) -> UInt32 {
        switch value {
        case .string(let text): try number(of: text)
        case .array(let elements): try add(elements, depth: depth)
        case .dictionary(let fields): try add(fields, depth: depth)
        case .reference(let reference) where reference < Self.lowReferences: try number(of: reference)
        case .integer(let integer): try number(of: integer)
        case .bool, .real, .date, .data, .reference, .null, .tagged: try number(of: value)
        }
    }

    private mutating func add(_ elements: [ArchiveValue], depth: Int) throws(ArchiveError) -> UInt32 {
        try WritingDepth.check(depth)
        let start = references.count
        let number = try append(.array(at: start, count: elements.count))
        references.append(contentsOf: repeatElement(0, count: elements.count))
        for (position, element) in elements.enumerated() {
            do {
                references[start + position] = try add(element, depth: depth + 1)
            } catch {
                throw error.inside(.index(position))
            }
        }
        return number
    }

    private mutating func add(_ fields: ArchiveFields, depth: Int) throws(ArchiveError) -> UInt32 {
        try WritingDepth.check(depth)
        let (start, count) = (references.count, fields.count)
        let number = try append(.dictionary(at: start, count: count))
        references.append(contentsOf: repeatElement(0, count: count * 2))
        try addKeys(of: fields, at: start)
        for (position, value) in fields.values.enumerated() {
            do {
                references[start + count + position] = try add(value, depth: depth + 1)
            } catch {
                throw error.inside(.key(fields.keys[position]))
            }
        }
        return number
    }

    private mutating func addKeys(of fields: ArchiveFields, at start: Int) throws(ArchiveError) {
        let list = ObjectIdentifier(fields.sharedKeys)
        if let known = keyLists[list] {
            for position in 0..<fields.count { references[start + position] = references[known + position] }
            return
        }
        for (position, key) in fields.keys.enumerated() {
            references[start + position] = try number(of: key)
        }
        keyLists[list] = start
    }

    private mutating func number(of text: String) throws(ArchiveError) -> UInt32 {
        let (position, isNew) = texts.insert(text)
        if isNew { textNumbers.append(try append(.scalar(.string(text)))) }
        return textNumbers[position]
    }

    private mutating func number(of reference: UInt32) throws(ArchiveError) -> UInt32 {
        let place = Int(reference)
        if place >= referenceNumbers.count {
            let more = max(place + 1, referenceNumbers.count * 2) - referenceNumbers.count
            referenceNumbers.append(contentsOf: repeatElement(0, count: more))
        }
        if referenceNumbers[place] == 0 {
            referenceNumbers[place] = try append(.scalar(.reference(reference))) + 1
        }
        return referenceNumbers[place] - 1
    }

    private mutating func number(of integer: ArchiveInteger) throws(ArchiveError) -> UInt32 {
        guard let signed = integer.value(as: Int64.self) else { return try number(of: .integer(integer)) }
        let place = integers.place(for: signed)
        if let known = integers[place] { return known }
        let number = try append(.scalar(.integer(integer)))
        integers.take(place, for: signed, number: number)
        return number
    }

    private mutating func number(of value: ArchiveValue) throws(ArchiveError) -> UInt32 {
        guard let identity = ScalarIdentity(of: value) else { throw .inexpressible(value, in: "a property list") }
        if let known = numbers[identity] { return known }
        let number = try append(.scalar(value))
        numbers[identity] = number
        return number
    }

    private mutating func append(_ object: Object) throws(ArchiveError) -> UInt32 {
        guard objects.count < Int(UInt32.max) else {
            throw ArchiveError(.inexpressible, "there are more than 2³² objects")
        }
        objects.append(object)
        return UInt32(objects.count - 1)
    }
}
