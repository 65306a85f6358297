/// Keys with their values, in the order in which they were written. No key occurs twice; keys are the same when their bytes are.
///
/// Looking up is by hashing with a key of this process's own, so that nobody outside can choose keys that collide.
public struct ArchiveFields: Sendable {
    /// Shared with others of the same keys until it is changed.
    package private(set) var sharedKeys: FieldKeys
    /// As many as there are keys, in the same order.
    public private(set) var values: [ArchiveValue]

    /// No keys yet.
    public init(reserving capacity: Int = 0) {
        sharedKeys = capacity == 0 ? .none : FieldKeys(LiteralStrings(reserving: capacity))
        values = []
        values.reserveCapacity(capacity)
    }

    /// As many values as there are keys, in their order.
    package init(_ sharedKeys: FieldKeys, values: [ArchiveValue]) {
        assert(sharedKeys.strings.count == values.count)
        self.sharedKeys = sharedKeys
        self.values = values
    }

    /// In the order in which they were written.
    public var keys: [String] { sharedKeys.strings.texts }

    /// The value of a key. Setting appends a new key at the end and leaves a known one where it stands; nil removes it.
    public subscript(key: String) -> ArchiveValue? {
        get { position(of: key).map { values[$0] } }
        set {
            switch (position(of: key), newValue) {
            case (let position?, let value?): values[position] = value
            case (let position?, nil): remove(at: position)
            case (nil, let value?): _ = append(value, for: key)
            case (nil, nil): break
            }
        }
    }

    /// Adds a key at the end, or says that it is there already and changes nothing.
    public mutating func append(_ value: ArchiveValue, for key: String) -> Bool {
        makeKeysOwn()
        guard sharedKeys.strings.insert(key).isNew else { return false }
        values.append(value)
        return true
    }

    /// Takes out all keys that meet a condition. The others stay in their order.
    public mutating func removeAll(where isToGo: (String) -> Bool) {
        var kept = ArchiveFields(reserving: count)
        for (key, value) in self where !isToGo(key) { _ = kept.append(value, for: key) }
        self = kept
    }

    /// The same keys, which take no room a second time, with other values.
    package func mapValues(_ transform: (ArchiveValue) -> ArchiveValue) -> ArchiveFields {
        ArchiveFields(sharedKeys, values: values.map(transform))
    }

    /// Where a key stands, or nil.
    public func position(of key: String) -> Int? {
        sharedKeys.strings.position(of: key)
    }

    /// Changes a value where it stands, without a copy of what lies below it. Traps at a position that does not exist.
    public mutating func update<Result, Failure: Error>(
        at position: Int,
        _ body: (inout ArchiveValue) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(&values[position])
    }

    private mutating func remove(at position: Int) {
        makeKeysOwn()
        sharedKeys.strings.remove(at: position)
        values.remove(at: position)
    }

    private mutating func makeKeysOwn() {
        if !isKnownUniquelyReferenced(&sharedKeys) { sharedKeys = FieldKeys(sharedKeys.strings) }
    }
}

extension ArchiveFields: RandomAccessCollection {
    /// Always 0.
    public var startIndex: Int { 0 }
    /// How many keys there are.
    public var endIndex: Int { values.count }

    /// The key and the value that stand at a position.
    public subscript(position: Int) -> (key: String, value: ArchiveValue) {
        (sharedKeys.strings.texts[position], values[position])
    }
}

extension ArchiveFields: Equatable {
    /// The same keys with the same values, in whatever order.
    public static func == (left: Self, right: Self) -> Bool {
        guard left.count == right.count else { return false }
        if left.sharedKeys === right.sharedKeys { return left.values == right.values }
        return zip(left.keys, left.values).allSatisfy { key, value in
            right.position(of: key).map { right.values[$0] == value } ?? false
        }
    }
}

extension ArchiveFields: ExpressibleByDictionaryLiteral {
    /// For what stands in the source. Traps if a key stands there twice.
    public init(dictionaryLiteral elements: (String, ArchiveValue)...) {
        self.init(reserving: elements.count)
        for (key, value) in elements {
            precondition(append(value, for: key), "the key “\(key)” stands twice")
        }
    }
}
