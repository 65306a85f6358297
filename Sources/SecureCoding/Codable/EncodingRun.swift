internal import Foundation
internal import SecureArchive
internal import Vocabulary

/// One encoding from its beginning to its end.
final class EncodingRun {
    let userInfo: [CodingUserInfoKey: any Sendable]
    private let choice: ArchiveEncoder
    private let depth: Int
    /// By depth: the keys of the last dictionary there. The next one often has the same keys and shares them.
    private var lastKeys: [FieldKeys] = []

    init(_ choice: ArchiveEncoder) {
        self.choice = choice
        userInfo = choice.userInfo
        depth = min(choice.depth, DecodingRun.greatestDepth)
    }

    /// Encodes a value. Types whose form is fixed here are written here; all others encode themselves.
    func encode<Value: Encodable>(_ value: Value, at trail: CodingTrail?) throws -> ArchiveValue {
        if let own = try encodeOwn(value, at: trail) { return own }
        try checkDepth(of: trail, value)
        let encoder = ValueEncoder(self, trail)
        try value.encode(to: encoder)
        guard let tree = try encoder.finish() else {
            throw refusal(value, "\(Value.self) encodes nothing", at: trail)
        }
        return tree
    }

    func likelyKeys(at depth: Int) -> FieldKeys {
        depth < lastKeys.count ? lastKeys[depth] : .none
    }

    func remember(_ keys: FieldKeys, at depth: Int) {
        while lastKeys.count <= depth { lastKeys.append(.none) }
        lastKeys[depth] = keys
    }

    func isTooDeep(_ trail: CodingTrail?) -> Bool {
        trail.depth > depth || trail.length > DecodingRun.greatestDepth
    }

    func checkDepth(of trail: CodingTrail?, _ value: Any) throws {
        guard !isTooDeep(trail) else {
            throw refusal(value, "values are within each other deeper than \(depth)", .tooLarge, at: trail)
        }
    }

    func refusal(
        _ value: Any,
        _ words: String,
        _ kind: ArchiveError.Kind = .inexpressible,
        at trail: CodingTrail?
    ) -> EncodingError {
        let keys = trail.keys
        let error = ArchiveError(kind, words, at: pathText(keys))
        let context = EncodingError.Context(codingPath: keys, debugDescription: error.message, underlyingError: error)
        return EncodingError.invalidValue(value, context)
    }

    // MARK: Values

    func real(_ number: Double) -> ArchiveValue { .real(ArchiveReal(said: number)) }

    func integer(_ number: some FixedWidthInteger, at trail: CodingTrail?) throws -> ArchiveValue {
        if let number = Int(exactly: number) { return .integer(ArchiveInteger(number)) }
        guard let number = UInt64(exactly: number) else {
            throw refusal(number, "\(number) takes more than 64 bits", at: trail)
        }
        return .integer(ArchiveInteger(number))
    }

    private func encodeOwn<Value: Encodable>(_ value: Value, at trail: CodingTrail?) throws -> ArchiveValue? {
        // The types are compared first, because casting a value without a class takes longer than all the rest. Texts
        // and whole numbers can encode themselves, too, but more slowly.
        if Value.self == String.self { return (value as? String).map(ArchiveValue.string) }
        if Value.self == Int.self { return try (value as? Int).map { try integer($0, at: trail) } }
        if Value.self == Date.self { return try (value as? Date).map { try encode($0, at: trail) } }
        if Value.self == Data.self { return (value as? Data).map(encode) }
        if Value.self == URL.self { return (value as? URL).map { .string($0.absoluteString) } }
        if Value.self == Decimal.self { return try (value as? Decimal).map { try encode($0, at: trail) } }
        return nil
    }

    private func encode(_ date: Date, at trail: CodingTrail?) throws -> ArchiveValue {
        guard let inYears = ArchiveDate(date) else {
            throw refusal(date, "a date is outside of the years 1 to 9999", at: trail)
        }
        switch choice.dates {
        case .native: return .date(inYears)
        case .secondsSince1970: return real(inYears.secondsSince1970)
        case .millisecondsSince1970: return real(inYears.secondsSince1970 * 1_000)
        case .iso8601: return .string(ISO8601.text(date))
        }
    }

    private func encode(_ data: Data) -> ArchiveValue {
        switch choice.data {
        case .native: .data([UInt8](data))
        case .base64: .string(data.base64EncodedString())
        }
    }

    private func encode(_ number: Decimal, at trail: CodingTrail?) throws -> ArchiveValue {
        let text = number.description
        guard ExactDecimal.number(text) == number else {
            throw refusal(number, "\(text) is no plain number", at: trail)
        }
        return .string(text)
    }
}
