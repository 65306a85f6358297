internal import SecureArchive

/// The keys and values of a dictionary while they come. As long as its keys are those of another dictionary, in the
/// same order, no key is stored, and both share the keys.
struct GrowingFields {
    private let likely: FieldKeys
    /// The fields once other keys have come.
    private var own: ArchiveFields?
    /// The values until then.
    private var values: [ArchiveValue] = []

    /// - Parameter likely: the keys of the last dictionary at such a place
    init(likely: FieldKeys) {
        self.likely = likely
    }

    /// Appends a value, or replaces the value of the key. Returns its position.
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

    /// All fields so far.
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
        // If a type encodes a key twice, the last value counts.
        self[key] = value
        return position(of: key) ?? 0
    }
}
