internal import SecureArchive

/// Writes the keys that a type names.
struct KeyedWriting<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let encoder: ValueEncoder

    init(_ encoder: ValueEncoder) {
        self.encoder = encoder
    }

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) throws { put(.null, key) }
    func encode(_ value: Bool, forKey key: Key) throws { put(.bool(value), key) }
    func encode(_ value: String, forKey key: Key) throws { put(.string(value), key) }
    func encode(_ value: Double, forKey key: Key) throws { put(encoder.run.real(value), key) }
    func encode(_ value: Float, forKey key: Key) throws {
        put(encoder.run.real(Double(value)), key)
    }
    func encode(_ value: Int, forKey key: Key) throws { try whole(value, key) }
    func encode(_ value: Int8, forKey key: Key) throws { try whole(value, key) }
    func encode(_ value: Int16, forKey key: Key) throws { try whole(value, key) }
    func encode(_ value: Int32, forKey key: Key) throws { try whole(value, key) }
    func encode(_ value: Int64, forKey key: Key) throws { try whole(value, key) }
    func encode(_ value: Int128, forKey key: Key) throws { try whole(value, key) }
    func encode(_ value: UInt, forKey key: Key) throws { try whole(value, key) }
    func encode(_ value: UInt8, forKey key: Key) throws { try whole(value, key) }
    func encode(_ value: UInt16, forKey key: Key) throws { try whole(value, key) }
    func encode(_ value: UInt32, forKey key: Key) throws { try whole(value, key) }
    func encode(_ value: UInt64, forKey key: Key) throws { try whole(value, key) }
    func encode(_ value: UInt128, forKey key: Key) throws { try whole(value, key) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        put(try encoder.run.encode(value, at: CodingTrail(encoder.trail, key)), key)
    }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Inner> {
        encoder.open(at: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.open(at: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.open(at: PlaceKey.above) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder.open(at: key) }

    private func put(_ value: ArchiveValue, _ key: Key) {
        encoder.put(value, for: key.stringValue)
    }

    private func whole(_ value: some FixedWidthInteger, _ key: Key) throws {
        if let number = Int(exactly: value) { return put(.integer(ArchiveInteger(number)), key) }
        put(try encoder.run.integer(value, at: CodingTrail(encoder.trail, key)), key)
    }
}
