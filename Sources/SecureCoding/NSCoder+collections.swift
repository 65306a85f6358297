public import Foundation
internal import SecureArchive

// Apple's calls that Foundation on Linux does not have, with Apple's names, so that classes which use them compile.
extension NSCoder {
    /// An array of objects of one class. An object of another class is an error.
    public func decodeArrayOfObjects<Element: NSObject & NSSecureCoding>(
        ofClass type: Element.Type,
        forKey key: String
    ) -> [Element]? {
        guard let array = decodeObject(of: [NSArray.self, type], forKey: key) else { return nil }
        guard let elements = (array as? NSArray)?.allElements(as: type) else { return refuse(key) }
        return elements
    }

    /// An array of objects of some classes.
    public func decodeArrayOfObjects(ofClasses types: [AnyClass], forKey key: String) -> [Any]? {
        guard let array = decodeObject(of: [NSArray.self] + types, forKey: key) else { return nil }
        guard let array = array as? NSArray else { return refuse(key) }
        return array.map { $0 }
    }

    /// A dictionary with keys of one class and values of another.
    public func decodeDictionary<Key: NSObject & NSSecureCoding & NSCopying, Value: NSObject & NSSecureCoding>(
        withKeyClass keyType: Key.Type,
        objectClass valueType: Value.Type,
        forKey key: String
    ) -> [Key: Value]? {
        guard let found = decodeObject(of: [NSDictionary.self, keyType, valueType], forKey: key) else { return nil }
        guard let entries = (found as? NSDictionary)?.allEntries(keyType, valueType) else { return refuse(key) }
        return entries
    }

    private func refuse<Value>(_ key: String) -> Value? {
        failWithError(ArchiveError(.notAllowed, "a collection holds what was not asked for"))
        return nil
    }
}

extension NSArray {
    /// Its elements, if all are of a class.
    func allElements<Element: NSObject>(as type: Element.Type) -> [Element]? {
        let elements = compactMap { $0 as AnyObject as? Element }
        return elements.count == count ? elements : nil
    }
}

extension NSDictionary {
    /// Its keys and values, if all are of these classes.
    func allEntries<Key: NSObject, Value: NSObject>(_ keys: Key.Type, _ values: Value.Type) -> [Key: Value]? {
        var entries: [Key: Value] = [:]
        for (key, value) in self {
            guard let key = key as AnyObject as? Key, let value = value as AnyObject as? Value else { return nil }
            entries[key] = value
        }
        return entries
    }
}
