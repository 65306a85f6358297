internal import SecureArchive

/// Writes one value after the other.
struct UnkeyedWriting: UnkeyedEncodingContainer {
    private let encoder: ValueEncoder

    init(_ encoder: ValueEncoder) {
        self.encoder = encoder
    }

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.count }

    func encodeNil() throws { encoder.append(.null) }
    func encode(_ value: Bool) throws { encoder.append(.bool(value)) }
    func encode(_ value: String) throws { encoder.append(.string(value)) }
    func encode(_ value: Double) throws { encoder.append(try real(value)) }
    func encode(_ value: Float) throws { encoder.append(try real(Double(value))) }
    func encode(_ value: Int) throws { try whole(value) }
    func encode(_ value: Int8) throws { try whole(value) }
    func encode(_ value: Int16) throws { try whole(value) }
    func encode(_ value: Int32) throws { try whole(value) }
    func encode(_ value: Int64) throws { try whole(value) }
    func encode(_ value: Int128) throws { try whole(value) }
    func encode(_ value: UInt) throws { try whole(value) }
    func encode(_ value: UInt8) throws { try whole(value) }
    func encode(_ value: UInt16) throws { try whole(value) }
    func encode(_ value: UInt32) throws { try whole(value) }
    func encode(_ value: UInt64) throws { try whole(value) }
    func encode(_ value: UInt128) throws { try whole(value) }

    func encode<Value: Encodable>(_ value: Value) throws {
        encoder.append(try encoder.run.encode(value, at: next))
    }

    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
        encoder.openNext().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        encoder.openNext().unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.openNext() }

    private var next: CodingTrail { CodingTrail(encoder.trail, PlaceKey(encoder.count)) }

    private func real(_ value: Double) throws -> ArchiveValue {
        if let real = ArchiveReal(value) { return .real(real) }
        return try encoder.run.real(value, at: next)
    }

    private func whole(_ value: some FixedWidthInteger) throws {
        if let number = Int(exactly: value) { return encoder.append(.integer(ArchiveInteger(number))) }
        encoder.append(try encoder.run.integer(value, at: next))
    }
}
