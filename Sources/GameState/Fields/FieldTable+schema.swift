public import SecureArchive

extension FieldTable {
    /// The class for keyed archives, with exactly these fields, by their keys or in their order. Nil for a plain
    /// dictionary.
    public var archiveClass: ArchiveClass? {
        guard let className else { return nil }
        let declared = fields.compactMap { field in field.key.map { ArchiveField($0, field.typeInArchives) } }
        return ArchiveClass(className, fields: declared, unkeyed: fields.map(\.typeWithoutKeys))
    }
}

extension Field {
    fileprivate var typeInArchives: ArchiveType { isRequired ? archiveType : .optional(archiveType) }

    /// The type in an archive without keys, in which games have written numbers in either form.
    fileprivate var typeWithoutKeys: ArchiveType {
        switch archiveType {
        case .bool, .integer, .real, .orText: isRequired ? .scalar : .optional(.scalar)
        default: typeInArchives
        }
    }
}

extension ArchiveSchema {
    /// Allows the class of a model, under all names that programs have written.
    public mutating func allow<Model>(_ table: FieldTable<Model>) {
        guard let allowed = table.archiveClass else { return }
        allow(allowed)
        for alias in table.otherClassNames { allow(alias, as: allowed.name) }
    }
}
