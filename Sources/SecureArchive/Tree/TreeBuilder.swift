/// A tree that grows while a text is read from beginning to end, within the limits. Open collections are in a list, so
/// that no depth can exhaust the stack. Its errors have no place; ``steps`` has it.
struct TreeBuilder {
    /// The whole tree, once its root is complete.
    private(set) var root: ArchiveValue?
    /// The rest of the limits. Code asks it before it makes a value to put.
    var budget: ReadingBudget
    private let depthLimit: Int
    private var open: [OpenCollection] = []
    /// By depth: the keys of the last dictionary that ended there. The next one often has the same keys and shares
    /// them.
    private var lastKeys: [FieldKeys] = []

    /// - Parameter depthLimit: the count of collections within each other
    init(drawingOn budget: ReadingBudget, depthLimit: Int) {
        self.budget = budget
        self.depthLimit = depthLimit
    }

    /// True if the next value is in a dictionary; nil for the root.
    var isInDictionary: Bool? { open.last?.isDictionary }

    /// True if the open dictionary has a key without a value.
    var awaitsValue: Bool { open.last?.awaitsValue ?? false }

    /// Puts the key of the next value.
    mutating func put(key: String) throws(ArchiveError) {
        try take(text: key)
        try open[open.count - 1].put(key: key, drawingOn: &budget)
    }

    /// Puts a value without others inside.
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

    /// Ends the open collection, after the caller has checked that it may end.
    ///
    /// - Parameter meaning: the value that the collection stands for in the format
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

    /// The path to the next value, or to the value of an error.
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
        /// An object for the list and its arrays; then for each key itself and its slot in a table that may be twice as
        /// large as needed.
        private static let memoryOfKeys = 128
        private static let memoryPerKey = 40
        private static let reservedAtMost = 16

        let isDictionary: Bool
        private(set) var values: [ArchiveValue] = []
        private(set) var awaitsValue = false
        /// As long as no other key comes, the first keys of these are the keys of the dictionary.
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

        /// All keys, shared if they are the likely ones.
        var keys: FieldKeys {
            if let ownKeys { return FieldKeys(ownKeys) }
            if keyCount == likelyKeys.strings.count { return likelyKeys }
            return FieldKeys(likelyKeys.strings.prefix(keyCount))
        }

        /// Puts a key; changes nothing if it throws.
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
                throw ArchiveError(.damaged, "a key occurs twice").inside(.key(key))
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
