import Testing
import Vocabulary

@testable import Household

@Suite("A line that has a type", .timeLimit(.minutes(5)))
struct DaemonEventTests {
    private static func version() throws -> VersionInfo {
        let deck = PeerTag(try #require(PeerID(bytes: [UInt8](repeating: 7, count: 32))), try InstanceName("Deck"))
        return VersionInfo(
            game: "celeste",
            number: 12,
            version: "12.0f0f",
            snapshot: "0f",
            author: deck,
            origin: .merged,
            cameAt: 1,
            madeAt: 2,
            isWhole: true,
            isShown: false,
            isNewest: true
        )
    }

    private static func events() throws -> [DaemonEvent] {
        var full = try version()
        full.refusal = "a"
        full.changes = FileChanges(added: 1, changed: 2, removed: 3)
        full.summary = ["b: level 4"]
        var machine = MachineInfo(full.author, policy: .block, isPaired: false, isOnline: true, addresses: ["10.0.0.1"])
        let plain = machine
        (machine.lastSeenAt, machine.version, machine.secondsAhead) = (5, "1.2", -6)
        return [
            .machine(plain), .machine(machine),
            .version(try version()), .version(full),
            .savedFile(SavedFileInfo(set: "0f", path: "a/b", size: 3, modifiedAt: -4)),
            .savedFile(SavedFileInfo(set: "0f", path: "a/b", size: 3, modifiedAt: 4, summary: ["level 4"])),
        ]
    }

    @Test("The reader of a line gets what the writer wrote", arguments: try events())
    func roundTrip(_ event: DaemonEvent) throws {
        let news = try SessionNews(JSONFields(Array(SessionNews(event, "a sentence").fields.line.utf8)))
        #expect(news.payload == event && news.event == event.name && news.sentence == "a sentence")
        #expect(!news.forPrograms.fields.keys.contains("sentence"))
    }

    @Test("A reader refuses a line without a key that it needs", arguments: try events())
    func missingKeys(_ event: DaemonEvent) throws {
        let optional: Set<String> = event.name == "peer" ? ["time", "version", "ahead"] : ["reason", "counts", "says"]
        for key in event.fields.keys where !optional.contains(key) {
            var fields = SessionNews(event, nil).fields
            fields.set(key, String?.none)
            #expect(throws: (any Error).self, "\(key)") { try SessionNews(fields) }
        }
    }

    @Test("A reader refuses an origin that it does not know")
    func unknownOrigin() throws {
        var fields = SessionNews(.version(try Self.version()), nil).fields
        fields.set("kind", "guessed")
        #expect(throws: (any Error).self) { try SessionNews(fields) }
    }
}
