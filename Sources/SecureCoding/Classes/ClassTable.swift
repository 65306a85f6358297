public import SecureArchive

/// The names of classes in archives, if they differ from Swift's.
///
/// Without an entry a class is written under its plain name, as Apple writes it (`SimpleCharacter`), and read under
/// that and its full name (`Game.SimpleCharacter`). A name is only compared with those of classes that the program
/// itself named. No class is looked up by a name.
///
/// The classes of values (`NSArray`, `NSString`…) keep their names, with any table.
public struct ClassTable {
    private var written: [ObjectIdentifier: ClassName] = [:]
    private var alsoRead: [ObjectIdentifier: Set<String>] = [:]
    private var standIns: [ObjectIdentifier: [AnyClass]] = [:]

    /// A table with Swift's names only.
    public init() {}

    /// Writes the class under this name, and also reads it under this name.
    public mutating func setName(_ name: ClassName, for type: AnyClass) {
        written[ObjectIdentifier(type)] = name
        addName(name, for: type)
    }

    /// Also reads the class under this name.
    public mutating func addName(_ name: ClassName, for type: AnyClass) {
        alsoRead[ObjectIdentifier(type), default: []].insert(name.description)
    }

    /// Accepts instances of a class at every call that asks for another one. Without this, not even a subclass is
    /// accepted.
    public mutating func allow(_ type: AnyClass, inPlaceOf other: AnyClass) {
        standIns[ObjectIdentifier(other), default: []].append(type)
    }

    /// The name to write; nil for a class without one: a generic class, or one within a function.
    func writtenName(of type: AnyClass) -> ClassName? {
        written[ObjectIdentifier(type)] ?? ClassName(String(describing: type))
    }

    func readNames(of type: AnyClass) -> Set<String> {
        var names = alsoRead[ObjectIdentifier(type)] ?? []
        for name in [String(describing: type), String(reflecting: type)] where ClassName(name) != nil {
            names.insert(name)
        }
        return names
    }

    /// The class itself first, then the classes that are accepted in its place.
    func candidates(for type: AnyClass) -> [AnyClass] {
        [type] + (standIns[ObjectIdentifier(type)] ?? [])
    }
}
