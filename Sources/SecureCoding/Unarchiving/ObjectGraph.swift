internal import SecureArchive
internal import Vocabulary

/// The objects of a keyed archive as they lie in it, one by one.
struct ObjectGraph {
    /// What an object says of itself.
    enum Record {
        case nothing
        /// Text, a number, data or a date that stands for itself.
        case plain(ArchiveValue)
        /// An object of a class, with its fields.
        case object(KeyedClass, ArchiveFields)
    }

    private let archive: KeyedArchive

    init(_ archive: KeyedArchive) {
        self.archive = archive
    }

    var top: ArchiveFields { archive.top }
    var count: Int { archive.count }

    /// What ``record(_:)`` says of most objects, without the way through it.
    func plainValue(_ id: UInt32) -> ArchiveValue? { archive.plainValue(id) }

    func record(_ id: UInt32) throws(ArchiveError) -> Record {
        guard id < archive.count else { throw ArchiveError(.damaged, "there is no object \(id)") }
        switch archive.object(id) {
        case .null: return .nothing
        case .value(let value): return .plain(value)
        case .instance(let definition, let fields): return .object(definition, fields)
        case .definition: throw ArchiveError(.damaged, "the definition of a class is no object", at: "$objects[\(id)]")
        case .bare(let value):
            throw ArchiveError(.damaged, "\(value.kindText) without a class is no object", at: "$objects[\(id)]")
        }
    }
}
