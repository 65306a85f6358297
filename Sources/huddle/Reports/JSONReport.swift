import Discovery
import FoundationEssentials
import Household

/// Output of one JSON object a line, as `docs/json-output.md` describes it.
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

    /// Prints an object that the page describes.
    func print(_ shape: some Encodable) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(shape), as: UTF8.self)
        try await console.print(Self.fitForTerminals(text))
    }

    /// Prints an event of the daemon.
    func print(_ line: DaemonLine) async throws {
        try await console.print(line.fieldsForPrograms.line)
    }

    static func fitForTerminals(_ json: String) -> String { JSONFields.fitForTerminals(json) }
}
