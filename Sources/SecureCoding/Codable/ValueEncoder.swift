internal import SecureArchive

/// The encoding of one value, while it goes on.
///
/// The containers that it hands out write into it. Nested containers are encoders, too; their content is put in its
/// place at the end.
final class ValueEncoder: Encoder {
    let run: EncodingRun
    let trail: CodingTrail?
    private var form = Form.nothing
    private var fields: GrowingFields
    private var values: [ArchiveValue] = []
    private var inner: [(position: Int, encoder: ValueEncoder)] = []
    private var fault: (any Error)?

    private enum Form { case nothing, single, keyed, unkeyed }

    init(_ run: EncodingRun, _ trail: CodingTrail?) {
        self.run = run
        self.trail = trail
        fields = GrowingFields(likely: run.likelyKeys(at: trail.length))
    }

    var codingPath: [any CodingKey] { trail.keys }
    var userInfo: [CodingUserInfoKey: Any] { run.userInfo }
    var count: Int { values.count }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        take(.keyed)
        return KeyedEncodingContainer(KeyedWriting(self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        take(.unkeyed)
        return UnkeyedWriting(self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleWriting(self)
    }

    /// The encoded value; nil if nothing was encoded.
    func finish() throws -> ArchiveValue? {
        if let fault { throw fault }
        for (position, encoder) in inner {
            let value = try encoder.finish() ?? .dictionary([:])
            switch form {
            case .keyed: fields.update(at: position, to: value)
            default: values[position] = value
            }
        }
        switch form {
        case .nothing: return nil
        case .single: return values.first
        case .keyed:
            let said = fields.fields
            run.remember(said.sharedKeys, at: trail.length)
            return .dictionary(said)
        case .unkeyed: return .array(values)
        }
    }

    func put(_ value: ArchiveValue) {
        take(.single)
        values = [value]
    }

    func put(_ value: ArchiveValue, for key: String) {
        _ = fields.put(value, for: key)
    }

    func append(_ value: ArchiveValue) {
        values.append(value)
    }

    func open(at key: any CodingKey) -> ValueEncoder {
        open(CodingTrail(trail, key)) { encoder in
            inner.append((fields.put(.null, for: key.stringValue), encoder))
        }
    }

    func openNext() -> ValueEncoder {
        open(CodingTrail(trail, PlaceKey(values.count))) { encoder in
            values.append(.null)
            inner.append((values.count - 1, encoder))
        }
    }

    /// Opens a nested container. An encoder with a fault is never read again, so it can stand in for deeper ones.
    private func open(_ trail: CodingTrail, _ take: (ValueEncoder) -> Void) -> ValueEncoder {
        guard fault == nil else { return self }
        let encoder = ValueEncoder(run, trail)
        do {
            try run.checkDepth(of: trail, "")
            take(encoder)
        } catch {
            fault = error
            encoder.fault = error
        }
        return encoder
    }

    /// Takes a form of the value, which can have only one. A second one is reported at the end, because a request for a
    /// container can't fail.
    private func take(_ new: Form) {
        if form != .nothing, form != new {
            fault = fault ?? run.refusal("", "a value says itself in two forms", at: trail)
        }
        form = new
    }
}
