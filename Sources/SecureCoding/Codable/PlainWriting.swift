internal import SecureArchive

/// The writing of scalars in containers without keys, each at its place.
protocol PlainWriting {
    var encoder: ValueEncoder { get }
    /// The place of the next value. It is made only for an error.
    var place: CodingTrail? { get }

    func put(_ value: ArchiveValue)
}

// The methods that both containers must have. For the two types of 128 bits the standard library has others, so each
// container has its own.
extension PlainWriting {
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() throws { put(.null) }
    func encode(_ value: Bool) throws { put(.bool(value)) }
    func encode(_ value: String) throws { put(.string(value)) }
    func encode(_ value: Double) throws { try put(real: value) }
    func encode(_ value: Float) throws { try put(real: Double(value)) }
    func encode(_ value: Int) throws { try put(whole: value) }
    func encode(_ value: Int8) throws { try put(whole: value) }
    func encode(_ value: Int16) throws { try put(whole: value) }
    func encode(_ value: Int32) throws { try put(whole: value) }
    func encode(_ value: Int64) throws { try put(whole: value) }
    func encode(_ value: UInt) throws { try put(whole: value) }
    func encode(_ value: UInt8) throws { try put(whole: value) }
    func encode(_ value: UInt16) throws { try put(whole: value) }
    func encode(_ value: UInt32) throws { try put(whole: value) }
    func encode(_ value: UInt64) throws { try put(whole: value) }

    func put(whole value: some FixedWidthInteger) throws {
        if let number = Int(exactly: value) { return put(.integer(ArchiveInteger(number))) }
        put(try encoder.run.integer(value, at: place))
    }

    private func put(real value: Double) throws {
        put(encoder.run.real(value))
    }
}
