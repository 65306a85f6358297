internal import Foundation
internal import SecureArchive
internal import Vocabulary

/// One decoding from beginning to end: its settings, and the keys that were named.
final class DecodingRun {
    /// The greatest depth of values within each other, with any setting. So many take less than 160 KiB of stack in a
    /// release build and 384 KiB in a debug build (seen with Swift 6.3.1), and threads with 512 KiB are common.
    static let greatestDepth = 100

    let choice: ArchiveDecoder
    let userInfo: [CodingUserInfoKey: any Sendable]
    private let depth: Int
    /// The ledgers of the values that are being decoded, if unknown keys are refused.
    private var ledgers: [KeyLedger] = []
    /// The results for types so far.
    private var textDictionaries: [ObjectIdentifier: (any TextDictionary.Type)?] = [:]

    init(_ choice: ArchiveDecoder) {
        self.choice = choice
        userInfo = choice.userInfo
        depth = min(choice.depth, Self.greatestDepth)
    }

    /// Decodes a value. Types whose form is fixed here are read here; all others decode themselves.
    func decode<Value: Decodable>(_ type: Value.Type, from tree: ArchiveValue, at trail: CodingTrail?) throws -> Value {
        let place = Place(trail: trail, run: self)
        if let own = try decodeOwn(type, from: tree.untagged, place) {
            return own
        }
        guard trail.depth <= depth, trail.length <= Self.greatestDepth else {
            throw place.refusal(.tooLarge, "values are within each other deeper than \(depth)")
        }
        if case .dictionary(let fields) = tree.untagged, let dictionary = textDictionary(Value.self),
            let value = try dictionary.decode(fields, place) as? Value
        {
            return value
        }
        let decoder = ValueDecoder(tree.untagged, place)
        guard choice.unknownKeys == .refuse else { return try Value(from: decoder) }
        let mark = ledgers.count
        // Not in a `defer`, because it throws.
        let value = Result { try Value(from: decoder) }
        let seen = ledgers[mark...]
        ledgers.removeSubrange(mark...)
        let result = try value.get()
        for ledger in seen { try ledger.check() }
        return result
    }

    /// The type as a dictionary with text keys; nil for another type. Asking the runtime takes longer than decoding a
    /// small value.
    private func textDictionary<Value>(_ type: Value.Type) -> (any TextDictionary.Type)? {
        let identifier = ObjectIdentifier(type)
        if let known = textDictionaries[identifier] { return known }
        let dictionary = type as? any TextDictionary.Type
        textDictionaries[identifier] = .some(dictionary)
        return dictionary
    }

    /// Records that a type names some of the keys of a dictionary. Does nothing unless unknown keys are refused.
    func name<Key: CodingKey>(_ fields: ArchiveFields, by type: Key.Type, at place: Place) {
        guard choice.unknownKeys == .refuse else { return }
        ledger(of: fields, at: place).name { Key(stringValue: $0) != nil }
    }

    /// The same for one key.
    func name(_ known: String, of fields: ArchiveFields, at place: Place) {
        guard choice.unknownKeys == .refuse else { return }
        ledger(of: fields, at: place).name { $0 == known }
    }

    /// The ledger of a value. Two containers of one value share one trail object.
    private func ledger(of fields: ArchiveFields, at place: Place) -> KeyLedger {
        if let known = ledgers.last(where: { $0.place.trail === place.trail }) { return known }
        let new = KeyLedger(fields, place)
        ledgers.append(new)
        return new
    }

    private func decodeOwn<Value: Decodable>(
        _ type: Value.Type,
        from tree: ArchiveValue,
        _ place: Place
    ) throws -> Value? {
        // Texts can decode themselves, too, but more slowly.
        if type == String.self { return try place.string(tree) as? Value }
        if type == Date.self { return try place.date(tree) as? Value }
        if type == Data.self { return try place.data(tree) as? Value }
        if type == URL.self, case .string(let text) = tree { return try place.url(text) as? Value }
        if type == Decimal.self { return try place.decimal(tree) as? Value }
        try place.refuseWhatTraps(type, tree)
        return nil
    }
}
