import SaveRules
import Session
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
        (machine.pairedAt, machine.voucher, machine.removedBy) = (7, "a4q3", ["aaaa", "bbbb"])
        return try games(full.author) + [
            .machine(plain), .machine(machine),
            .version(try version()), .version(full),
            .savedFile(SavedFileInfo(set: "0f", path: "a/b", size: 3, modifiedAt: -4)),
            .savedFile(SavedFileInfo(set: "0f", path: "a/b", size: 3, modifiedAt: 4, summary: ["level 4"])),
        ]
    }

    private static func games(_ deck: PeerTag) throws -> [DaemonEvent] {
        let retention = RetentionInfo(versions: 50, days: 30, bytes: 1 << 40)
        var game = GameInfo(
            set: "0f",
            name: "celeste",
            path: "/saves",
            state: .onlyHere,
            versions: VersionsInfo(count: 2, newest: ["0e"], shown: nil),
            settings: GameSettingsInfo(
                retention: RetentionInfo(versions: 1, days: nil, bytes: nil),
                settleTime: 0.25
            )
        )
        let plain = game
        (game.state, game.obstacle, game.versions.shown) = (.unavailable, .readOnly, "0e")
        (game.lastSave, game.sharers.all, game.sharers.behind) = (LastSaveInfo(on: deck, at: 7), ["0a", "0b"], ["0b"])
        (game.playing, game.progress) = (PlayingInfo(other: "0a", isHere: true), ProgressInfo(done: 1, total: 2))
        game.leftOut = LeftOutInfo(count: 3, reasons: ["a/b": "special"])
        game.problem = PassedOnError(SessionError(.declined))
        game.settings = GameSettingsInfo(retention: retention, settleTime: 2)
        (game.settings.program, game.settings.files, game.settings.omitted) = ("Celeste", ["a"], ["b"])
        (game.settings.ignored, game.settings.local) = (["*.log"], ["screen.ini"])
        let offer = OfferInfo(set: "0f", name: "celeste", of: deck, machines: ["0a"])
        var fullOffer = offer
        (fullOffer.cameAt, fullOffer.files, fullOffer.path) = (9, ["a"], "/saves")
        let share = HistoryShareInfo(
            set: "0f",
            name: "celeste",
            stored: 1,
            asCopies: 2,
            versions: 3,
            retention: retention
        )
        let status = StatusInfo(deck, version: "1.2", process: 5, since: 6, port: 4242, inbox: "/inbox")
        var fullStatus = status
        (fullStatus.inboxRefusal, fullStatus.foundAs) = ("it is full", "Deck (2)")
        fullStatus.hiding = StatusInfo.Hiding(word: "no-interface", message: "it is off")
        fullStatus.games = [GameStateInfo(set: "0f", name: "celeste", state: .conflict)]
        fullStatus.counts = ["links": 2]
        return [
            .status(status), .status(fullStatus), .game(plain), .game(game), .offer(offer), .offer(fullOffer),
            .historyShare(share),
        ]
    }

    @Test("The reader of a line gets what the writer wrote", arguments: try events())
    func roundTrip(_ event: DaemonEvent) throws {
        let news = try SessionNews(JSONFields(Array(SessionNews(event, "a sentence").fields.line.utf8)))
        #expect(news.payload == event && news.event == event.name && news.sentence == "a sentence")
        #expect(!news.forPrograms.fields.keys.contains("sentence"))
    }

    private static let optionalKeys: [String: Set<String>] = [
        "peer": ["time", "version", "ahead", "pairedAt", "voucher", "removedBy"],
        "version": ["reason", "counts", "says"], "save-file": ["says"],
        "save-offer": ["time", "files", "path"], "history-share": ["keeps"],
        "status": ["because", "name", "reason", "message"],
        "save-set": [
            "kind", "snapshot", "time", "peer", "behind", "files", "omitted", "ignored", "local", "program", "holder",
            "played", "bytes", "total", "counts", "details", "reason", "class", "because", "message", "next",
        ],
    ]

    @Test("A reader refuses a line without a key that it needs", arguments: try events())
    func missingKeys(_ event: DaemonEvent) throws {
        let optional = try #require(Self.optionalKeys[event.name])
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
