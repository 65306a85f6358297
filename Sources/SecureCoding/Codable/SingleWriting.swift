internal import SecureArchive

/// Writes a value that is a single thing.
struct SingleWriting: SingleValueEncodingContainer, PlainWriting {
    let encoder: ValueEncoder

    init(_ encoder: ValueEncoder) {
        self.encoder = encoder
    }

    var place: CodingTrail? { encoder.trail }

    func encode(_ value: Int128) throws { try put(whole: value) }
    func encode(_ value: UInt128) throws { try put(whole: value) }

    func encode<Value: Encodable>(_ value: Value) throws {
        // A step of its own, so that a type which encodes itself as itself reaches the depth limit before the end of
        // the stack.
        encoder.put(try encoder.run.encode(value, at: CodingTrail(encoder.trail, nil)))
    }

    func put(_ value: ArchiveValue) { encoder.put(value) }
}
