internal import Foundation
internal import SecureArchive

/// The fields of an object while it decodes itself.
final class Container {
    /// The object's number; nil for the top.
    let id: UInt32?
    let fields: ArchiveFields
    /// The class that decodes itself from these fields; nil for the top.
    let type: (any NSSecureCoding.Type)?
    /// Fields that got nil, because their objects were still being read.
    private(set) var later: [(key: String, id: UInt32, list: ClassList)] = []
    /// The count of objects within each other below this one.
    var height = 0
    /// The count of values without keys so far.
    private var taken = 0

    init(id: UInt32?, fields: ArchiveFields, _ type: (any NSSecureCoding.Type)? = nil) {
        self.id = id
        self.fields = fields
        self.type = type
    }

    /// Records a field whose object is handed over later.
    func postpone(_ key: String, _ id: UInt32, under list: ClassList) {
        later.append((key, id, list))
    }

    /// The value of a key. Keys that begin with `$` are the archive's own, so a class's key has another `$`.
    func value(forKey key: String) -> ArchiveValue? {
        fields[key.utf8.first == UInt8(ascii: "$") ? "$" + key : key]
    }

    /// The key of the next value without a key of its own.
    func nextKey() -> String {
        defer { taken += 1 }
        return "$\(taken)"
    }

    func spot(_ key: String) -> Spot {
        Spot(id: id, key: key)
    }
}
