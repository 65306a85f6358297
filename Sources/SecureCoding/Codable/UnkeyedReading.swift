internal import SecureArchive

/// An array for a type that takes one value after the other.
struct UnkeyedReading: UnkeyedDecodingContainer {
    private let values: [ArchiveValue]
    private let place: Place
    private(set) var currentIndex = 0

    init(_ value: ArchiveValue, _ place: Place) throws {
        guard case .array(let values) = value else { throw place.mismatch([ArchiveValue].self, value) }
        self.values = values
        self.place = place
    }

    var codingPath: [any CodingKey] { place.trail.keys }
    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex >= values.count }

    mutating func decodeNil() throws -> Bool {
        guard try current() == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try read { try $1.bool($0) } }
    mutating func decode(_ type: String.Type) throws -> String { try read { try $1.string($0) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try read { try $1.double($0) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try read { try $1.float($0) } }
    mutating func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try place.run.decode(type, from: current(), at: CodingTrail(place.trail, PlaceKey(currentIndex)))
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) throws -> KeyedDecodingContainer<Inner> {
        let inner = try KeyedReading<Inner>(current().untagged, place.next(PlaceKey(currentIndex)))
        currentIndex += 1
        return KeyedDecodingContainer(inner)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let inner = try UnkeyedReading(current().untagged, place.next(PlaceKey(currentIndex)))
        currentIndex += 1
        return inner
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = ValueDecoder(try current().untagged, place.next(PlaceKey(currentIndex)))
        currentIndex += 1
        return decoder
    }

    private func current() throws -> ArchiveValue {
        guard !isAtEnd else {
            throw place.refusal(.notAllowed, "there are \(values.count) values, and one more was expected")
        }
        return values[currentIndex]
    }

    /// Reads a value. The step to it is recorded only for an error.
    private mutating func read<Result>(_ reading: (ArchiveValue, Place) throws -> Result) throws -> Result {
        let value = try current()
        let result: Result
        do {
            result = try reading(value, place)
        } catch is DecodingError {
            result = try reading(value, place.next(PlaceKey(currentIndex)))
        }
        currentIndex += 1
        return result
    }

    private mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        try read { try $1.integer(type, $0) }
    }
}
