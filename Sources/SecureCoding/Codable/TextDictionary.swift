internal import SecureArchive

/// A dictionary with keys of text, which says itself by key and value. It could decode itself as any type does, and would look each key up on its way.
protocol TextDictionary {
    static func decode(_ fields: ArchiveFields, _ place: Place) throws -> Self
}

extension Dictionary: TextDictionary where Key == String, Value: Decodable {
    static func decode(_ fields: ArchiveFields, _ place: Place) throws -> [String: Value] {
        var values = [String: Value](minimumCapacity: fields.count)
        for (key, value) in fields {
            let trail = CodingTrail(place.trail, PlaceKey(stringValue: key))
            values[key] = try place.run.decode(Value.self, from: value, at: trail)
        }
        return values
    }
}
