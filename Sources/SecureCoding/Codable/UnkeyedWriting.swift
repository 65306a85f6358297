internal import SecureArchive

/// Writes one value after the other.
struct UnkeyedWriting: UnkeyedEncodingContainer, PlainWriting {
    let encoder: ValueEncoder

    init(_ encoder: ValueEncoder) {
        self.encoder = encoder
    }

    var count: Int { encoder.count }
    var place: CodingTrail? { CodingTrail(encoder.trail, PlaceKey(encoder.count)) }

    func encode(_ value: Int128) throws { try put(whole: value) }
    func encode(_ value: UInt128) throws { try put(whole: value) }

    func encode<Value: Encodable>(_ value: Value) throws {
        encoder.append(try encoder.run.encode(value, at: place))
    }

    func put(_ value: ArchiveValue) { encoder.append(value) }

    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
        encoder.openNext().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        encoder.openNext().unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.openNext() }
}
