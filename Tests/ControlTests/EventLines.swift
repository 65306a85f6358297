import Household
import Testing
import Workbench

/// Lines of each kind of event: one with the keys that are always there, and one with all keys.
struct EventLines: Collection, Sendable {
    struct Pair: Sendable, CustomTestStringConvertible {
        let event: String
        let least: String
        let full: String

        var testDescription: String { least }
    }

    private let pairs: [Pair]

    init() throws {
        let lines = try Repository.text(of: "Tests/Conformance/events.ndjson").split(separator: "\n").map(String.init)
        pairs = try stride(from: 0, to: lines.count - 1, by: 2).map { place in
            let event = try JSONFields(Array(lines[place].utf8)).text("event") ?? ""
            return Pair(event: event, least: lines[place], full: lines[place + 1])
        }
    }

    var startIndex: Int { pairs.startIndex }
    var endIndex: Int { pairs.endIndex }

    subscript(position: Int) -> Pair { pairs[position] }

    func index(after position: Int) -> Int { position + 1 }
}
