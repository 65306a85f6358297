internal import SecureArchive

/// How the containers without keys write what is no collection: each at the place where it stands.
protocol PlainWriting {
    var encoder: ValueEncoder { get }
    /// Where the next value stands. It is made only for what is refused.
    var place: CodingTrail? { get }

    func put(_ value: ArchiveValue)
}

// The witnesses of what both containers have to have. The two types of 128 bits have others in the standard library, so that each container names its own.
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
