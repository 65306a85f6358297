public import SecureArchive

/// Values of one kind. Objects of a class count as their content. Nothing else is converted, except a whole number to a
/// real without loss.
extension GameState {
    /// A boolean.
    public func bool(at path: StatePath) throws(StateError) -> Bool {
        try typed(path, "a boolean") { if case .bool(let bool) = $0 { bool } else { nil } }
    }

    /// A whole number that fits into the type.
    public func integer<Number: FixedWidthInteger>(
        at path: StatePath,
        as type: Number.Type = Int.self
    ) throws(StateError) -> Number {
        let integer = try typed(path, "an integer") { if case .integer(let integer) = $0 { integer } else { nil } }
        guard let number = integer.value(as: Number.self) else {
            throw StateError(.wrongKind, "\(integer) does not fit into \(Number.self)", at: path)
        }
        return number
    }

    /// A real, or a whole number that a real can hold.
    public func real(at path: StatePath) throws(StateError) -> Double {
        try typed(path, "a number") { $0.exactReal }
    }

    /// A string.
    public func string(at path: StatePath) throws(StateError) -> String {
        try typed(path, "a string") { if case .string(let string) = $0 { string } else { nil } }
    }

    /// Bytes.
    public func data(at path: StatePath) throws(StateError) -> [UInt8] {
        try typed(path, "data") { if case .data(let bytes) = $0 { bytes } else { nil } }
    }

    /// A date.
    public func date(at path: StatePath) throws(StateError) -> ArchiveDate {
        try typed(path, "a date") { if case .date(let date) = $0 { date } else { nil } }
    }

    /// The elements of an array.
    public func elements(at path: StatePath) throws(StateError) -> [ArchiveValue] {
        try typed(path, "an array") { if case .array(let elements) = $0 { elements } else { nil } }
    }

    /// The keys of a dictionary, or the fields of an object, with their values.
    public func fields(at path: StatePath) throws(StateError) -> ArchiveFields {
        try typed(path, "a dictionary") { if case .dictionary(let fields) = $0 { fields } else { nil } }
    }

    private func typed<Result>(
        _ path: StatePath,
        _ wanted: String,
        _ read: (ArchiveValue) -> Result?
    ) throws(StateError) -> Result {
        let value = try value(at: path).untagged
        guard let result = read(value) else {
            throw StateError(.wrongKind, "it is \(value.kindInWords), not \(wanted)", at: path)
        }
        return result
    }
}

extension ArchiveValue {
    /// The number as a real, if it is finite and loses nothing.
    package var exactReal: Double? {
        switch self {
        case .real(let real): real.isFinite ? real.value : nil
        case .integer(let integer):
            (integer.value(as: Int64.self).flatMap { Double(exactly: $0) })
                ?? integer.value(as: UInt64.self).flatMap { Double(exactly: $0) }
        default: nil
        }
    }
}
