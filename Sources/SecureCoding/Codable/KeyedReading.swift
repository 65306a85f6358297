internal import SecureArchive

/// A dictionary for a type that names its keys.
struct KeyedReading<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let named: NamedValues

    init(_ value: ArchiveValue, _ place: Place) throws {
        guard case .dictionary(let fields) = value else {
            throw place.mismatch([String: ArchiveValue].self, value)
        }
        named = NamedValues(fields, place)
        place.run.name(fields, by: Key.self, at: place)
    }

    private var fields: ArchiveFields { named.fields }
    private var place: Place { named.place }

    var codingPath: [any CodingKey] { place.trail.keys }
    var allKeys: [Key] { fields.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { fields.position(of: key.stringValue) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try value(key) == .null }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try read(key) { try $1.bool($0) } }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try read(key) { try $1.string($0) } }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try read(key) { try $1.double($0) } }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try read(key) { try $1.float($0) } }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(type, key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(type, key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(type, key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(type, key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(type, key) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try integer(type, key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(type, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(type, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(type, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(type, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(type, key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(type, key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try place.run.decode(type, from: value(key), at: CodingTrail(place.trail, key))
    }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> {
        try KeyedDecodingContainer(KeyedReading<Inner>(value(key).untagged, place.next(key)))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try UnkeyedReading(value(key).untagged, place.next(key))
    }

    func superDecoder() throws -> any Decoder {
        guard let value = fields[PlaceKey.above.stringValue] else { throw place.missing(PlaceKey.above) }
        place.run.name(PlaceKey.above.stringValue, of: fields, at: place)
        return ValueDecoder(value.untagged, place.next(PlaceKey.above))
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        ValueDecoder(try value(key).untagged, place.next(key))
    }

    private func value(_ key: Key) throws -> ArchiveValue {
        guard let value = named.value(key.stringValue) else { throw place.missing(key) }
        return value
    }

    @inline(__always)
    private func read<Result>(_ key: Key, _ reading: (ArchiveValue, Place) throws -> Result) throws -> Result {
        try named.read(key.stringValue, as: { key }, reading)
    }

    @inline(__always)
    private func integer<Number: FixedWidthInteger>(_ type: Number.Type, _ key: Key) throws -> Number {
        try named.integer(type, key.stringValue) { key }
    }
}

/// The values of a dictionary by name. It is not generic over the keys, because generic code is not specialized for
/// each type and is slow. It is a class, because the standard library copies a container for every key.
private final class NamedValues {
    let fields: ArchiveFields
    let place: Place

    init(_ fields: ArchiveFields, _ place: Place) {
        self.fields = fields
        self.place = place
    }

    func value(_ name: String) -> ArchiveValue? { fields.position(of: name).map { fields.values[$0] } }

    func integer<Number: FixedWidthInteger>(
        _ type: Number.Type,
        _ name: String,
        as key: () -> any CodingKey
    ) throws -> Number {
        try read(name, as: key) { try $1.integer(type, $0) }
    }

    /// Reads a value. The step to it is recorded only for an error.
    func read<Result>(
        _ name: String,
        as key: () -> any CodingKey,
        _ reading: (ArchiveValue, Place) throws -> Result
    ) throws -> Result {
        guard let value = value(name) else { throw place.missing(key()) }
        do {
            return try reading(value, place)
        } catch is DecodingError {
            return try reading(value, place.next(key()))
        }
    }
}
