import Glibc
import LinuxPlatform
import SaveFolder
import Testing
import Workbench

@testable import torture

@Suite("Faults of a fault-injection run", .timeLimit(.minutes(5)))
struct TortureRuleTests {
    private let set = "0123456789abcdef0123456789abcdef"
    private let id = "aaaaaaaaaabbbb"

    private func evidence(of kind: TortureGame.Kind) -> TortureEvidence {
        var evidence = TortureEvidence()
        evidence.learn([(set, kind.rawValue)])
        return evidence
    }

    private func version(
        _ id: String,
        _ fault: String = SetLook.whole,
        contents: String = "contents",
        by maker: String = SetLook.noMaker,
        stamp: String = "stamp"
    ) -> [String] {
        ["version", set, id, maker, "whole-of-\(contents)", "timeless-of-\(contents)", contents, fault, stamp]
    }

    private func tree(_ whole: String, _ timeless: String = "timeless-of-contents", contents: String = "contents")
        throws
        -> SeenTree
    {
        try #require(SeenTree([whole, timeless, contents, SetLook.whole, "stamp"][...]))
    }

    // MARK: Versions

    @Test("A torn version after a power cut is accepted until its maker is known")
    func unexplained() throws {
        var evidence = evidence(of: .plain)
        let lines = [version(id, "there_is_no_index")]
        #expect(evidence.unexplained(lines, [], [.plain]) != nil)
        // The daemon has reported it.
        #expect(evidence.unexplained(lines, ["aaaaaaaaaa"], []) == nil)
        #expect(try evidence.take(lines, of: "H1", ["aaaaaaaaaa"]) == 1)
        // After it is restored, it is another version with the same contents.
        #expect(try evidence.take([version("cccc", "there_is_no_index")], of: "H2", []) == 1)
    }

    @Test("A torn version of any other game is a fault", arguments: [[], [TortureGame.Kind.large, .sealed]])
    func torn(open: [TortureGame.Kind]) {
        var evidence = evidence(of: .plain)
        let lines = [version(id, "there_is_no_index")]
        #expect(evidence.unexplained(lines, [], Set(open)) == nil)
        #expect(throws: TortureError.self) { try evidence.take(lines, of: "H1", []) }
    }

    @Test("A version has one content")
    func changed() throws {
        var evidence = evidence(of: .plain)
        _ = try evidence.take([version(id)], of: "H1", [])
        #expect(throws: TortureError.self) { try evidence.take([version(id, contents: "other")], of: "H2", []) }
    }

