import GameState
import Ledger
import LinuxPlatform
import SaveRules
import Session
import Synchronization
import TestSupport
import Testing
import Vocabulary

@testable import SaveSync

@Suite("Two machines that saved apart", .timeLimit(.minutes(5)))
struct ConflictTests {
    /// Both machines save without a connection, then connect.
    @Engine
    private func apart(_ here: [String: String], _ there: [String: String], rules: String? = nil) async throws
        -> SharedSet
    {
        let shared = try await SharedSet.open(here, there: there, rules: rules)
        return shared
    }

    @Test("both sides stay, no folder changes, and one choice ends it everywhere", arguments: [true, false])
    @Engine
    func choose(takesMine: Bool) async throws {
        let shared = try await apart(["slot": "desk's"], ["slot": "deck's"])
        try await shared.one.untilConflict(in: shared.set)
        try await shared.other.untilConflict(in: shared.set)
        #expect(shared.one.place().texts() == ["slot": "desk's"])
        #expect(shared.other.place().texts() == ["slot": "deck's"])
        #expect(try shared.one.heads(of: shared.set).count == 2)
        try await shared.one.engine.editor(of: shared.set).resolve(takesMine ? .mine : .theirs)
        // The machine at which the user chose then has that version in its folder.
        #expect(shared.one.place().texts() == ["slot": takesMine ? "desk's" : "deck's"])
        let chosen = try #require(try shared.one.heads(of: shared.set).first)
        try await shared.other.untilWhole(in: shared.set)
        try await shared.one.engine.play(of: shared.set).untilQuiet()
        try await shared.other.engine.play(of: shared.set).untilQuiet()
        let text = takesMine ? "desk's" : "deck's"
        for machine in [shared.one, shared.other] {
            #expect(machine.place().texts() == ["slot": text])
            #expect(try machine.heads(of: shared.set) == [chosen])
            #expect(try await machine.engine.versions(of: shared.set).latest().count == 3)
        }
        await shared.stop()
    }

