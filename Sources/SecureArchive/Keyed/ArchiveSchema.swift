/// The rules for a keyed archive: its classes by exact names, with their fields and types, and the keys at its top.
///
/// There are no subclasses here: a name is in the table or not.
public struct ArchiveSchema: Sendable {
    /// The keys that an archive must have at its top, or may have if their type is optional. Other keys may exist, too,
    /// with any allowed value; `root` is an object of any allowed class.
    public var top: [ArchiveField] = []

    private(set) var classes: [ClassName: ArchiveClass] = [:]
    private(set) var aliases: [ClassName: ClassName] = [:]

    /// These classes and no other.
    public init(_ classes: some Sequence<ArchiveClass>) {
        for allowed in classes { allow(allowed) }
    }

    /// The standard value classes: dictionaries, arrays, texts, numbers, data, dates, sets, UUIDs, URLs, null, and
    /// their mutable forms.
    public static let values = ArchiveSchema(ArchiveClass.standard)

    /// Allows one more class, in place of one of the same name.
    public mutating func allow(_ allowed: ArchiveClass) {
        classes[allowed.name] = allowed
    }

    /// Reads another spelling as the name of an allowed class, such as `Game.Character` as `Character`. The writer uses
    /// the latter.
    public mutating func allow(_ alias: ClassName, as name: ClassName) {
        aliases[alias] = name
    }

    /// Removes a class.
    public mutating func forbid(_ name: ClassName) {
        classes[name] = nil
    }

    /// The same with more classes.
    public func allowing(_ more: ArchiveClass...) -> ArchiveSchema {
        var schema = self
        for allowed in more { schema.allow(allowed) }
        return schema
    }

    /// The allowed class with a name as an archive spells it.
    public func allowedClass(_ name: ClassName) -> ArchiveClass? {
        classes[aliases[name] ?? name]
    }

    /// The type for a key at the top of an archive; nil if none is declared.
    func topType(of key: String) -> ArchiveType? {
        top.first { $0.key == key }?.type ?? (key == "root" ? .any : nil)
    }

    /// The names of all allowed classes, and the other spellings, in alphabetical order.
    public var names: [ClassName] {
        (Array(classes.keys) + aliases.keys).sorted { $0.description < $1.description }
    }
}
