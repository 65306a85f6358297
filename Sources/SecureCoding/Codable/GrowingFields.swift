internal import SecureArchive

/// The keys and values of a dictionary while they come. As long as its keys are those of another, in their order, none is kept once more, and in the
/// end both have the same.
struct GrowingFields {
    private let likely: FieldKeys
    /// Where other keys have come.
    private var own: ArchiveFields?
    /// Where none have.
    private var values: [ArchiveValue] = []

    /// - Parameter likely: the keys of the dictionary that was said last in such a place
    init(likely: FieldKeys) {
        self.likely = likely
    }

    /// Puts a value at the end, or in the place of the one that the key has; says where it stands.
    mutating func put(_ value: ArchiveValue, for key: String) -> Int {
        if own == nil {
            let position = values.count
            if position < likely.texts.count, likely.texts[position].isLiterally(key) {
                if position == 0 { values.reserveCapacity(likely.texts.count) }
                values.append(value)
                return position
            }
            own = fields
            values = []
        }
        return own?.put(value, for: key) ?? 0
    }

    mutating func update(at position: Int, to value: ArchiveValue) {
        if own == nil { values[position] = value } else { own?.update(at: position) { $0 = value } }
    }

    /// All that has come.
    var fields: ArchiveFields {
        if let own { return own }
        if values.count == likely.texts.count { return ArchiveFields(likely, values: values) }
        var fields = ArchiveFields()
        for (key, value) in zip(likely.texts, values) { _ = fields.append(value, for: key) }
        return fields
    }
}

extension ArchiveFields {
    fileprivate mutating func put(_ value: ArchiveValue, for key: String) -> Int {
        if append(value, for: key) { return count - 1 }
        // A type that says a key twice means the last.
        self[key] = value
        return position(of: key) ?? 0
    }
}
