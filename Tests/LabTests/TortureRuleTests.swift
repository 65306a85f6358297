import Testing
import Workbench

@testable import torture

@Suite("what a torture takes for a fault", .timeLimit(.minutes(5)))
struct TortureRuleTests {
    private let set = "0123456789abcdef0123456789abcdef"
    private let id = "aaaaaaaaaabbbb"

    private func evidence(of kind: TortureGame.Kind) -> TortureEvidence {
        var evidence = TortureEvidence()
        evidence.learn([(set, kind.rawValue)])
        return evidence
    }

    private func version(_ id: String, _ fault: String = SetLook.whole, contents: String = "contents") -> [String] {
        ["version", set, id, "whole-of-\(contents)", contents, fault]
    }

    // MARK: Versions

    @Test("a torn version of a set whose game the power interrupted waits until it is said whose it is")
    func unexplained() throws {
        var evidence = evidence(of: .plain)
        let lines = [version(id, "there_is_no_index")]
        #expect(evidence.unexplained(lines, [], [.plain]) != nil)
        // The daemon has told of it.
        #expect(evidence.unexplained(lines, ["aaaaaaaaaa"], []) == nil)
        #expect(try evidence.take(lines, of: "H1", ["aaaaaaaaaa"]) == 1)
        // Brought back, it is another version of the same.
        #expect(try evidence.take([version("cccc", "there_is_no_index")], of: "H2", []) == 1)
    }

    @Test("a torn version of any other set is a fault", arguments: [[], [TortureGame.Kind.large, .sealed]])
    func torn(open: [TortureGame.Kind]) {
        var evidence = evidence(of: .plain)
        let lines = [version(id, "there_is_no_index")]
        #expect(evidence.unexplained(lines, [], Set(open)) == nil)
        #expect(throws: TortureError.self) { try evidence.take(lines, of: "H1", []) }
    }

    @Test("a version is never two")
    func changed() throws {
        var evidence = evidence(of: .plain)
        _ = try evidence.take([version(id)], of: "H1", [])
        #expect(throws: TortureError.self) { try evidence.take([version(id, contents: "other")], of: "H2", []) }
    }

    @Test("a version that goes is lost where all are to stay")
    func lost() throws {
        var evidence = evidence(of: .plain)
        _ = try evidence.take([version(id)], of: "H1", [])
        #expect(throws: TortureError.self) { try evidence.take([["gone", id]], of: "H1", []) }
        #expect(throws: TortureError.self) {
            try evidence.take([["lost", set, id, "lacks", "2", "pieces"]], of: "H1", [])
        }
    }

    @Test("where old versions go, those stay that the daemon says it keeps, and as many as it is to keep")
    func letGo() throws {
        var evidence = evidence(of: .large)
        _ = try evidence.take(["a", "b", "c", "d", "e"].map { version($0) }, of: "H1", [])
        _ = try evidence.take(
            [["gone", "a"], ["lost", set, "b", "lacks", "2", "pieces"]],
            of: "H1",
            [],
            keeping: ["c", "d", "e"]
        )
        #expect(evidence.known(to: "H1") == ["c", "d", "e"])
        #expect(evidence.goneCount == 2)
        var other = evidence
        #expect(throws: TortureError.self, "it is said to be kept") {
            try other.take([["gone", "e"]], of: "H1", [], keeping: ["e"])
        }
        #expect(evidence.tooFew(["d", "e"], of: .large, at: "H1") != nil)
        #expect(evidence.tooFew(["c", "d", "e"], of: .large, at: "H1") == nil)
        // A machine that has just joined has had no more.
        #expect(evidence.tooFew(["e"], of: .large, at: "H2") == nil)
        #expect(evidence.tooFew([], of: .plain, at: "H1") == nil)
        #expect(throws: TortureError.self, "it was never seen") { try evidence.take([], of: "H1", [], keeping: ["f"]) }
    }

    // MARK: Folders

    @Test(
        "what a game has saved is whole, until a file of it is gone, and nothing at all is torn",
        arguments: TortureGame.Kind.allCases
    )
    func trees(of kind: TortureGame.Kind) throws {
        let folder = try TemporaryFolder()
        #expect(try GameTree(folder: folder.path).fault != nil)
        try TortureGame([kind.rawValue, folder.path, "1", "once"]).run()
        #expect(try GameTree(folder: folder.path).fault == nil)
        try PlainFile.write([1], to: "\(folder.path)/\(kind.openFile)")
        #expect(try GameTree(folder: folder.path).fault != nil)
    }

    @Test("folders without a file are no save")
    func onlyFolders() throws {
        let folder = try TemporaryFolder()
        try PlainFile.makeFolders("\(folder.path)/slots/old")
        #expect(try GameTree(folder: folder.path).fault == "there are no files")
    }

    private let doubt = FolderDoubts.Doubt(host: "H1", kind: "plain", head: "aaaaaaaaaabbbb")

    @Test("a torn folder at rest is a fault at once, unless the power left it so")
    func tornFolder() throws {
        var doubts = FolderDoubts()
        #expect(throws: TortureError.self) { try doubts.take([(doubt, "there_is_no_index", false)], at: .now) }
        try doubts.take([(doubt, "there_is_no_index", true)], at: .now)
        #expect(doubts.count == 1)
    }

    @Test("a whole folder that is not what it should be is counted, and a fault when that lasts")
    func lateFolder() throws {
        let start = ContinuousClock.now
        var doubts = FolderDoubts()
        try doubts.take([(doubt, SetLook.whole, false)], at: start)
        try doubts.take([(doubt, SetLook.whole, false)], at: start + .seconds(9))
        // It was read: another version is shown now.
        try doubts.take([], at: start + .seconds(9.5))
        #expect(doubts.count == 1)
        #expect(doubts.longest == .seconds(9.5))
        try doubts.take([(doubt, SetLook.whole, false)], at: start + .seconds(20))
        #expect(throws: TortureError.self) { try doubts.take([(doubt, SetLook.whole, true)], at: start + .seconds(30)) }
        #expect(doubts.count == 2)
    }

    // MARK: The whole run

    @Test("a long run that left a step out has failed")
    func steps() {
        var part = TortureReport(seed: 1)
        part.rounds = 299
        part.points = ["exchanged (power)": 1]
        var report = TortureReport(seed: 1)
        report.add(part, hosts: 2)
        report.requireAllSteps()
        #expect(report.failure == nil)
        part.rounds = 1
        report.add(part, hosts: 3)
        report.requireAllSteps()
        #expect(report.failure?.contains("journalWritten") == true)
        #expect(report.failure?.contains("exchanged") == false)
        #expect(report.text.contains("FAILED: in 300 rounds"))
    }
}
