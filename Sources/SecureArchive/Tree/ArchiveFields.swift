/// Keys with their values, in the order of writing. No key occurs twice; two keys are equal if their bytes are.
///
/// The lookup hashes with a key of this process, so that a stranger can't choose keys that collide.
public struct ArchiveFields: Sendable {
    /// The keys, shared with other fields until one of them changes.
    package private(set) var sharedKeys: FieldKeys
    /// The values, in the order of the keys.
    public private(set) var values: [ArchiveValue]

    /// Fields without keys.
    public init(reserving capacity: Int = 0) {
        sharedKeys = capacity == 0 ? .none : FieldKeys(LiteralStrings(reserving: capacity))
        values = []
        values.reserveCapacity(capacity)
    }

    /// Keys with as many values, in their order.
    package init(_ sharedKeys: FieldKeys, values: [ArchiveValue]) {
        assert(sharedKeys.strings.count == values.count)
        self.sharedKeys = sharedKeys
        self.values = values
    }

    /// In the order in which they were written.
    public var keys: [String] { sharedKeys.strings.texts }

    /// The value of a key. A new key is appended, a known key keeps its place, and nil removes a key.
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

    /// Appends a key with its value; false if the key exists, and then nothing changes.
    public mutating func append(_ value: ArchiveValue, for key: String) -> Bool {
        makeKeysOwn()
        guard sharedKeys.strings.insert(key).isNew else { return false }
        values.append(value)
        return true
    }

    /// Removes all keys that meet a condition. The others keep their order.
    public mutating func removeAll(where isToGo: (String) -> Bool) {
        var kept = ArchiveFields(reserving: count)
        for (key, value) in self where !isToGo(key) { _ = kept.append(value, for: key) }
        self = kept
    }

    /// The same keys, which are shared, with other values.
    package func mapValues(_ transform: (ArchiveValue) -> ArchiveValue) -> ArchiveFields {
        ArchiveFields(sharedKeys, values: values.map(transform))
    }

    /// The position of a key, or nil.
    public func position(of key: String) -> Int? {
        sharedKeys.strings.position(of: key)
    }

    /// Changes a value in place, without a copy of its contents. Traps at a position that does not exist.
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

    /// The key and the value at a position.
    public subscript(position: Int) -> (key: String, value: ArchiveValue) {
        (sharedKeys.strings.texts[position], values[position])
    }
}

extension ArchiveFields: Equatable {
    /// Compares keys and values, in any order.
    public static func == (left: Self, right: Self) -> Bool {
        guard left.count == right.count else { return false }
        if left.sharedKeys === right.sharedKeys { return left.values == right.values }
        return zip(left.keys, left.values).allSatisfy { key, value in
            right.position(of: key).map { right.values[$0] == value } ?? false
        }
    }
}

extension ArchiveFields: ExpressibleByDictionaryLiteral {
    /// Fields from a literal. Traps if a key occurs twice.
    public init(dictionaryLiteral elements: (String, ArchiveValue)...) {
        self.init(reserving: elements.count)
        for (key, value) in elements {
            precondition(append(value, for: key), "the key “\(key)” is there twice")
        }
    }
}
