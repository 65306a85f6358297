import Discovery
import FoundationEssentials
import Vocabulary

/// One JSON object a line, as `docs/json-output.md` describes them.
struct JSONReport: BrowsingReport {
    private let console: Console

    init(_ console: Console) {
        self.console = console
    }

    func tell(_ event: DiscoveryEvent) async throws {
        try await print(EventShape(event))
    }

    func tell(_ event: Advertiser.Event) async throws {
        try await print(EventShape(event))
    }

    /// Any object that the page describes.
    func print(_ shape: some Encodable) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(shape), as: UTF8.self)
        try await console.print(Self.fitForTerminals(text))
    }

    /// The encoder escapes what JSON demands. What can still mislead a terminal stands inside strings only, where an
    /// escape means the same.
    static func fitForTerminals(_ json: String) -> String {
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
