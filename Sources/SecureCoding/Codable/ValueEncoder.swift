internal import SecureArchive

/// What one value says of itself, while it says it.
///
/// The containers that it gives away write into it. Those that were opened inside of others are encoders too, and what they hold goes to its place
/// in the end.
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

    /// What was said, or nil if nothing was.
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

    /// An encoder with a fault is never looked at again: so it may as well stand for what lies deeper.
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

    /// A value has one form. One that begins another is wrong, and is told so at the end, for a container can't be refused when it is asked for.
    private func take(_ new: Form) {
        if form != .nothing, form != new {
            fault = fault ?? run.refusal("", "a value says itself in two forms", at: trail)
        }
        form = new
    }
}
