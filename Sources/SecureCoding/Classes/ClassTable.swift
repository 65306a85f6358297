public import SecureArchive

/// What classes are called in archives, where that is not what Swift calls them.
///
/// Without an entry a class is written under its plain name, as Apple writes it (`SimpleCharacter`), and read under that and under its full one
/// (`Game.SimpleCharacter`). A name is only ever compared with those of classes that the code itself has named; no class is ever looked up by one.
///
/// The classes that hold values (`NSArray`, `NSString`…) keep their names, whatever a table says.
public struct ClassTable {
    private var written: [ObjectIdentifier: ClassName] = [:]
    private var alsoRead: [ObjectIdentifier: Set<String>] = [:]
    private var standIns: [ObjectIdentifier: [AnyClass]] = [:]

    /// Nothing but what Swift calls them.
    public init() {}

    /// Writes the class under this name, and reads it under this name too.
    public mutating func setName(_ name: ClassName, for type: AnyClass) {
        written[ObjectIdentifier(type)] = name
        addName(name, for: type)
    }

    /// Reads the class under this name too.
    public mutating func addName(_ name: ClassName, for type: AnyClass) {
        alsoRead[ObjectIdentifier(type), default: []].insert(name.description)
    }

    /// Lets instances of a class stand wherever the code asks for another. A subclass stands nowhere by itself.
    public mutating func allow(_ type: AnyClass, inPlaceOf other: AnyClass) {
        standIns[ObjectIdentifier(other), default: []].append(type)
    }

    /// Nil for a class without a name that could be written: a generic one, or one inside of a function.
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

    /// The class itself first, then whatever may stand in its place.
    func candidates(for type: AnyClass) -> [AnyClass] {
        [type] + (standIns[ObjectIdentifier(type)] ?? [])
    }
}
