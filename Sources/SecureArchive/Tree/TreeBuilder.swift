/// A tree that grows while a text is read from its beginning to its end, held to the limits. It keeps the open collections in a
/// list of its own, so that no depth can use up the stack. What it throws does not say where; ``steps`` does.
struct TreeBuilder {
    /// The whole tree, once its root is complete.
    private(set) var root: ArchiveValue?
    /// What is left of the limits. Whoever makes something before it is put asks whether it may.
    var budget: ReadingBudget
    private let depthLimit: Int
    private var open: [OpenCollection] = []
    /// By depth: the keys of the dictionary that ended there last. The next one often has the same, and shares them.
    private var lastKeys: [FieldKeys] = []

    /// - Parameter depthLimit: how many collections may stand in each other
    init(drawingOn budget: ReadingBudget, depthLimit: Int) {
        self.budget = budget
        self.depthLimit = depthLimit
    }

    /// What the next value stands in; nil for the root.
    var isInDictionary: Bool? { open.last?.isDictionary }

    /// Whether the dictionary that is open has a key without a value.
    var awaitsValue: Bool { open.last?.awaitsValue ?? false }

    /// The key whose value comes next.
    mutating func put(key: String) throws(ArchiveError) {
        try take(text: key)
        try open[open.count - 1].put(key: key, drawingOn: &budget)
    }

    /// A value that has no others inside.
    mutating func put(_ value: ArchiveValue) throws(ArchiveError) {
        switch value {
        case .string(let text): try take(text: text)
        case .data(let data):
            try budget.take(bytes: data.count)
            try budget.hold(data: data.count)
        default: try budget.take()
        }
        try place(value)
    }

    mutating func openCollection(isDictionary: Bool) throws(ArchiveError) {
        try budget.take()
        guard open.count < depthLimit else {
            throw ArchiveError(.tooLarge, "it is nested more than \(depthLimit) deep")
        }
        let likelyKeys = isDictionary && open.count < lastKeys.count ? lastKeys[open.count] : .none
        open.append(OpenCollection(isDictionary: isDictionary, likelyKeys: likelyKeys))
    }

    /// Ends the collection that is open. Whether it may end here has been checked.
    ///
    /// - Parameter meaning: what the collection stands for in the format
    mutating func close(
        as meaning: (ArchiveValue) throws(ArchiveError) -> ArchiveValue = { $0 }
    ) throws(ArchiveError) {
        let closed = open.removeLast()
        guard closed.isDictionary else { return try place(meaning(.array(closed.values))) }
        let keys = closed.keys
        while lastKeys.count <= open.count {
            lastKeys.append(.none)
        }
        lastKeys[open.count] = keys
        try place(meaning(.dictionary(ArchiveFields(keys, values: closed.values))))
    }

    /// The way to where the next value stands, or to what something was thrown about.
    var steps: [PathStep] {
        open.compactMap { $0.isDictionary ? $0.lastKey.map { .key($0) } : .index($0.values.count) }
    }

    private mutating func place(_ value: ArchiveValue) throws(ArchiveError) {
        if open.isEmpty {
            root = value
        } else {
            try open[open.count - 1].put(value, drawingOn: &budget)
        }
    }

    private mutating func take(text: String) throws(ArchiveError) {
        let count = text.utf8.count
        try budget.check(textBytes: count)
        try budget.take(bytes: count)
        try budget.hold(text: count)
    }
}

extension TreeBuilder {
    private struct OpenCollection {
        /// An object for the list, its arrays; then for each key itself and its place in a table that may be twice as large as it must.
        private static let memoryOfKeys = 128
        private static let memoryPerKey = 40
        private static let reservedAtMost = 16

        let isDictionary: Bool
        private(set) var values: [ArchiveValue] = []
        private(set) var awaitsValue = false
        /// Of these, as many have come as there are values, as long as there are no others.
        private let likelyKeys: FieldKeys
        private var ownKeys: LiteralStrings?
        private var keyCount = 0

        init(isDictionary: Bool, likelyKeys: FieldKeys) {
            self.isDictionary = isDictionary
            self.likelyKeys = likelyKeys
        }

        /// The key whose value is being read; nil before the first and between a value and the next key.
        var lastKey: String? {
            awaitsValue ? (ownKeys?.texts ?? likelyKeys.strings.texts)[keyCount - 1] : nil
        }

        /// All keys, shared where they are those that were likely.
        var keys: FieldKeys {
            if let ownKeys { return FieldKeys(ownKeys) }
            if keyCount == likelyKeys.strings.count { return likelyKeys }
            return FieldKeys(likelyKeys.strings.prefix(keyCount))
        }

        /// Changes nothing where it throws.
        mutating func put(key: String, drawingOn budget: inout ReadingBudget) throws(ArchiveError) {
            if ownKeys == nil, keyCount < likelyKeys.strings.count,
                likelyKeys.strings.texts[keyCount].isLiterally(key)
            {
                keyCount += 1
                awaitsValue = true
                return
            }
            if ownKeys == nil {
                try budget.hold(memory: Self.memoryOfKeys + Self.memoryPerKey * (keyCount + 1))
                ownKeys = likelyKeys.strings.prefix(keyCount)
            } else {
                try budget.hold(memory: Self.memoryPerKey)
            }
            guard ownKeys?.insert(key).isNew == true else {
                throw ArchiveError(.damaged, "a key stands twice").inside(.key(key))
            }
            keyCount += 1
            awaitsValue = true
        }

        mutating func put(_ value: ArchiveValue, drawingOn budget: inout ReadingBudget) throws(ArchiveError) {
            if values.count == values.capacity {
                let likely = ownKeys == nil ? min(likelyKeys.strings.count, Self.reservedAtMost) : 0
                let capacity = max(likely, values.isEmpty ? 2 : values.count * 2)
                try budget.hold(elements: capacity - values.count)
                values.reserveCapacity(capacity)
            }
            values.append(value)
            awaitsValue = false
        }
    }
}

extension LiteralStrings {
    fileprivate func prefix(_ count: Int) -> LiteralStrings {
        var first = LiteralStrings()
        for text in texts.prefix(count) {
            _ = first.insert(text)
        }
        return first
    }
}
