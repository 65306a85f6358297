/// Writes a keyed archive object by object, as an archiver does that walks over the objects of a program.
///
/// ```swift
/// var writer = KeyedWriter()
/// let hero = writer.begin()
/// writer.put(.reference(writer.add(.string("red"))), for: "charColor", in: hero)
/// writer.put(.integer(12), for: "strength", in: hero)
/// writer.end(hero, as: "SimpleCharacter", ancestors: ["NSObject"])
/// writer.top["root"] = .reference(hero)
/// let bytes = try writer.bytes()
/// ```
///
/// The same calls give the same bytes. Equal texts, numbers and data are one object each; for other objects the caller
/// decides.
public struct KeyedWriter: Sendable {
    /// The top of the archive: numbers of objects by key, and plain values.
    public var top = ArchiveFields()

    private var objects: [ArchiveValue] = [.string("$null")]
    private var open: [UInt32: OpenObject] = [:]
    private var texts = LiteralStrings()
    /// By position in ``texts``.
    private var textNumbers: [UInt32] = []
    private var numbers: [ScalarIdentity: UInt32] = [:]
    private var definitions: [ClassName: UInt32] = [:]
    /// The keys of the last object of each class; the next object usually has the same keys.
    private var lastKeys: [ClassName: FieldKeys] = [:]

    private struct OpenObject {
        var fields = ArchiveFields()
        var unkeyedCount = 0
    }

    /// An archive without objects.
    public init() {}

    /// The number of a plain value: a text, a number, a Boolean, data. Traps with other values.
    public mutating func add(_ value: ArchiveValue) -> UInt32 {
        switch value {
        case .string(let text):
            let (position, isNew) = texts.insert(text)
            if isNew { textNumbers.append(append(value)) }
            return textNumbers[position]
        case .bool, .integer, .real, .data:
            guard let identity = ScalarIdentity(of: value) else { fallthrough }
            if let known = numbers[identity] { return known }
            let number = append(value)
            numbers[identity] = number
            return number
        case .null, .date, .array, .dictionary, .reference, .tagged:
            preconditionFailure("\(value.kindInWords) can't stand in a keyed archive as it is")
        }
    }

    /// Gives an object its number, so that other objects can refer to it before its fields are put.
    public mutating func begin() -> UInt32 {
        let number = append(.null)
        open[number] = OpenObject()
        return number
    }

    /// Puts a field into an object that was begun: ``ArchiveValue/reference(_:)`` for an object, 0 for none, or a plain
    /// value within the object. A known key gets the new value.
    ///
    /// - Parameter key: the key as the archive spells it; see ``spelling(of:)``
    public mutating func put(_ value: ArchiveValue, for key: String, in number: UInt32) {
        open[number, default: OpenObject()].fields[key] = value
    }

    /// Puts the next field without a key of its own: these get `$0`, `$1` and so on.
    public mutating func putUnkeyed(_ value: ArchiveValue, in number: UInt32) {
        let count = open[number, default: OpenObject()].unkeyedCount
        open[number, default: OpenObject()].unkeyedCount = count + 1
        put(value, for: "$\(count)", in: number)
    }

    /// True if an object that was begun has a field.
    public func has(_ key: String, in number: UInt32) -> Bool {
        open[number]?.fields[key] != nil
    }

    /// Ends an object after its last field. The definition of its class is behind the first object of the class.
    public mutating func end(_ number: UInt32, as name: ClassName, ancestors: [ClassName]) {
        var fields = open.removeValue(forKey: number)?.fields ?? ArchiveFields()
        fields["$class"] = .reference(definition(of: name, ancestors: ancestors))
        if let known = lastKeys[name], known.strings.isSame(as: fields.sharedKeys.strings) {
            fields = ArchiveFields(known, values: fields.values)
        } else {
            lastKeys[name] = fields.sharedKeys
        }
        objects[Int(number)] = .dictionary(fields)
    }

    /// Ends an object with keys that many others have, too; the last key is `$class`.
    mutating func end(_ number: UInt32, as allowed: ArchiveClass, keys: FieldKeys, values: [ArchiveValue]) {
        open[number] = nil
        let definition = definition(of: allowed.name, ancestors: allowed.ancestors)
        objects[Int(number)] = .dictionary(ArchiveFields(keys, values: values + [.reference(definition)]))
    }

    /// The spelling of a program's key in an archive: a key that begins with `$` gets another `$`, because the archive
    /// has such keys of its own.
    public static func spelling(of key: String) -> String {
        key.hasPrefix("$") ? "$" + key : key
    }

    /// The archive as a property list, with ``ArchiveValue/reference(_:)`` for the numbers of objects.
    public func propertyList() -> ArchiveValue {
        .dictionary([
            "$version": .integer(KeyedEnvelope.version),
            "$archiver": .string(KeyedEnvelope.archiver),
            "$top": .dictionary(top),
            "$objects": .array(objects),
        ])
    }

    /// The archive as a binary property list. Fails if an object was begun and not ended, or if a property list has no
    /// word for a plain value.
    public func bytes() throws(ArchiveError) -> [UInt8] {
        try BinaryPropertyList.write(propertyList())
    }

    private mutating func definition(of name: ClassName, ancestors: [ClassName]) -> UInt32 {
        if let known = definitions[name] { return known }
        let chain = [name] + ancestors
        let number = append(
            .dictionary([
                "$classname": .string(name.description),
                "$classes": .array(chain.map { .string($0.description) }),
            ])
        )
        definitions[name] = number
        return number
    }

    private mutating func append(_ object: ArchiveValue) -> UInt32 {
        precondition(objects.count < Int(UInt32.max), "a keyed archive has at most 2³² objects")
        objects.append(object)
        return UInt32(objects.count - 1)
    }
}
