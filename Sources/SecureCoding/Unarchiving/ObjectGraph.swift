internal import SecureArchive
internal import Vocabulary

/// The objects of a keyed archive, one by one.
struct ObjectGraph {
    /// The content of an object.
    enum Record {
        case nothing
        /// A plain text, number, data or date.
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

    /// The plain value of most objects, without the way through ``record(_:)``.
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
