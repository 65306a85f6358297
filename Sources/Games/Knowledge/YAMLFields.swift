/// The texts of a small YAML file by the keys that lead to them, such as `game.prefix`.
package enum YAMLFields {
    private static let most = 5000

    /// The texts before a fault, or before the first value that is not understood.
    package static func read(_ bytes: [UInt8]) -> [String: String] {
        var fields: [String: String] = [:]
        guard let events = try? YAMLEvents(bytes), (try? events.next()) == .mappingStart else { return [:] }
        try? read(events, under: "", into: &fields)
        return fields
    }

    /// Reads as deep as the reader of events permits.
    private static func read(_ events: YAMLEvents, under path: String, into fields: inout [String: String])
        throws(YAMLFailure)
    {
        while try events.next() == .scalar, fields.count < most {
            let key = path + events.text
            let value = try events.next()
            switch value {
            case .scalar: fields[key] = events.text
            case .mappingStart: try read(events, under: key + ".", into: &fields)
            default: try events.skip(value)
            }
        }
    }
}
