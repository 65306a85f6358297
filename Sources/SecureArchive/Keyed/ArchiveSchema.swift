/// What may be in a keyed archive: which classes by their exact names, with which fields of which types, and what the archive begins with.
///
/// There are no subclasses here: a name is in the table or it is not.
public struct ArchiveSchema: Sendable {
    /// What an archive has to begin with, unless it is optional, and may begin with. A key that is not listed may be there too, with any value
    /// that is allowed; `root` is an object of any class that is allowed.
    public var top: [ArchiveField] = []

    private(set) var classes: [ClassName: ArchiveClass] = [:]
    private(set) var aliases: [ClassName: ClassName] = [:]

    /// These classes and no other.
    public init(_ classes: some Sequence<ArchiveClass>) {
        for allowed in classes { allow(allowed) }
    }

    /// The standard value classes: dictionaries, arrays, texts, numbers, data, dates, sets, UUIDs, URLs, null, and their mutable forms.
    public static let values = ArchiveSchema(ArchiveClass.standard)

    /// Allows one more class, in the place of one of the same name.
    public mutating func allow(_ allowed: ArchiveClass) {
        classes[allowed.name] = allowed
    }

    /// Reads another spelling as the name of an allowed class, such as `Game.Character` as `Character`. It is written under the latter.
    public mutating func allow(_ alias: ClassName, as name: ClassName) {
        aliases[alias] = name
    }

    /// Takes a class out again.
    public mutating func forbid(_ name: ClassName) {
        classes[name] = nil
    }

    /// The same with more classes.
    public func allowing(_ more: ArchiveClass...) -> ArchiveSchema {
        var schema = self
        for allowed in more { schema.allow(allowed) }
        return schema
    }

    /// What is allowed under a name as an archive spells it.
    public func allowedClass(_ name: ClassName) -> ArchiveClass? {
        classes[aliases[name] ?? name]
    }

    /// What an archive may hold under a key that it begins with; nil where nothing says so.
    func topType(of key: String) -> ArchiveType? {
        top.first { $0.key == key }?.type ?? (key == "root" ? .any : nil)
    }

    /// The names of all classes that are allowed, and the other spellings, in the order of the alphabet.
    public var names: [ClassName] {
        (Array(classes.keys) + aliases.keys).sorted { $0.description < $1.description }
    }
}
