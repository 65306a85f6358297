internal import SecureArchive
internal import Vocabulary

/// A dictionary with keys of text, which says itself by key and value. It could decode itself as any type does, and would look each key up on its way.
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
                // The tree holds both, for their bytes are others; a dictionary of Swift's can't.
                throw place.refusal(.notAllowed, "two keys look alike: “\(PrintableText(key, limit: 80))”")
            }
        }
        return values
    }
}
