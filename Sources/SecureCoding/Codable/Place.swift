internal import Foundation
internal import SecureArchive
internal import Vocabulary

/// A place in a tree, and the reading of values there. Each value is read as its own kind and never converted.
struct Place {
    let trail: CodingTrail?
    let run: DecodingRun

    func next(_ key: some CodingKey) -> Place {
        Place(trail: CodingTrail(trail, key), run: run)
    }

    // MARK: Errors

    func refusal(_ kind: ArchiveError.Kind, _ words: String) -> DecodingError {
        DecodingError.dataCorrupted(context(kind, words))
    }

    func mismatch<Expected>(_ type: Expected.Type, _ found: ArchiveValue) -> DecodingError {
        let words = "\(type) was expected, and \(found.kindText) is there"
        if case .null = found { return DecodingError.valueNotFound(type, context(.notAllowed, words)) }
        return DecodingError.typeMismatch(type, context(.notAllowed, words))
    }

    func missing(_ key: some CodingKey) -> DecodingError {
        let words = "the key “\(PrintableText(key.stringValue, limit: 80))” is missing"
        return DecodingError.keyNotFound(key, context(.notAllowed, words))
    }

    private func context(_ kind: ArchiveError.Kind, _ words: String) -> DecodingError.Context {
        let keys = trail.keys
        let error = ArchiveError(kind, words, at: pathText(keys))
        return DecodingError.Context(codingPath: keys, debugDescription: error.message, underlyingError: error)
    }

    // MARK: Values

    func bool(_ value: ArchiveValue) throws -> Bool {
        try fitting(value) { value throws(Misfit) in try value.asBool() }
    }

    func string(_ value: ArchiveValue) throws -> String {
        guard case .string(let text) = value.untagged else { throw mismatch(String.self, value) }
        return text
    }

    func integer<Number: FixedWidthInteger>(_ type: Number.Type, _ value: ArchiveValue) throws -> Number {
        try fitting(value) { value throws(Misfit) in try value.asInteger(type) }
    }

    func double(_ value: ArchiveValue) throws -> Double {
        try fitting(value) { value throws(Misfit) in try value.asDouble() }
    }

    func float(_ value: ArchiveValue) throws -> Float {
        try fitting(value) { value throws(Misfit) in try value.asFloat() }
    }

    private func fitting<Number>(
        _ value: ArchiveValue,
        _ read: (ArchiveValue) throws(Misfit) -> Number
    ) throws -> Number {
        do throws(Misfit) {
            return try read(value.untagged)
        } catch {
            switch error {
            case .kind: throw mismatch(Number.self, value)
            case .size(let words): throw refusal(.notAllowed, words)
            }
        }
    }

    func date(_ tree: ArchiveValue) throws -> Date {
        switch (tree, run.choice.dates) {
        case (.date(let date), _): return Date(date)
        case (.integer, .secondsSince1970), (.real, .secondsSince1970): return try date(since1970: double(tree))
        case (.integer, .millisecondsSince1970), (.real, .millisecondsSince1970):
            return try date(since1970: double(tree) / 1_000)
        case (.string(let text), .iso8601):
            guard let date = ISO8601.date(text), ArchiveDate(date) != nil else {
                throw refusal(.damaged, "“\(PrintableText(text, limit: 40))” is no date such as 2026-11-21T09:30:00Z")
            }
            return date
        default: throw mismatch(Date.self, tree)
        }
    }

    private func date(since1970 seconds: Double) throws -> Date {
        guard let date = ArchiveDate(secondsSince1970: seconds) else {
            throw refusal(.damaged, "\(seconds) seconds from 1970 lie outside of the years 1 to 9999")
        }
        return Date(date)
    }

    func data(_ tree: ArchiveValue) throws -> Data {
        switch (tree, run.choice.data) {
        case (.data(let bytes), _): return Data(bytes)
        case (.string(let text), .base64):
            guard let data = Data(base64Encoded: text) else { throw refusal(.damaged, "this is no Base64") }
            return data
        default: throw mismatch(Data.self, tree)
        }
    }

    func url(_ text: String) throws -> URL {
        guard let url = URL(string: text) else {
            throw refusal(.damaged, "“\(PrintableText(text, limit: 80))” is no URL")
        }
        return url
    }

    /// A decimal number: as text, which keeps all its digits in every format; as a whole number; or in parts, as
    /// Foundation's encoders write it.
    func decimal(_ tree: ArchiveValue) throws -> Decimal {
        switch tree {
        case .integer(let integer):
            return integer.value(as: Int64.self).map { Decimal($0) } ?? Decimal(integer.value(as: UInt64.self) ?? 0)
        case .string(let text):
            guard let number = ExactDecimal.number(text) else {
                throw refusal(.damaged, "“\(PrintableText(text, limit: 80))” is no decimal number")
            }
            return number
        case .dictionary:
            let number = try Decimal(from: ValueDecoder(tree, self))
            guard ExactDecimal.number(number.description) == number else {
                throw refusal(.damaged, "this is no decimal number")
            }
            return number
        default: throw mismatch(Decimal.self, tree)
        }
    }

    /// Refuses values on which the decoding of a few Foundation types traps (seen with Swift 6.3.1).
    func refuseWhatTraps(_ type: any Decodable.Type, _ tree: ArchiveValue) throws {
        if type == IndexSet.self, !IndexSetForm.isSound(tree) {
            throw refusal(.damaged, "a range of indexes ends before it begins or beyond all numbers")
        }
        if type == URLComponents.self || type == CharacterSet.self {
            throw refusal(
                .notAllowed,
                "\(type) can't be decoded safely; decode a URL or a String, and make it from that"
            )
        }
    }
}
