internal import SecureArchive

/// One value for a type that decodes itself.
struct ValueDecoder: Decoder {
    private let value: ArchiveValue
    private let place: Place

    init(_ value: ArchiveValue, _ place: Place) {
        self.value = value
        self.place = place
    }

    var codingPath: [any CodingKey] { place.trail.keys }
    var userInfo: [CodingUserInfoKey: Any] { place.run.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try KeyedDecodingContainer(KeyedReading(value, place))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try UnkeyedReading(value, place)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        SingleReading(value, place)
    }
}

/// A single value.
struct SingleReading: SingleValueDecodingContainer {
    private let value: ArchiveValue
    private let place: Place

    init(_ value: ArchiveValue, _ place: Place) {
        self.value = value
        self.place = place
    }

    var codingPath: [any CodingKey] { place.trail.keys }

    func decodeNil() -> Bool { value == .null }
    func decode(_ type: Bool.Type) throws -> Bool { try place.bool(value) }
    func decode(_ type: String.Type) throws -> String { try place.string(value) }
    func decode(_ type: Double.Type) throws -> Double { try place.double(value) }
    func decode(_ type: Float.Type) throws -> Float { try place.float(value) }
    func decode(_ type: Int.Type) throws -> Int { try place.integer(type, value) }
    func decode(_ type: Int8.Type) throws -> Int8 { try place.integer(type, value) }
    func decode(_ type: Int16.Type) throws -> Int16 { try place.integer(type, value) }
    func decode(_ type: Int32.Type) throws -> Int32 { try place.integer(type, value) }
    func decode(_ type: Int64.Type) throws -> Int64 { try place.integer(type, value) }
    func decode(_ type: Int128.Type) throws -> Int128 { try place.integer(type, value) }
    func decode(_ type: UInt.Type) throws -> UInt { try place.integer(type, value) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try place.integer(type, value) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try place.integer(type, value) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try place.integer(type, value) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try place.integer(type, value) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try place.integer(type, value) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // A step of its own, so that a type which decodes itself from itself reaches the depth limit before the end of
        // the stack.
        try place.run.decode(type, from: value, at: CodingTrail(place.trail, nil))
    }
}
