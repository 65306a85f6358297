import Household
import Testing
import Workbench

@Suite("A line of an event", .timeLimit(.minutes(5)))
struct EventLineTests {
    /// The keys that the daemon always writes, and whose absence means something to a reader.
    private static let readWithout: Set = ["event", "class", "next", "text", "base64", "details"]

    private static func line(_ text: String) throws -> DaemonLine { try DaemonLine(JSONFields(Array(text.utf8))) }

    @Test("The reader of a line keeps all that the writer wrote", arguments: try EventLines())
    func roundTrip(_ lines: EventLines.Pair) throws {
        for text in [lines.least, lines.full] {
            let line = try Self.line(text)
            #expect(try JSONFields(Array(text.utf8)).line == line.fields.line)
            if case .unknown = line.event { Issue.record("\(lines.event) has no type") }
            #expect(!line.fieldsForPrograms.keys.contains { ["sentence", "trouble"].contains($0) })
        }
    }

    @Test("A reader refuses a line without a key that its event needs", arguments: try EventLines())
    func missingKeys(_ lines: EventLines.Pair) throws {
        let whole = try Self.line(lines.least)
        let free = Self.readWithout.union(lines.event == "file" ? ["name", "path"] : [])
        for key in try JSONFields(Array(lines.least.utf8)).keys where !free.contains(key) {
            var fields = try JSONFields(Array(lines.least.utf8))
            fields.set(key, String?.none)
            // Without its number, an entry of the inbox is an event about a message.
            guard let read = try? DaemonLine(fields) else { continue }
            #expect(type(of: read.event.payload) != type(of: whole.event.payload), "\(lines.event) without \(key)")
        }
    }

    @Test(
        "A reader refuses a value of another type, and a word that it does not know",
        arguments: [
            #"{"event":1}"#, #"{"event":"missed","number":"1"}"#, #"{"event":"met","peer":{"id":"x"}}"#, "[]",
            #"{"event":"ready","path":"/a","peer":{"id":"x"},"port":70000}"#,
            #"{"event":"lease","name":"celeste","set":"0f","state":"guessed"}"#,
        ]
    )
    func mistyped(_ text: String) {
        #expect(throws: (any Error).self) { try Self.line(text) }
    }

    @Test("A line of a newer daemon keeps its name and its sentence")
    func unknown() throws {
        let line = try Self.line(#"{"event":"from-the-future","sentence":"a","colour":1}"#)
        #expect(line.event == .unknown(UnknownEvent("from-the-future")) && line.sentence == "a")
    }

    @Test("docs/json-output.md describes each line", arguments: try EventLines())
    func page(_ lines: EventLines.Pair) throws {
        let page = try JSONPage()
        // The last line of a response stays between the command and the daemon.
        guard !["done", "failed"].contains(lines.event) else { return }
        // The five lines of streams have one schema, and no line has all of its keys.
        for text in lines.event == "stream-ended" ? [lines.least] : [lines.least, lines.full] {
            #expect(page.fault(in: try Self.line(text).fieldsForPrograms.line) == nil)
        }
    }
}