    @Test("two sides of one number have different names, the same on both machines, and each name finds its side")
    @Engine
    func names() async throws {
        let shared = try await apart(["slot": "desk's"], ["slot": "deck's"])
        var named: [[String: SnapshotID]] = []
        for machine in [shared.one, shared.other] {
            try await machine.untilConflict(in: shared.set)
            let versions = try await machine.engine.versions(of: shared.set).latest()
            #expect(Set(versions.map(\.number)) == [1])
            for version in versions {
                let found = try await machine.engine.versions(of: shared.set).version("@\(version.name)")
                #expect(found.snapshot.id == version.snapshot.id)
            }
            named.append(Dictionary(uniqueKeysWithValues: versions.map { ("\($0.name)", $0.snapshot.id) }))
            let error = await #expect(throws: SaveSyncError.self) {
                try await machine.engine.versions(of: shared.set).version("@1")
            }
            #expect(error?.code == "saves.shared-number")
        }
        #expect(named[0].count == 2 && named[0] == named[1])
        await shared.stop()
    }

    @Test("the differing files are named, and if nothing could be merged, the machine whose files all count")
    @Engine
    func differences() async throws {
        let shared = try await apart(
            ["slot1": "desk's", "slot2": "both"],
            ["slot1": "the deck's", "slot2": "both", "slot3": "new"]
        )
        let (one, set) = (shared.one, shared.set)
        try await one.untilConflict(in: set)
        let report = try one.engine.report(of: set)
        let own = try #require(report.versions.ownSide)
        let other = try #require(report.versions.heads.map(\.id).first { $0 != own })
        let comparison = try await one.engine.versions(of: set).comparison(of: [own, other])
        #expect(comparison.files.map(\.path.text) == ["slot1", "slot3"] && comparison.others == 0)
        #expect(
            comparison.files.map { $0.files.map(\.?.size) } == [[ByteCount(6), ByteCount(10)], [nil, ByteCount(3)]]
        )
        #expect(comparison.files.allSatisfy { $0.values.isEmpty }, "no text without a form is looked into")
        let refusal = try await #require(throws: SaveSyncError.self) {
            try await one.engine.editor(of: set).resolve(.merge(favouring: nil))
        }
        #expect(refusal.code == "saves.undecided")
        for name in ["slot1", "slot3"] { #expect(refusal.message.contains("“\(name)”")) }
        #expect(!refusal.message.contains("slot2"))
        #expect(try one.engine.report(of: set).versions.heads.count == 2)
        #expect(one.place().texts() == ["slot1": "desk's", "slot2": "both"])
        let made = try await one.engine.editor(of: set).resolve(.merge(favouring: own))
        #expect(
            try await one.engine.versions(of: set).same(as: made, among: report.versions.heads)?.snapshot.id
                == report.versions.ownSide
        )
        await shared.stop()
    }

    @Test("the same content on both machines is no conflict")
    @Engine
    func same() async throws {
        let shared = try await apart(["slot": "the same"], ["slot": "the same"])
        try await shared.untilMerged()
        #expect(try shared.one.state(of: shared.set) == .level)
        #expect(try shared.one.heads(of: shared.set) == shared.other.heads(of: shared.set))
        await shared.stop()
    }

    @Test("a change in between makes a conflict and is not overwritten")
    @Engine
    func changedMeanwhile() async throws {
        let shared = try await SharedSet.open()
        let place = shared.other.place()
        place.beforeChange.withLock { $0 = { place.put(Array("deck's".utf8), at: "slot") } }
        try await shared.one.save("desk's", in: shared.set)
        try await shared.other.untilConflict(in: shared.set)
        #expect(place.texts() == ["slot": "deck's"])
        try await shared.one.untilConflict(in: shared.set)
        #expect(shared.one.place().texts() == ["slot": "desk's"])
        await shared.stop()
    }

    private static let scores = [
        #"{"hiscores": [{"name": "Ann", "score": 900}, {"name": "Bob", "score": 100}]}"#,
        #"{"hiscores": [{"name": "Bob", "score": 700}, {"name": "Cem", "score": 50}]}"#,
    ]

    @Test("score tables become one, in the same bytes on both machines")
    @Engine
    func scores() async throws {
        let shared = try await apart(["scores.json": Self.scores[0]], ["scores.json": Self.scores[1]])
        try await shared.untilMerged()
        let merged = try #require(shared.one.place().files()["scores.json"])
        #expect(shared.other.place().files()["scores.json"] == merged)
        #expect(try shared.one.heads(of: shared.set) == shared.other.heads(of: shared.set))
        let text = String(decoding: merged, as: UTF8.self)
        for word in ["Ann", "900", "Bob", "700", "Cem", "50"] { #expect(text.contains(word)) }
        await shared.stop()
    }

    /// The same game, in which each machine made a different second move.
    private static let boards = ["1, 0, 0, 0, 2, 0, 0, 0, 0", "1, 0, 0, 0, 0, 0, 0, 0, 2"].map { grid in
        """
        {"TTTGameKeyCurrentPlayer": 0, "TTTGameKeyState": 0, "TTTGameKeyGridState": "\(grid)",
        "TTTGameKeyCurrentSymbol": "X", "TTTGameKeyPlaycount": 2}
        """
    }

    @Test(
        "two machines that play tic-tac-toe and a score table apart merge the scores, choose the board, and lose nothing"
    )
    @Engine
    func ticTacToe() async throws {
        let shared = try await apart(
            ["scores.json": Self.scores[0], "board.json": Self.boards[0]],
            ["scores.json": Self.scores[1], "board.json": Self.boards[1]]
        )
        try await shared.one.untilConflict(in: shared.set)
        try await shared.other.untilConflict(in: shared.set)
        #expect(shared.one.place().texts()["board.json"] == Self.boards[0])
        #expect(shared.other.place().texts()["board.json"] == Self.boards[1])
        // If the user chooses the board of one side, the scores of the other side are kept.
        let own = try shared.one.engine.report(of: shared.set).versions.ownSide
        try await shared.one.engine.editor(of: shared.set).resolve(.merge(favouring: own))
        try await shared.other.untilWhole(in: shared.set)
        for machine in [shared.one, shared.other] {
            try await machine.engine.play(of: shared.set).untilQuiet()
            #expect(machine.place().texts()["board.json"] == Self.boards[0])
            let scores = machine.place().texts()["scores.json"] ?? ""
            for word in ["Ann", "Bob", "700", "Cem"] { #expect(scores.contains(word)) }
            #expect(try await machine.engine.versions(of: shared.set).latest().filter(\.isWhole).count == 3)
        }
        await shared.stop()
    }

    @Test(
        "changes are not added up without the common version: a machine that has it ends the conflict"
    )
    @Engine
    func lostBase() async throws {
        let rules = "merge seconds = sum of changes"
        func text(_ seconds: Int) -> String { #"{"seconds": \#(seconds)}"# }
        let shared = try await SharedSet.open(["time.json": text(1_000)], rules: rules)
        let (one, other, set) = (shared.one, shared.other, shared.set)
        try await one.engine.settings.change(set) { $0.retention = RetentionRule(count: 2, age: nil) }
        other.engine.connections.peers[one.id]?.hangUp()
        for machine in [one, other] {
            while try !machine.engine.report(of: set).present.isEmpty { try await othersTurn() }
        }
        for seconds in [1_500, 2_000, 2_500, 3_000] { try await one.save(text(seconds), at: "time.json", in: set) }
        try await one.engine.play(of: set).untilQuiet()
        #expect(try await one.engine.versions(of: set).latest().first?.isWhole == false)
        try await other.save(text(1_100), at: "time.json", in: set)
        other.engine.connections.sees(one.id)
        try await shared.untilMerged()
        for machine in [one, other] {
            #expect(try machine.heads(of: set) == one.heads(of: set))
            #expect(machine.place().texts()["time.json"]?.contains("3100") == true)
        }
        await shared.stop()
    }

    @Test(
        "rules that are too large for a message are refused, and earlier ones end nothing"
    )
    @Engine
    func largeRules() async throws {
        let rules = String(repeating: "# a remark\n", count: 7_000)
        let machine = try await SaveMachine.open("one")
        await #expect(throws: SaveSyncError.self) { try await machine.add(["slot": "1"], rules: rules) }
        let set = try await machine.add(["slot": "1"])
        let kept = try machine.engine.games.game(set)
        var entry = kept.entry
        entry.rules = rules
        try await kept.versions.adopt(entry)
        let other = try await SaveMachine.open("other")
        try await machine.befriend(other)
        try await machine.offer(set, to: other)
        #expect(try await other.engine.joining.offers().first?.offer.rules == nil)
        await machine.stop()
        await other.stop()
    }

    @Test("clocks that are years apart change nothing")
    @Engine
    func clocks() async throws {
        let past = try await SaveMachine.open("past") { $0.clock = { -1 << 40 } }
        let future = try await SaveMachine.open("future") { $0.clock = { 1 << 50 } }
        try await past.befriend(future)
        let set = try await future.add(["slot": "first"])
        try await future.share(set, with: past)
        try await past.save("second", in: set)
        try await future.untilApplied(in: set)
        #expect(future.place().texts() == ["slot": "second"])
        try await future.save("third", in: set)
        try await past.untilApplied(in: set)
        #expect(past.place().texts() == ["slot": "third"])
        await past.stop()
        await future.stop()
    }
}
