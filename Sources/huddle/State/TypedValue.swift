import FoundationEssentials
import SecureArchive
import Vocabulary

/// A value as the user types it.
enum TypedValue {
    /// The kind of a typed value.
    enum Kind: String, CaseIterable, Sendable {
        case string, integer, real, boolean, null, date, data, json
    }

    /// Reads a value. Without a kind, the new value gets the kind of the old one, or the one that it has as JSON.
    ///
    /// - Parameters:
    ///   - kind: the kind that the user asked for
    ///   - old: the value that the new one replaces
    static func value(_ text: String, as kind: Kind?, inPlaceOf old: ArchiveValue?) throws -> ArchiveValue {
        guard let kind = kind ?? old.flatMap(Self.kind) else {
            return (try? JSON.read(Array(text.utf8))) ?? .string(text)
        }
        guard let value = try value(text, as: kind) else {
            throw CommandError(
                ErrorCode(.invalid, "command.bad-value"),
                "“\(PrintableText(text, limit: 80))” is not \(words(for: kind))",
                nextStep: "write it like \(example(of: kind)), or choose another kind with --as"
            )
        }
        return value
    }

    private static func value(_ text: String, as kind: Kind) throws -> ArchiveValue? {
        switch kind {
        case .string: return .string(text)
        case .json: return try? JSON.read(Array(text.utf8))
        case .date: return ArchiveDate(text).map(ArchiveValue.date)
        case .data: return Data(base64Encoded: text).map { .data(Array($0)) }
        case .null: return text == "null" ? .null : nil
        case .boolean, .integer, .real:
            switch (kind, try? JSON.read(Array(text.utf8))) {
            case (.boolean, .bool(let flag)): return .bool(flag)
            case (.integer, .integer(let number)): return .integer(number)
            case (.real, .real(let number)): return .real(number)
            case (.real, .integer): return Double(text).flatMap(ArchiveReal.init).map(ArchiveValue.real)
            default: return nil
            }
        }
    }

    /// The kind of a value that the user can type. nil for collections and null, which say nothing about their
    /// replacement.
    private static func kind(_ value: ArchiveValue) -> Kind? {
        switch value {
        case .string: .string
        case .integer: .integer
        case .real: .real
        case .bool: .boolean
        case .date: .date
        case .data: .data
        case .tagged(_, let below): kind(below)
        case .null, .array, .dictionary, .reference: nil
        }
    }

    private static func words(for kind: Kind) -> String {
        switch kind {
        case .string: "a string"
        case .integer: "an integer"
        case .real: "a real"
        case .boolean: "a boolean"
        case .null: "null"
        case .date: "a date"
        case .data: "data in base64"
        case .json: "JSON"
        }
    }

    private static func example(of kind: Kind) -> String {
        switch kind {
        case .string: "any text"
        case .integer: "42"
        case .real: "1.5"
        case .boolean: "true or false"
        case .null: "null"
        case .date: "2026-01-02T03:04:05Z"
        case .data: "AQID"
        case .json: "[1, 2]"
        }
    }
}
