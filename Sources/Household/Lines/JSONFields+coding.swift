import SecureArchive

/// A group of keys that are beside the other keys of an object, such as those of an error.
///
/// `Codable` is only for the synthesized code of the types that have such a group.
package protocol FieldGroup: Codable, Hashable, Sendable {
    /// Reads the group; nil if the object does not have it.
    init?(_ fields: JSONFields) throws
    func add(to fields: inout JSONFields)
}

extension FieldGroup {
    package init(from decoder: any Decoder) throws {
        guard let fields = (decoder as? ValueReader)?.fields, let group = try Self(fields) else {
            throw ArchiveError(.damaged, "keys are missing")
        }
        self = group
    }

    package func encode(to encoder: any Encoder) throws {
        if let writer = encoder as? ValueWriter { writer.add(self) }
    }
}

extension JSONFields {
    /// The keys of a value, as its type names them.
    package init(of value: some Encodable) {
        let writer = ValueWriter()
        // The writer refuses nothing.
        try? value.encode(to: writer)
        self = writer.fields
    }

    /// Reads a value of these keys.
    package func read<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try Value(from: ValueReader(.fields(self), at: ""))
    }
}

// MARK: - Writing

/// Writes one value. Numbers that are no 64-bit integer are clamped.
private final class ValueWriter: Encoder {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    var fields = JSONFields()
    /// The value, if it is no object.
    var single: ArchiveValue?

    func add(_ group: some FieldGroup) { group.add(to: &fields) }

    static func value(of value: some Encodable) throws -> ArchiveValue {
        switch value {
        case let text as String: return .string(text)
        case let flag as Bool: return .bool(flag)
        case let number as any FixedWidthInteger: return .integer(ArchiveInteger(Int(clamping: number)))
        case let number as Double: return ArchiveReal(number).map { .real($0) } ?? .null
        case let list as [any Encodable]: return .array(try list.map { try Self.value(of: $0) })
        case let table as [String: any Encodable]:
            var fields = JSONFields()
            for (key, value) in table { fields.values[key] = try Self.value(of: value) }
            return fields.value
        default:
            let writer = ValueWriter()
            try value.encode(to: writer)
            return writer.single ?? writer.fields.value
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyWriter(writer: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { preconditionFailure("lists are written by `value(of:)`") }

    func singleValueContainer() -> any SingleValueEncodingContainer { OneWriter(writer: self) }
}

private struct KeyWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: ValueWriter
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) {}

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        if let group = value as? any FieldGroup { return writer.add(group) }
        writer.fields.values[key.stringValue] = try ValueWriter.value(of: value)
    }

    func nestedContainer<Inner>(keyedBy type: Inner.Type, forKey key: Key) -> KeyedEncodingContainer<Inner> {
        preconditionFailure("nested objects are values")
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { writer.unkeyedContainer() }

    func superEncoder() -> any Encoder { writer }

    func superEncoder(forKey key: Key) -> any Encoder { writer }
}

private struct OneWriter: SingleValueEncodingContainer {
    let writer: ValueWriter
    var codingPath: [any CodingKey] { [] }

    func encodeNil() {}

    func encode<Value: Encodable>(_ value: Value) throws { writer.single = try ValueWriter.value(of: value) }
}

// MARK: - Reading

private struct ValueReader: Decoder {
    enum Source {
        case fields(JSONFields)
        case value(ArchiveValue)
    }

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    let source: Source
    /// The key of the value, for errors.
    let key: String

    init(_ source: Source, at key: String) { (self.source, self.key) = (source, key) }

    var fields: JSONFields? {
        switch source {
        case .fields(let fields): fields
        case .value(.dictionary(let fields)): JSONFields(fields)
        case .value: nil
        }
    }

    func mistyped(_ wanted: String) -> ArchiveError { ArchiveError(.damaged, "it is not \(wanted)", at: key) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let fields else { throw mistyped("an object") }
        return KeyedDecodingContainer(KeyReader(reader: self, fields: fields))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw mistyped("what was expected") }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { OneReader(reader: self) }
}

private struct KeyReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let reader: ValueReader
    let fields: JSONFields
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { fields.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { fields.values[key.stringValue] != nil }

    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        if type is any FieldGroup.Type { return try Value(from: reader) }
        let name = key.stringValue
        guard let value = fields.values[name] else {
            throw ArchiveError(.damaged, "it is missing or unknown", at: name)
        }
        return try OneReader(reader: ValueReader(.value(value), at: name)).decode(type)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        if let group = type as? any FieldGroup.Type { return try group.init(fields) as? Value }
        return contains(key) ? try decode(type, forKey: key) : nil
    }

    func nestedContainer<Inner>(keyedBy type: Inner.Type, forKey key: Key) throws -> KeyedDecodingContainer<Inner> {
        throw reader.mistyped("what was expected")
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try reader.unkeyedContainer()
    }

    func superDecoder() -> any Decoder { reader }

    func superDecoder(forKey key: Key) -> any Decoder { reader }
}

private struct OneReader: SingleValueDecodingContainer {
    let reader: ValueReader
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard case .value(let value) = reader.source else { return try Value(from: reader) }
        let key = reader.key
        let read: Any? =
            switch type {
            case is String.Type: try JSONFields(key, value).text(key)
            case is Bool.Type: try JSONFields(key, value).flag(key)
            case is Double.Type: try JSONFields(key, value).number(key)
            case is [String].Type: try JSONFields(key, value).texts(key)
            case is [String: String].Type: try table(value) { try $0.text($1) }
            case is [String: Int].Type: try table(value) { try $0.integer($1, as: Int.self) }
            case let type as any FixedWidthInteger.Type: try integer(type, in: JSONFields(key, value))
            default: try Value(from: reader)
            }
        guard let read = read as? Value else { throw reader.mistyped("what was expected") }
        return read
    }

    private func integer<Number: FixedWidthInteger>(_ type: Number.Type, in fields: JSONFields) throws -> Number? {
        try fields.integer(reader.key)
    }

    private func table<Value>(
        _ value: ArchiveValue,
        _ read: (JSONFields, String) throws -> Value?
    ) throws -> [String: Value]? {
        guard let fields = reader.fields else { throw reader.mistyped("an object") }
        return try Dictionary(
            uniqueKeysWithValues: fields.keys.compactMap { key in try read(fields, key).map { (key, $0) } }
        )
    }
}
