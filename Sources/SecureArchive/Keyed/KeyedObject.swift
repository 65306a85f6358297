/// What stands at a number of a keyed archive.
public enum KeyedObject: Sendable {
    /// Number 0: no object.
    case null
    /// A text, number, data or date that stands there as it is.
    case value(ArchiveValue)
    /// An object of a class, with its fields by key. References among them are numbers of other objects.
    case instance(KeyedClass, ArchiveFields)
    /// The definition of a class.
    case definition(KeyedClass)
    /// An array or a dictionary without a class, which no archiver makes.
    case bare(ArchiveValue)
}
