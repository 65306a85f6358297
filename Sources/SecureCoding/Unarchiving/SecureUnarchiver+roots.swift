public import Foundation
public import SecureArchive

// Apple's one-line calls, with Apple's names.
extension SecureUnarchiver {
    /// The object at the root, of exactly this class. Its class asks for the objects within.
    public static func unarchivedObject<Object: NSObject & NSCoding>(
        ofClass type: Object.Type,
        from data: Data,
        limits: ArchiveLimits = ArchiveLimits(),
        classes: ClassTable = ClassTable()
    ) throws -> Object? {
        let object = try unarchivedObject(ofClasses: [type], from: data, limits: limits, classes: classes)
        return try object.map { try expect($0 as? Object, $0) }
    }

    /// The object at the root, of exactly one of these classes. The same list is for the contents of collections.
    public static func unarchivedObject(
        ofClasses types: [AnyClass],
        from data: Data,
        limits: ArchiveLimits = ArchiveLimits(),
        classes: ClassTable = ClassTable()
    ) throws -> Any? {
        let unarchiver = try SecureUnarchiver(forReadingFrom: data, limits: limits, classes: classes)
        guard unarchiver.containsValue(forKey: NSKeyedArchiveRootObjectKey) else {
            throw ArchiveError(.damaged, "there is no root object", at: "$top")
        }
        let object = unarchiver.decodeObject(of: types, forKey: NSKeyedArchiveRootObjectKey)
        if let error = unarchiver.error { throw error }
        return object
    }

    /// The array at the root, whose elements are of exactly this class.
    public static func unarchivedArrayOfObjects<Element: NSObject & NSSecureCoding>(
        ofClass type: Element.Type,
        from data: Data,
        limits: ArchiveLimits = ArchiveLimits(),
        classes: ClassTable = ClassTable()
    ) throws -> [Element]? {
        let types: [AnyClass] = [NSArray.self, type]
        let found = try unarchivedObject(ofClasses: types, from: data, limits: limits, classes: classes)
        return try found.map { try expect(($0 as? NSArray)?.allElements(as: type), $0) }
    }

    /// The dictionary at the root, whose keys and values are of exactly these classes.
    public static func unarchivedDictionary<
        Key: NSObject & NSSecureCoding & NSCopying,
        Value: NSObject & NSSecureCoding
    >(
        ofKeyClass keyType: Key.Type,
        objectClass valueType: Value.Type,
        from data: Data,
        limits: ArchiveLimits = ArchiveLimits(),
        classes: ClassTable = ClassTable()
    ) throws -> [Key: Value]? {
        let types: [AnyClass] = [NSDictionary.self, keyType, valueType]
        let found = try unarchivedObject(ofClasses: types, from: data, limits: limits, classes: classes)
        return try found.map { try expect(($0 as? NSDictionary)?.allEntries(keyType, valueType), $0) }
    }

    private static func expect<Value>(_ value: Value?, _ found: Any) throws(ArchiveError) -> Value {
        guard let value else {
            let words = "\(Value.self) was expected, and \(type(of: found)) is there or in it"
            throw ArchiveError(.notAllowed, words, at: "$top.\(NSKeyedArchiveRootObjectKey)")
        }
        return value
    }
}
