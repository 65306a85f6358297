internal import SecureArchive

/// The object that contains several values of one C type.
enum OldStyleArray {
    static let className = "_NSKeyedCoderOldStyleArray"

    /// The fields of the object, if it contains exactly the expected values.
    static func fields(
        _ value: ArchiveValue,
        _ state: UnarchivingState,
        _ code: ScalarCode,
        count: Int
    ) throws(ArchiveError) -> ArchiveFields {
        guard case .reference(let id) = value, case .object(let definition, let fields) = try state.record(id),
            definition.name.description == className
        else {
            throw ArchiveError(.damaged, "no values of one type stand here")
        }
        let expected: [(String, Int)] = [
            ("NS.count", count), ("NS.size", code.size ?? 0), ("NS.type", Int(code.letter)),
        ]
        for (key, number) in expected where fields[key] != .integer(ArchiveInteger(number)) {
            throw ArchiveError(.damaged, "\(key) is not the \(number) that was asked for")
        }
        for index in 0..<count where fields["$\(index)"] == nil {
            throw ArchiveError(.damaged, "value \(index) is missing")
        }
        return fields
    }
}
