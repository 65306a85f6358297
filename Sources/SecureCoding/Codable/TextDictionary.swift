internal import SecureArchive
internal import Vocabulary

/// A dictionary with text keys, which encodes itself by key and value. The general way would work, but would look up
/// each key.
protocol TextDictionary {
    static func decode(_ fields: ArchiveFields, _ place: Place) throws -> Self
}

extension Dictionary: TextDictionary where Key == String, Value: Decodable {
    static func decode(_ fields: ArchiveFields, _ place: Place) throws -> [String: Value] {
        var values = [String: Value](minimumCapacity: fields.count)
        for (key, value) in fields {
            let trail = CodingTrail(place.trail, PlaceKey(stringValue: key))
            let value = try place.run.decode(Value.self, from: value, at: trail)
            if case .some = values.updateValue(value, forKey: key) {
                // The tree has both keys, because their bytes differ; a dictionary of Swift's can't.
                throw place.refusal(.notAllowed, "two keys look alike: “\(PrintableText(key, limit: 80))”")
            }
        }
        return values
    }
}
