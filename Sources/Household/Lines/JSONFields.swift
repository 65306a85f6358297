import SecureArchive
import Vocabulary

/// A JSON object that programs of this machine send each other, one on each line. `SecureArchive` reads it, within its
/// limits.
package struct JSONFields: Sendable {
    var values: [String: ArchiveValue] = [:]

    package init() {}

    /// Reads an object.
    package init(_ bytes: [UInt8]) throws {
        guard case .dictionary(let fields) = try JSON.read(bytes) else {
            throw ArchiveError(.damaged, "it is no JSON object")
        }
        self.init(fields)
    }

    package var keys: [String] { values.keys.sorted() }

    /// The object on one line, with its keys in alphabetical order. It has no line ends and is fit to print on a
    /// terminal.
    package var line: String {
        var fields = ArchiveFields(reserving: values.count)
        for (key, value) in values.sorted(by: { $0.key < $1.key }) { fields[key] = value }
        // The object never holds a value that JSON can't express, nor deep nesting.
        guard let bytes = try? JSON.write(.dictionary(fields), as: .compact) else { return "{}" }
        return Self.fitForTerminals(String(decoding: bytes, as: UTF8.self))
    }

    /// Escapes characters that can mislead a terminal. JSON escapes its control characters, so these are only inside
    /// strings. There an escape has the same meaning.
    package static func fitForTerminals(_ json: String) -> String {
        // Most text is plain, and may be long.
        if json.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return json }
        var safe = ""
        for scalar in json.unicodeScalars {
            if PrintableText.isHarmless(scalar) {
                safe.unicodeScalars.append(scalar)
            } else {
                for unit in UTF16.encode(scalar).map({ Array($0) }) ?? [] {
                    let digits = String(unit, radix: 16)
                    safe += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return safe
    }
}

extension JSONFields {
    private static func mistyped(_ key: String, _ wanted: String) -> ArchiveError {
        ArchiveError(.damaged, "it is not \(wanted)", at: "\(PrintableText(key, limit: 80))")
    }

    /// A text; nil if the key is missing.
    package func text(_ key: String) throws -> String? {
        switch values[key] {
        case nil: nil
        case .string(let text)?: text
        default: throw Self.mistyped(key, "a text")
        }
    }

    package func flag(_ key: String) throws -> Bool? {
        switch values[key] {
        case nil: nil
        case .bool(let flag)?: flag
        default: throw Self.mistyped(key, "true or false")
        }
    }

    package func integer<Number: FixedWidthInteger>(_ key: String, as type: Number.Type = Number.self) throws -> Number?
    {
        switch values[key] {
        case nil: return nil
        case .integer(let integer)?:
            if let number = integer.value(as: type) { return number }
            throw Self.mistyped(key, "a number that can be")
        case .real(let real)?:
            // JSON has one kind of numbers: 2.0 is whole.
            if let number = Number(exactly: real.value) { return number }
            throw Self.mistyped(key, "a whole number")
        default: throw Self.mistyped(key, "a whole number")
        }
    }

    /// A number with or without a fraction.
    package func number(_ key: String) throws -> Double? {
        switch values[key] {
        case nil: return nil
        case .integer(let integer)?:
            if let number = integer.value(as: Int64.self) { return Double(number) }
            throw Self.mistyped(key, "a number that can be")
        case .real(let real)?: return real.value
        default: throw Self.mistyped(key, "a number")
        }
    }

    package func texts(_ key: String) throws -> [String]? {
        switch values[key] {
        case nil: return nil
        case .array(let values)?:
            return try values.map { value in
                guard case .string(let text) = value else { throw Self.mistyped(key, "a list of texts") }
                return text
            }
        default: throw Self.mistyped(key, "a list of texts")
        }
    }

    package func object(_ key: String) throws -> JSONFields? {
        switch values[key] {
        case nil: return nil
        case .dictionary(let fields)?: return Self(fields)
        default: throw Self.mistyped(key, "an object")
        }
    }

    package func objects(_ key: String) throws -> [JSONFields]? {
        switch values[key] {
        case nil: return nil
        case .array(let values)?:
            return try values.map { value in
                guard case .dictionary(let fields) = value else { throw Self.mistyped(key, "a list of objects") }
                return Self(fields)
            }
        default: throw Self.mistyped(key, "a list of objects")
        }
    }

    package mutating func set(_ key: String, _ text: String?) { values[key] = text.map { .string($0) } }

    package mutating func set(_ key: String, _ flag: Bool?) { values[key] = flag.map { .bool($0) } }

    package mutating func set(_ key: String, _ number: some FixedWidthInteger) {
        values[key] = .integer(ArchiveInteger(Int(clamping: number)))
    }

    package mutating func set(_ key: String, seconds: Double?) {
        values[key] = seconds.flatMap { ArchiveReal($0) }.map { .real($0) }
    }

    package mutating func set(_ key: String, number: Double?) {
        values[key] = number.flatMap { ArchiveReal($0) }.map { .real($0) }
    }

    package mutating func set(_ key: String, _ texts: [String]?) {
        values[key] = texts.map { .array($0.map { .string($0) }) }
    }

    package mutating func set(_ key: String, _ object: JSONFields?) { values[key] = object?.value }

    package mutating func set(_ key: String, objects: [JSONFields]) { values[key] = .array(objects.map(\.value)) }

    var value: ArchiveValue {
        var fields = ArchiveFields()
        for (key, value) in values.sorted(by: { $0.key < $1.key }) { fields[key] = value }
        return .dictionary(fields)
    }

    init(_ fields: ArchiveFields) {
        for (key, value) in fields { values[key] = value }
    }

    init(_ key: String, _ value: ArchiveValue) { values = [key: value] }
}

/// A value that is written as one JSON object.
package protocol JSONShape: Sendable {
    var fields: JSONFields { get }
}

extension JSONFields: JSONShape {
    package var fields: JSONFields { self }
}
