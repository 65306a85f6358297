import SecureArchive

/// Writes any tree as JSON without loss, as `docs/json-output.md` describes it. A value that JSON can't hold becomes an
/// object with a key that begins with `$`.
enum ValueShape {
    /// An object as one line, of values that JSON can hold.
    static func line(_ fields: ArchiveFields) throws -> String {
        let json = try JSON.write(.dictionary(fields), as: .compact)
        return JSONReport.fitForTerminals(String(decoding: json, as: UTF8.self))
    }

    /// A value in the form that JSON can hold.
    static func shape(_ value: ArchiveValue) -> ArchiveValue {
        switch value {
        case .real(let number) where !number.isFinite:
            return .dictionary(["$real": .string(number.value.description)])
        case .null, .bool, .integer, .real, .string: return value
        case .data(let data): return .dictionary(["$data": .string(Base64Text.of(data))])
        case .date(let date): return .dictionary(["$date": .string(date.description)])
        case .reference(let number): return .dictionary(["$object": .integer(ArchiveInteger(Int(number)))])
        case .tagged(let name, let value) where name.objectNumber != nil:
            let number = ArchiveInteger(Int(name.objectNumber ?? 0))
            return .dictionary(["$object": .integer(number), "$value": shape(value)])
        case .tagged(let name, let value):
            return .dictionary(["$class": .string(name.description), "$value": shape(value)])
        case .array(let elements): return .array(elements.map(shape))
        case .dictionary(let fields):
            let shaped = fields.mapValues(shape)
            return .dictionary(isMistakable(fields) ? ["$fields": .dictionary(shaped)] : shaped)
        }
    }

    /// Returns true if an object with these keys could be mistaken for one that represents another kind of value.
    static func isMistakable(_ fields: ArchiveFields) -> Bool {
        fields.keys.contains { $0.utf8.first == UInt8(ascii: "$") }
    }
}
