import SecureArchive
import Vocabulary

extension ArchiveValue {
    /// The text of a value without parts, fit to print. It shows the kind: `1`, `1.0`, `“1”`, `true`.
    package func words(limit: Int = 200) -> String {
        switch self {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .integer(let number): number.description
        case .real(let number): number.value.description
        case .string(let text): "“\(PrintableText(text, limit: limit))”"
        case .data(let data): "data of \(Self.count(data.count, "byte"))" + Self.beginning(of: data)
        case .date(let date): date.description
        case .array(let elements): elements.isEmpty ? "[]" : Self.count(elements.count, "element")
        case .dictionary(let fields): fields.isEmpty ? "{}" : Self.count(fields.count, "key")
        case .reference(let number): "object \(number)"
        case .tagged("$numbers", .dictionary(let fields)) where !fields.isEmpty:
            Self.count(fields.count, "key") + " (numbers)"
        case .tagged(let name, let value) where name.objectNumber != nil:
            "object \(name.objectNumber ?? 0): " + value.words(limit: limit)
        case .tagged(let name, .reference(let number)):
            "object \(number) (\(PrintableText(name.description)))"
        case .tagged(let name, let value): "\(PrintableText(name.description)) " + value.words(limit: limit)
        }
    }

    private static func count(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }

    private static func beginning(of data: [UInt8]) -> String {
        let shown = data.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return data.isEmpty ? "" : " (\(shown)\(data.count > 16 ? "…" : ""))"
    }
}