    @Test("A missing version is a fault if all must stay")
    func lost() throws {
        var evidence = evidence(of: .plain)
        _ = try evidence.take([version(id)], of: "H1", [])
        #expect(throws: TortureError.self) { try evidence.take([["gone", id]], of: "H1", []) }
        #expect(throws: TortureError.self) {
            try evidence.take([["lost", set, id, "2", "pieces", "are", "missing"]], of: "H1", [])
        }
    }

    @Test("If old versions are deleted, the reported ones and the set number stay")
    func letGo() throws {
        var evidence = evidence(of: .large)
        _ = try evidence.take(["a", "b", "c", "d", "e"].map { version($0) }, of: "H1", [])
        _ = try evidence.take(
            [["gone", "a"], ["lost", set, "b", "2", "pieces", "are", "missing"]],
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
        // A machine that has just joined has received no further versions.
        #expect(evidence.tooFew(["e"], of: .large, at: "H2") == nil)
        #expect(evidence.tooFew([], of: .plain, at: "H1") == nil)
        #expect(throws: TortureError.self, "it was never seen") { try evidence.take([], of: "H1", [], keeping: ["f"]) }
    }

    @Test("A version from a folder must be a save since all was at rest")
    func unsaved() throws {
        var evidence = evidence(of: .plain)
        evidence.learn(maker: "m1", isOn: "H1")
        evidence.learn(maker: "m2", isOn: "H2")
        evidence.learn(savings: [.plain: ["one"], .sealed: ["two"]], on: "H1")
        #expect(try evidence.take([version("aaaa", by: "m1", stamp: "one")], of: "H2", []) == 1)
        // The version was compared with the saves when it was first found.
        evidence.comesToRest()
        #expect(try evidence.take([version("aaaa", by: "m1", stamp: "one")], of: "H1", []) == 1)
        // A user has restored the version.
        #expect(try evidence.take([version("bbbb", stamp: "one")], of: "H1", []) == 1)
        evidence.learn(savings: [.plain: ["three"], .sealed: ["two"]], on: "H1")
        func isRefused(_ line: [String]) -> Bool {
            var other = evidence
            return (try? other.take([line], of: "H1", [])) == nil
        }
        #expect(!isRefused(version("cccc", by: "m1", stamp: "three")))
        #expect(isRefused(version("cccc", by: "m1", stamp: "one")), "saved before")
        #expect(isRefused(version("cccc", by: "m1", stamp: "two")), "saved in another set")
        #expect(isRefused(version("cccc", by: "m2", stamp: "three")), "saved on another host")
        #expect(isRefused(version("cccc", by: "m3", stamp: "three")), "made by an unknown machine")
    }

    @Test("A save after a power cut may be the one before, once, until it is reported")
    func rolledBack() throws {
        var evidence = evidence(of: .plain)
        evidence.learn(maker: "m1", isOn: "H1")
        let line = version(id, by: "m1", stamp: "before")
        #expect(evidence.unexplained([line], [], [.plain]) != nil)
        #expect(evidence.unexplained([line], [String(id.prefix(10))], []) == nil)
        #expect(try evidence.take([line], of: "H1", [String(id.prefix(10))]) == 1)
        #expect(throws: TortureError.self, "and once more by itself") {
            try evidence.take([version("cccc", by: "m1", stamp: "before")], of: "H1", [String(id.prefix(10))])
        }
    }

    @Test("A file that was touched last may become a version late")
    func touchedLate() throws {
        var evidence = evidence(of: .plain)
        evidence.learn(maker: "m1", isOn: "H1")
        evidence.learn(savings: [.plain: ["stamp"]], on: "H1")
        _ = try evidence.take([version(id, by: "m1")], of: "H1", [])
        let finding = evidence.finding(of: try tree("touched"), .plain, on: "H1", showing: id, isCoarse: false)
        #expect(finding == .onlyTouched)
        evidence.comesToRest()
        #expect(try evidence.take([version("bbbb", by: "m1")], of: "H1", []) == 1)
    }

    @Test("A reported version is deleted only for enough newer ones")
    func promises() {
        func broken(_ listed: [(String, Bool)], of kind: TortureGame.Kind = .large) -> Bool {
            let versions = listed.map { TortureEvidence.ListedVersion(id: $0.0 + "bbbb", isWhole: $0.1) }
            return TortureEvidence.brokenPromise(["aaaa"], versions, of: kind, at: "H1") != nil
        }
        #expect(broken([]), "it is no longer known at all")
        #expect(broken([("cccc", true), ("dddd", true), ("eeee", true)]), "whatever came later")
        #expect(!broken([("aaaa", true)]))
        #expect(broken([("cccc", false), ("dddd", true), ("aaaa", false), ("eeee", true), ("ffff", true)]))
        #expect(!broken([("aaaa", false), ("dddd", true), ("eeee", false), ("ffff", true)]))
        #expect(!broken([], of: .plain), "of those all are looked for on the disk")
    }

    // MARK: Folders

    @Test(
        "A save is whole until one of its files is missing, and an empty folder is torn",
        arguments: TortureGame.Kind.allCases
    )
    func trees(of kind: TortureGame.Kind) throws {
        let folder = try TemporaryFolder()
        #expect(try GameTree(folder: folder.path).fault != nil)
        let around = try TemporaryFolder()
        let log = SaveLog(path: "\(around.path)/saves")
        #expect(try !log.read().hasBegun)
        try TortureGame([kind.rawValue, folder.path, "1", log.path, "once"]).run()
        let saved = try GameTree(folder: folder.path)
        #expect(saved.fault == nil)
        #expect(try log.read() == (true, [saved.stamp]))
        try log.empty()
        #expect(try !log.read().hasBegun)
        try PlainFile.write([1], to: "\(folder.path)/\(kind.openFile)")
        #expect(try GameTree(folder: folder.path).fault != nil)
    }

    @Test("Folders without a file are no save")
    func onlyFolders() throws {
        let folder = try TemporaryFolder()
        try PlainFile.makeFolders("\(folder.path)/slots/old")
        #expect(try GameTree(folder: folder.path).fault == "there are no files")
    }

    @Test("The target of a link belongs to the contents and to the game's index")
    func links() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/latest0"
        let index = GameIndex(["latest0": GameIndex.mark(ofLinkTo: "a")])
        try PlainFile.write(index.bytes, to: "\(folder.path)/\(GameIndex.file)")
        #expect(symlink("a", path) == 0)
        let first = try GameTree(folder: folder.path)
        #expect(first.fault == nil)
        unlink(path)
        #expect(symlink("b", path) == 0)
        let second = try GameTree(folder: folder.path)
        #expect(second.fault == "not of one saving: latest0")
        #expect(first.contentsName != second.contentsName)
    }

    @Test("Modes and times belong to the whole digest, and not to that of the contents")
    func facts() throws {
        let folder = try TemporaryFolder()
        let empty = "\(folder.path)/empty"
        try PlainFile.write([1], to: "\(folder.path)/a")
        try PlainFile.makeFolders(empty)
        let first = try GameTree(folder: folder.path)
        #expect(chmod(empty, 0o700) == 0)
        let second = try GameTree(folder: folder.path)
        #expect(first.contentsName == second.contentsName)
        #expect(first.timelessName != second.timelessName)
        var times = [timespec(tv_sec: 7, tv_nsec: 0), timespec(tv_sec: 7, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, "\(folder.path)/a", &times, 0) == 0)
        let third = try GameTree(folder: folder.path)
        #expect(second.timelessName == third.timelessName)
        #expect(second.name != third.name)
    }

    @Test("Modes and times are the version's, unless a game here has touched the files")
    func untrue() throws {
        var evidence = evidence(of: .plain)
        _ = try evidence.take([version(id)], of: "H1", [])
        func finding(_ tree: SeenTree, _ head: String? = nil, coarse: Bool = false) -> TortureEvidence.FolderFinding? {
            evidence.finding(of: tree, .plain, on: "H1", showing: head ?? id, isCoarse: coarse)
        }
        #expect(try finding(tree("whole-of-contents")) == .same)
        #expect(try finding(tree("else", contents: "else")) == .other)
        #expect(try finding(tree("x"), "unknown") == nil)
        #expect(try finding(tree("touched")) == .untrue)
        #expect(try finding(tree("touched"), coarse: true) == .same, "such a disk may be a second off")
        #expect(try finding(tree("touched", "chmodded"), coarse: true) == .untrue)
        // A game has saved the same bytes again.
        evidence.learn(savings: [.plain: ["stamp"]], on: "H1")
        #expect(try finding(tree("touched")) == .onlyTouched)
        evidence.comesToRest()
        #expect(try finding(tree("touched")) == .onlyTouched, "it stays so")
        #expect(try finding(tree("touched otherwise")) == .untrue)
        _ = try evidence.take([version("bbbb", contents: "contents")], of: "H1", [])
        #expect(try finding(tree("touched"), "bbbb") == .untrue, "until another version comes")
        #expect(try finding(tree("whole-of-contents"), "bbbb") == .same)
        #expect(try finding(tree("touched")) == .untrue)
    }

    private let doubt = FolderDoubts.Doubt(host: "H1", kind: "plain", head: "aaaaaaaaaabbbb")

    @Test("A torn folder at rest is a fault at once, except after a power cut")
    func tornFolder() throws {
        var doubts = FolderDoubts()
        #expect(throws: TortureError.self) { try doubts.take([(doubt, "there_is_no_index", false)], at: .now) }
        try doubts.take([(doubt, "there_is_no_index", true)], at: .now)
        #expect(doubts.count == 1)
    }

    @Test("A whole folder that differs is counted, and a fault if it lasts")
    func lateFolder() throws {
        let start = ContinuousClock.now
        var doubts = FolderDoubts()
        try doubts.take([(doubt, SetLook.whole, false)], at: start)
        try doubts.take([(doubt, SetLook.whole, false)], at: start + .seconds(9))
        // The daemon has scanned the save, and reports another version now.
        try doubts.take([], at: start + .seconds(9.5))
        #expect(doubts.count == 1)
        #expect(doubts.longest == .seconds(9.5))
        try doubts.take([(doubt, SetLook.whole, false)], at: start + .seconds(20))
        #expect(throws: TortureError.self) { try doubts.take([(doubt, SetLook.whole, true)], at: start + .seconds(30)) }
        #expect(doubts.count == 2)
    }

    // MARK: The whole run

    @Test("A daemon that ends by itself is a fault")
    func ends() {
        func isFault(_ ending: ProgramEnding, ours: Bool, armed: Bool) -> Bool {
            DaemonEnd.fault(ending, isOurs: ours, isArmed: armed) != nil
        }
        for isArmed in [false, true] {
            for ending in [SIGTRAP, SIGILL, SIGABRT, SIGSEGV, SIGTERM].map(ProgramEnding.signalled) {
                #expect(isFault(ending, ours: false, armed: isArmed))
                #expect(isFault(ending, ours: true, armed: isArmed), "in the instant before")
            }
            #expect(isFault(.exited(0), ours: false, armed: isArmed))
            #expect(isFault(.exited(1), ours: false, armed: isArmed))
            #expect(!isFault(.signalled(SIGKILL), ours: true, armed: isArmed))
        }
        #expect(!isFault(.signalled(SIGKILL), ours: false, armed: true), "at its step")
        #expect(isFault(.signalled(SIGKILL), ours: false, armed: false), "as where memory is short")
    }

    @Test("A crash is found in the log, even if the daemon is killed during it")
    func crash() {
        #expect(DaemonEnd.isCrash("SaveSync/SaveSetRunner.swift:12: Fatal error: Index out of range"))
        #expect(DaemonEnd.isCrash("*** Program crashed: Illegal instruction at 0x0 ***"))
        #expect(!DaemonEnd.isCrash("10:00:00 plain: a new version, aaaaaaaaaa"))
    }

    @Test("A run without readable reports of daemons has failed")
    func silence() {
        var report = TortureReport(seed: 1)
        for kind in TortureGame.Kind.allCases.dropLast() { report.promises[kind] = 3 }
        var other = report
        report.requirePromises()
        #expect(report.failure?.contains("a new version") == true)
        #expect(report.failure?.contains("scores") == true)
        other.promises[.scores] = 1
        other.requirePromises()
        #expect(other.failure == nil)
    }

    @Test("A failpoint counts if the program was killed at it, or twice if that is the only way")
    func plainSteps() {
        var report = TortureReport(seed: 1)
        report.rounds = 300
        for point in ApplyPoint.allCases { report.points["\(point)"] = 1 }
        for point in [ApplyPoint.takingBack, .stepTakenBack, .takenBack] {
            report.points["\(point)"] = nil
            report.points["\(point) (again)"] = 1
        }
        var good = report
        good.requireAllSteps()
        #expect(good.failure == nil)
        report.points["exchanged"] = nil
        report.points["takenBack (again)"] = nil
        report.points["exchanged (power)"] = 1
        report.points["exchanged (again)"] = 1
        report.points["takenBack (again, power)"] = 1
        report.requireAllSteps()
        #expect(report.failure == "in 300 rounds nothing was killed at exchanged, takenBack")
    }

    @Test("A long run that left out a failpoint has failed")
    func steps() {
        var part = TortureReport(seed: 1)
        part.rounds = 299
        part.points = ["exchanged": 1]
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
