import LinuxPlatform
import Household
import SaveRules
import SecureArchive
import Session
import Testing
import Vocabulary
import Workbench

@testable import Control

@Engine
@Suite("docs/openapi.json", .timeLimit(.minutes(5)))
struct DescriptionTests {
    private func description() throws -> JSONFields {
        try JSONFields(Array(Repository.text(of: "docs/openapi.json").utf8))
    }

    @Test("The description has every route and no other, with the same summaries")
    func routes() async throws {
        let paths = try #require(try description().object("paths"))
        var described: Set<String> = []
        for path in paths.keys {
            let methods = try #require(try paths.object(path))
            for method in methods.keys {
                let summary = try methods.object(method)?.text("summary") ?? ""
                described.insert("\(method.uppercased()) \(path): \(summary)")
            }
        }
        let routes = try await AskedHousehold().control.routes
        #expect(described == Set(routes.map { "\($0.method) \($0.pattern): \($0.summary)" }))
    }

    @Test("The description requires a body exactly for the routes that need one")
    func bodies() throws {
        let paths = try #require(try description().object("paths"))
        for path in paths.keys {
            let methods = try #require(try paths.object(path))
            for method in methods.keys {
                guard let body = try methods.object(method)?.object("requestBody") else { continue }
                let schema = try body.object("content")?.object("application/json")?.object("schema")
                let needed = try schema?.texts("required") ?? []
                #expect(try body.flag("required") == !needed.isEmpty, "\(method) \(path)")
            }
        }
    }

    @Test("The description has every key of the events")
    func keys() throws {
        let schemas = try description().object("components")?.object("schemas")
        let described = try schemas?.object("News")?.object("properties")?.keys
        let peer = PeerTag(try #require(PeerID(bytes: [UInt8](repeating: 7, count: 32))), try InstanceName("Deck"))
        let news = SessionNews("any", peer, "a") {
            ($0.session, $0.invitation, $0.name, $0.code) = ("", "", "", "")
            ($0.reason, $0.because, $0.message, $0.next, $0.errorClass) = ("", "", "", "", "")
            ($0.text, $0.base64, $0.path, $0.kind, $0.version) = ("", "", "", "", "")
            ($0.port, $0.bytes, $0.total) = (1, 3, 4)
            ($0.number, $0.transfer, $0.time) = (5, 6, 7)
            ($0.isNew, $0.isTrouble) = (true, true)
            ($0.allows, $0.details, $0.counts) = ([], [:], [:])
            ($0.set, $0.snapshot, $0.state) = ("", "", "")
            ($0.heads, $0.sharers, $0.files, $0.needsCode) = ([], [], [], true)
        }
        for child in Mirror(reflecting: news).children where child.label != "payload" {
            let value = Mirror(reflecting: child.value)
            #expect(
                value.displayStyle != .optional || !value.children.isEmpty,
                "\(child.label ?? "") is described, too"
            )
        }
        #expect(news.fields.keys == described)
    }

    @Test("The description has every key of typed lines, and marks the required ones")
    func types() throws {
        let peer = PeerTag(try #require(PeerID(bytes: [UInt8](repeating: 7, count: 32))), try InstanceName("Deck"))
        let version = VersionInfo(
            game: "celeste",
            number: 1,
            version: "1",
            snapshot: "",
            author: peer,
            origin: .saved,
            cameAt: 2,
            madeAt: 3,
            isWhole: true,
            isShown: true,
            isNewest: true
        )
        var fullVersion = version
        (fullVersion.refusal, fullVersion.summary) = ("", [])
        fullVersion.changes = FileChanges(added: 1, changed: 2, removed: 3)
        let file = SavedFileInfo(set: "", path: "", size: 1, modifiedAt: 2)
        var fullFile = file
        fullFile.summary = []
        let machine = MachineInfo(peer, policy: .ask, isPaired: true, isOnline: false)
        var fullMachine = machine
        (fullMachine.lastSeenAt, fullMachine.version, fullMachine.secondsAhead) = (1, "", 2)
        (fullMachine.pairedAt, fullMachine.voucher, fullMachine.removedBy) = (3, "", [""])
        let status = StatusInfo(peer, version: "", process: 1, since: 2, port: 3, inbox: "")
        var fullStatus = status
        (fullStatus.inboxRefusal, fullStatus.foundAs) = ("", "")
        fullStatus.hiding = StatusInfo.Hiding(word: "", message: "")
        let (game, fullGame) = Self.games(peer)
        let offer = OfferInfo(set: "", name: "", of: peer, machines: [])
        var fullOffer = offer
        (fullOffer.cameAt, fullOffer.files, fullOffer.path) = (1, [], "")
        let retention = RetentionInfo(versions: 50, days: nil, bytes: nil)
        let share = HistoryShareInfo(set: "", name: "", stored: 1, asCopies: 2, versions: 3, retention: nil)
        var fullShare = share
        fullShare.retention = retention
        let schemas = try description().object("components")?.object("schemas")
        for (name, least, full) in [
            ("Status", DaemonEvent.status(status), DaemonEvent.status(fullStatus)),
            ("Game", .game(game), .game(fullGame)),
            ("Offer", .offer(offer), .offer(fullOffer)),
            ("HistoryShare", .historyShare(share), .historyShare(fullShare)),
            ("Version", .version(version), .version(fullVersion)),
            ("SavedFile", .savedFile(file), .savedFile(fullFile)),
            ("Machine", .machine(machine), .machine(fullMachine)),
        ] {
            let schema = try #require(try schemas?.object(name))
            #expect(try schema.texts("required")?.sorted() == SessionNews(least, nil).fields.keys, "\(name)")
            #expect(try schema.object("properties")?.keys == SessionNews(full, "a").fields.keys, "\(name)")
        }
    }

    /// A game with the keys that each has, and one with all.
    private static func games(_ peer: PeerTag) -> (GameInfo, GameInfo) {
        let retention = RetentionInfo(versions: 50, days: nil, bytes: nil)
        let game = GameInfo(
            set: "",
            name: "",
            path: "",
            state: .inSync,
            versions: VersionsInfo(count: 1, newest: [], shown: nil),
            settings: GameSettingsInfo(retention: retention, settleTime: 0.3)
        )
        var full = game
        (full.obstacle, full.versions.shown, full.lastSave) = (.full, "", LastSaveInfo(on: peer, at: 1))
        (full.sharers.behind, full.sharers.notJoined, full.playing) = ([""], [""], PlayingInfo(other: "", isHere: true))
        (full.sharers.paused, full.pause) = ([""], SyncPause(end: 1, isOfAll: true))
        full.progress = ProgressInfo(done: 1, total: 2)
        full.leftOut = LeftOutInfo(count: 1, reasons: ["a": "special"])
        full.problem = PassedOnError(SessionError(.declined))
        (full.settings.program, full.settings.files) = ("", [])
        (full.settings.omitted, full.settings.ignored, full.settings.local) = ([""], [""], [""])
        return (game, full)
    }

    @Test("Each route is in docs/control-api.md")
    func words() async throws {
        let page = try Repository.text(of: "docs/control-api.md")
        for route in try await AskedHousehold().control.routes {
            let path = route.pattern == "/v1/log" ? "/v1/log?" : "\(route.pattern)`"
            #expect(page.contains("`\(route.method) \(path)"), "\(route.method) \(route.pattern)")
        }
    }
}
