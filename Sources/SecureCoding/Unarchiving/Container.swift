internal import SecureArchive

/// The fields of an object while it decodes itself.
final class Container {
    /// The object's number, or nil for the top.
    let id: UInt32?
    let fields: ArchiveFields
    /// For the order of coding without keys.
    private var taken = 0

    init(id: UInt32?, fields: ArchiveFields) {
        self.id = id
        self.fields = fields
    }

    /// Keys that begin with `$` are the archive's own; those of a class are written with one more.
    func value(forKey key: String) -> ArchiveValue? {
        fields[key.utf8.first == UInt8(ascii: "$") ? "$" + key : key]
    }

    /// The key of the next value of those that were written without keys.
    func nextKey() -> String {
        defer { taken += 1 }
        return "$\(taken)"
    }

    func spot(_ key: String) -> Spot {
        Spot(id: id, key: key)
    }
}
