internal import SecureArchive
internal import Vocabulary

/// The fields of an object while it encodes itself.
struct WritingPlace {
    /// The object's number; nil for the top.
    let id: UInt32?
    private(set) var fields = ArchiveFields()
    /// True if the object's class adopts ``BackReferenceDecoding``; nil for collections and the top.
    let receivesBackReferences: Bool?
    /// The count of values without keys so far.
    private var given = 0

    init(id: UInt32?, receivesBackReferences: Bool? = nil) {
        self.id = id
        self.receivesBackReferences = receivesBackReferences
    }

    /// Puts a field. Keys that begin with `$` are the archive's own, so a class's key gets another `$`.
    mutating func put(_ value: ArchiveValue, forKey key: String) {
        put(value, ofArchive: key.utf8.first == UInt8(ascii: "$") ? "$" + key : key)
    }

    mutating func putNext(_ value: ArchiveValue) {
        put(value, ofArchive: "$\(given)")
        given += 1
    }

    /// Puts a field of the archive. If a class encodes a key twice, the last value counts.
    mutating func put(_ value: ArchiveValue, ofArchive key: String) {
        if !fields.append(value, for: key) { fields[key] = value }
    }

    func path(_ key: String) -> String {
        let place = id.map { "$objects[\($0)]" } ?? "$top"
        return "\(place).\(PrintableText(key, limit: 80))"
    }
}
