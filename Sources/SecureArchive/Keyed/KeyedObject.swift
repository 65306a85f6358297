/// An object at a number of a keyed archive.
public enum KeyedObject: Sendable {
    /// Number 0: no object.
    case null
    /// A plain text, number, data or date.
    case value(ArchiveValue)
    /// An object of a class, with its fields by key. References in them are numbers of other objects.
    case instance(KeyedClass, ArchiveFields)
    /// The definition of a class.
    case definition(KeyedClass)
    /// An array or a dictionary without a class. No archiver writes it.
    case bare(ArchiveValue)
}
