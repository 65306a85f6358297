import SecureArchive

/// A keyed archive made by hand, as an attacker would.
struct Sketch {
    var objects: [ArchiveValue] = [.string("$null")]
    private var definitions: [String: UInt32] = [:]

    init() {}

    mutating func add(_ value: ArchiveValue) -> UInt32 {
        objects.append(value)
        return UInt32(objects.count - 1)
    }

    mutating func definition(_ name: String) -> UInt32 {
        if let known = definitions[name] { return known }
        let chain = [name] + (Self.ancestors[name] ?? []) + ["NSObject"]
        let number = add(
            .dictionary(["$classname": .string(name), "$classes": .array(chain.map { .string($0) })])
        )
        definitions[name] = number
        return number
    }

    private static let ancestors = [
        "NSMutableArray": ["NSArray"], "NSMutableDictionary": ["NSDictionary"], "NSMutableSet": ["NSSet"],
        "NSMutableOrderedSet": ["NSOrderedSet"], "NSMutableIndexSet": ["NSIndexSet"],
        "NSCountedSet": ["NSMutableSet", "NSSet"], "NSDecimalNumber": ["NSNumber", "NSValue"],
        "NSUnitLength": ["NSDimension", "NSUnit"], "NSUnitConverterLinear": ["NSUnitConverter"],
        "NSMutableString": ["NSString"], "Everything": ["Something"],
    ]

    /// Makes an object of a class, at a reserved number or at a new one.
    @discardableResult
    mutating func make(_ name: String, _ fields: ArchiveFields, at number: UInt32? = nil) -> UInt32 {
        var fields = fields
        fields["$class"] = .reference(definition(name))
        guard let number else { return add(.dictionary(fields)) }
        objects[Int(number)] = .dictionary(fields)
        return number
    }

    func bytes(root: UInt32) throws -> [UInt8] {
        try BinaryPropertyList.write(tree(root: root))
    }

    func tree(root: UInt32) -> ArchiveValue {
        .dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$objects": .array(objects),
            "$top": .dictionary(["root": .reference(root)]), "$version": .integer(100_000),
        ])
    }

    /// The archive, usually in a binary list, and at times in XML, where references are dictionaries.
    func archive(root: UInt32, _ dice: inout Dice) throws -> [UInt8] {
        // XML has no words for some texts.
        if dice.chance(of: 5), let list = try? XMLPropertyList.write(tree(root: root)) { return list }
        return try bytes(root: root)
    }
}
