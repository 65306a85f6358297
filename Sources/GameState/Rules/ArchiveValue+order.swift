import SecureArchive

extension ArchiveValue {
    /// Each child with the step to it. Objects are transparent.
    var children: [(step: StatePath.Step, value: ArchiveValue)] {
        switch untagged {
        case .array(let elements): elements.enumerated().map { (.index($0), $1) }
        case .dictionary(let fields): fields.map { (.key($0.key), $0.value) }
        default: []
        }
    }

    /// True if this value comes before another. The order depends only on the content of values, so that two machines
    /// sort the same values alike: by kind, then by size, letters, or content. Numbers of both kinds are ordered by
    /// size.
    func stands(before other: ArchiveValue) -> Bool {
        Self.order(self, other) == .before
    }

    /// True if this value comes before another in the same order, with numbers in texts as numbers: “9” is less than
    /// “10”. Values of one size keep the order of ``stands(before:)``.
    func isSmaller(than other: ArchiveValue) -> Bool {
        let (mine, theirs) = (number, other.number)
        if mine.stands(before: theirs) { return true }
        return !theirs.stands(before: mine) && stands(before: other)
    }

    /// The number in a text; any other value unchanged.
    var number: ArchiveValue {
        guard case .string(let text) = untagged, let number = ScoreNumber(text: text) else {
            return self
        }
        return number.value
    }

    private enum Order { case before, same, after }

    private static func order(_ left: ArchiveValue, _ right: ArchiveValue) -> Order {
        guard left.rank == right.rank else { return left.rank < right.rank ? .before : .after }
        switch (left, right) {
        case (.bool(let left), .bool(let right)): return order(left ? 1 : 0, right ? 1 : 0)
        case (.string(let left), .string(let right)): return order(left, right)
        case (.data(let left), .data(let right)): return order(left, right) { order($0, $1) }
        case (.date(let left), .date(let right)): return order(left, right)
        case (.array(let left), .array(let right)): return order(left, right) { order($0, $1) }
        case (.dictionary(let left), .dictionary(let right)): return order(left, right)
        case (.reference(let left), .reference(let right)): return order(left, right)
        case (.tagged(let leftName, let left), .tagged(let rightName, let right)):
            let names = order(leftName.description, rightName.description)
            return names == .same ? order(left, right) : names
        default: return orderNumbers(left, right)
        }
    }

    private static func orderNumbers(_ left: ArchiveValue, _ right: ArchiveValue) -> Order {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): return order(left, right)
        case (.real(let left), .real(let right)): return order(left, right)
        case (.integer, .real(let right)) where right.value.isNaN: return .before
        case (.real(let left), .integer) where left.value.isNaN: return .after
        // If an integer and a real have the same size, the integer comes first.
        case (.integer(let left), .real(let right)):
            return right.value.isSmaller(than: left) ? .after : .before
        case (.real(let left), .integer(let right)):
            return left.value.isSmaller(than: right) ? .before : .after
        default: return .same
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .bool: 1
        case .integer, .real: 2
        case .string: 3
        case .data: 4
        case .date: 5
        case .array: 6
        case .dictionary: 7
        case .reference: 8
        case .tagged: 9
        }
    }

    private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Order {
        left < right ? .before : right < left ? .after : .same
    }

    /// By bytes, because texts that look alike may differ.
    private static func order(_ left: String, _ right: String) -> Order {
        if left.isLiterally(right) { return .same }
        return left.utf8.lexicographicallyPrecedes(right.utf8) ? .before : .after
    }

    private static func order<Element>(
        _ left: [Element],
        _ right: [Element],
        _ compare: (Element, Element) -> Order
    ) -> Order {
        for (left, right) in zip(left, right) {
            let found = compare(left, right)
            if found != .same { return found }
        }
        return order(left.count, right.count)
    }

    private static func order(_ left: ArchiveFields, _ right: ArchiveFields) -> Order {
        let leftKeys = left.keys.sorted { order($0, $1) == .before }
        let rightKeys = right.keys.sorted { order($0, $1) == .before }
        let keys = order(leftKeys, rightKeys) { order($0, $1) }
        guard keys == .same else { return keys }
        for key in leftKeys {
            guard let left = left[key], let right = right[key] else { continue }
            let found = order(left, right)
            if found != .same { return found }
        }
        return .same
    }
}

extension Double {
    /// Compares without rounding.
    func isSmaller(than integer: ArchiveInteger) -> Bool {
        if let signed = integer.value(as: Int64.self) { return ScoreNumber.real(self).isLess(than: .whole(signed)) }
        guard let unsigned = integer.value(as: UInt64.self) else { return false }
        return UInt64(exactly: rounded(.up)).map { $0 < unsigned || $0 == unsigned && self < Double($0) } ?? (self < 0)
    }
}
