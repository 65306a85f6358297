import Glibc
import History
import LinuxPlatform
import SaveFolder
import SaveRules
import Synchronization
import Testing
import TestSupport
import Vocabulary

@Suite("Atomic change of a folder", .timeLimit(.minutes(5)))
struct ApplyTests {
    @Test(
        "If a program works in the folder, or has a folder in it open, that folder stays, with the program's saves",
        arguments: ["cd \"$0\"", "cd \"$0/deep\"", "exec 9< \"$0/deep\"; there=/proc/self/fd/9"]
    )
    func stoodIn(_ way: String) async throws {
        try await Self.expectStanding(way + "; " + Self.game)
    }

    @Test(
        "A folder stays for a game in a container, which knows it by another path",
        .enabled("needs namespaces of its own") { await mayHaveMountsOfItsOwn() }
    )
    func stoodInElsewhere() async throws {
        let inside = "mount --bind \"$0\" \"$0.inside\" && cd \"$0.inside/deep\" && \(Self.game)"
        try await Self.expectStanding("mkdir \"$0.inside\" && exec \(Self.apart) sh -c '\(inside)' \"$0\"")
    }

    /// Reports that it runs, and saves its input there.
    private static let game = "echo there; read word; echo $word > \"${there:-.}/saved\""
    private static let apart = "unshare --user --map-root-user --mount"

    private static func mayHaveMountsOfItsOwn() async -> Bool {
        let trial = ProgramLaunch("sh", ["-c", "exec \(apart) mount --bind /tmp /mnt"])
        return (try? await ChildProcess.run(trial, deadline: .seconds(30)))?.status == .exited(0)
    }

    private static func expectStanding(_ script: String) async throws {
        let fixture = try ApplyFixture(.whole)
        var launch = ProgramLaunch("sh", ["-c", script, fixture.machine.root])
        (launch.standardInput, launch.standardOutput) = (.pipe, .pipe)
        let game = try ChildProcess.launch(launch)
        var lines = try #require(game.standardOutput).lines().makeAsyncIterator()
        #expect(try await lines.next() == "there")
        guard case .applied(fixture.goal) = try fixture.apply(fixture.folder()) else {
            Issue.record("it was not applied")
            return
        }
        try await game.standardInput?.write(Array("on\n".utf8))
        #expect(try await game.wait() == .exited(0))
        #expect(fixture.machine.text(at: "saved") == "on\n" || fixture.machine.text(at: "deep/saved") == "on\n")
    }

    @Test("A folder with folders and no file takes a version as an empty one does, and one with a file does not")
    func foldersAlone() throws {
        let machine = try SetFixture(in: .inMemory())
        try machine.put("hero", at: "Players/Hero")
        let goal = try machine.capture(machine.folder()).manifest
        try machine.remove("Players/Hero")
        try machine.makeFolder("Worlds")
        guard case .applied(goal) = try machine.folder().apply(goal, over: .empty, from: machine.history) else {
            Issue.record("it was not applied")
            return
        }
        #expect(machine.text(at: "Players/Hero") == "hero")

        try machine.remove("Players/Hero")
        try machine.put("world", at: "Worlds/World")
        guard case .changedMeanwhile = try machine.folder().apply(goal, over: .empty, from: machine.history) else {
            Issue.record("a save that no version has was replaced")
            return
        }
        #expect(machine.text(at: "Worlds/World") == "world")
    }

    @Test(
        "The folder has the goal exactly, with modes and times, and no staging remains",
        arguments: Scenario.allCases
    )
    func applies(_ scenario: Scenario) throws {
        let fixture = try ApplyFixture(scenario)
        let reached = Mutex<[ApplyPoint]>([])
        let folder = try fixture.folder { point in reached.withLock { $0.append(point) } }
        guard case .applied(fixture.goal) = try fixture.apply(folder) else {
            Issue.record("not applied")
            return
        }
        #expect(try fixture.state() == fixture.goal)
        #expect(fixture.machine.debris == [])
        let points = reached.withLock { $0 }
        #expect(points.contains(.exchanged) == (scenario == .whole))
        #expect(points.contains(.partWritten) == (scenario == .inPlace))
        #expect(points.last == .ended)
        // Its content is known, and need not be read.
        #expect(try fixture.machine.capture(folder).bytesRead == ByteCount(0))
    }

    @Test("A part of a large file is changed in place: only the change is written")
    func costsTheChange() throws {
        let fixture = try ApplyFixture(.inPlace)
        let number = try FileFacts(at: "\(fixture.machine.root)/large").inode
        _ = try fixture.apply(fixture.folder())
        #expect(try FileFacts(at: "\(fixture.machine.root)/large").inode == number)
        let difference = ManifestDifference(from: fixture.base, to: fixture.goal)
        #expect(difference.byteCount < ByteCount(1 << 20))
    }

    @Test("A large file is put there from many pieces, and not at all if one is damaged", arguments: [false, true])
    func manyPieces(isDamaged: Bool) throws {
        let machine = try SetFixture(in: .inMemory())
        let folder = try machine.folder()
        try machine.put("small", at: "small")
        let base = try machine.capture(folder).manifest
        var number: UInt64 = 1
        let bytes = (0..<(4 << 20)).map { _ in
            number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: number >> 33)
        }
        try machine.put(bytes, at: "large")
        let goal = try machine.capture(folder).manifest
        guard case .applied = try folder.apply(base, over: goal, from: machine.history) else {
            Issue.record("the file was not removed")
            return
        }
        if isDamaged {
            let path = machine.base.path(of: "history/pack-0000000001")
            let number = try retrying("open", on: path) { open(path, O_WRONLY | O_CLOEXEC) }
            let pack = OwnedDescriptor(takingOwnershipOf: number)
            try Array("damage".utf8).withUnsafeBytes { try pack.write($0, at: 2 << 20) }
            #expect(throws: SaveFolderError.self) { try folder.apply(goal, over: base, from: machine.history) }
        } else {
            _ = try folder.apply(goal, over: base, from: machine.history)
        }
        #expect(try machine.capture(folder, rereading: true).manifest == (isDamaged ? base : goal))
        #expect(machine.debris == [])
    }

    @Test("A hard link to a large file keeps its content")
    func secondName() throws {
        let fixture = try ApplyFixture(.inPlace)
        let (large, kept) = ("\(fixture.machine.root)/large", fixture.machine.base.path(of: "kept"))
        link(large, kept)
        let before = try #require(fixture.machine.base.text(at: "kept"))
        _ = try fixture.apply(fixture.folder())
        #expect(try fixture.state() == fixture.goal)
        #expect(fixture.machine.base.text(at: "kept") == before)
    }

    @Test("Two names of one file can both get another time")
    func namesOfOneFile() throws {
        let machine = try SetFixture(in: .inMemory())
        let extent = SetPlace.Extent.chosen([try FileName("a"), try FileName("b")])
        try machine.put("the same", at: "a")
        #expect(Glibc.link("\(machine.root)/a", "\(machine.root)/b") == 0)
        func held(since seconds: Int) throws -> Manifest {
            let time = timeval(tv_sec: seconds, tv_usec: 0)
            utimes("\(machine.root)/a", [time, time])
            return try machine.capture(machine.folder(extent)).manifest
        }
        let goal = try held(since: 1_700_000_000)
        let base = try held(since: 1_600_000_000)
        let outcome = try machine.folder(extent).apply(goal, over: base, from: machine.history)
        guard case .applied(goal) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(try machine.capture(machine.folder(extent), rereading: true).manifest == goal)
        #expect(machine.debris == [])
    }

    @Test("A folder without the expected base is not changed", arguments: Scenario.allCases)
    func otherBase(_ scenario: Scenario) throws {
        let fixture = try ApplyFixture(scenario)
        let path = try #require(fixture.base.entries.first { $0.file != nil }).path.text
        try fixture.machine.put("mine", at: path)
        guard case .changedMeanwhile = try fixture.apply(fixture.folder()) else {
            Issue.record("applied")
            return
        }
        #expect(fixture.machine.text(at: path) == "mine")
        #expect(fixture.machine.debris == [])
    }

    @Test("A folder with other modes and times than expected is changed anyway", arguments: Scenario.allCases)
    func touched(_ scenario: Scenario) throws {
        let fixture = try ApplyFixture(scenario)
        let path = try #require(fixture.base.entries.first { $0.file != nil }).path.text
        chmod("\(fixture.machine.root)/\(path)", 0o600)
        utimes("\(fixture.machine.root)/\(path)", nil)
        guard case .applied = try fixture.apply(fixture.folder()) else {
            Issue.record("not applied")
            return
        }
        #expect(try fixture.state() == fixture.goal)
    }

    @Test(
        "A concurrent change is found, the folder is restored with it, and no data is lost",
        arguments: Scenario.allCases,
        [ApplyPoint.fileStaged, .staged, .announced]
    )
    func lastInstant(_ scenario: Scenario, _ moment: ApplyPoint) throws {
        let fixture = try ApplyFixture(scenario)
        let machine = fixture.machine
        let path = scenario == .single ? "only" : scenario == .inPlace ? "small" : "a"
        let folder = try fixture.folder { if $0 == moment { try? machine.put("in the last instant", at: path) } }
        let outcome = try fixture.apply(folder)
        guard case .changedMeanwhile = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(machine.text(at: path) == "in the last instant")
        var (state, base) = (try fixture.state().entries, fixture.base.entries)
        state.removeAll { $0.path.text == path }
        base.removeAll { $0.path.text == path }
        #expect(state == base)
        #expect(machine.debris == [])
    }

    @Test(
        "A file that is opened for writing at the last moment is in use, and its write is kept",
        arguments: [Scenario.whole, .chosen, .single],
        [ApplyPoint.journalWritten, .staged, .announced]
    )
    func opened(_ scenario: Scenario, _ moment: ApplyPoint) throws {
        let fixture = try ApplyFixture(scenario)
        let path = "\(fixture.machine.root)/\(scenario == .single ? "only" : "a")"
        let file = Mutex<CInt>(-1)
        let folder = try fixture.folder { point in
            if point == moment { file.withLock { $0 = open(path, O_WRONLY | O_CLOEXEC) } }
        }
        let outcome = try fixture.apply(folder)
        guard case .inUse(let writers) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(writers.map(\.process) == [getpid()])
        let number = file.withLock { $0 }
        #expect(write(number, "X", 1) == 1)
        close(number)
        #expect(fixture.machine.text(at: scenario == .single ? "only" : "a")?.first == "X")
        #expect(fixture.machine.debris == [])
    }

    @Test("A program that begins to save at the last moment never sees the new folder")
    func neverSeen() throws {
        let fixture = try ApplyFixture(.whole)
        let machine = fixture.machine
        let file = Mutex<CInt>(-1)
        let folder = try fixture.folder { point in
            if point == .announced { file.withLock { $0 = open("\(machine.root)/a", O_WRONLY | O_CLOEXEC) } }
            // Its other reads for the save would be of the other folder.
            #expect(point != .exchanged)
        }
        guard case .inUse = try fixture.apply(folder) else {
            Issue.record("it was not found")
            return
        }
        close(file.withLock { $0 })
        #expect(try fixture.state() == fixture.base)
        #expect(machine.debris == [])
    }

    @Test("A file that is open for writing from the beginning is in use")
    func occupied() throws {
        let fixture = try ApplyFixture(.whole)
        let file = open("\(fixture.machine.root)/b", O_WRONLY | O_CLOEXEC)
        let (outcome, occupancy) = (try fixture.apply(fixture.folder()), try fixture.folder().occupancy())
        // A file that a program has just opened is not scanned either.
        close(file)
        guard case .inUse = outcome, case .occupied = occupancy else {
            Issue.record("not in use")
            return
        }
        #expect(try fixture.state() == fixture.base)
    }

    @Test("Untracked files stay under their names, even if their folder is removed")
    func untracked() throws {
        let machine = try SetFixture(in: .inMemory())
        let scope = SetScope(ignored: try PathPatterns(["*.log", "/cache/"]), local: try PathPatterns(["screen.ini"]))
        let folder = try machine.folder(scope: scope)
        for path in ["a", "b", "going/c"] { try machine.put("old", at: path) }
        let goalless = try machine.capture(folder).manifest
        try machine.put("new", at: "a")
        try machine.put("new", at: "b")
        try machine.remove("going/c")
        try machine.remove("going")
        let goal = try machine.capture(folder).manifest
        _ = try folder.apply(goalless, over: goal, from: machine.history)
        for path in ["x.log", "going/y.log", "cache/deep/z", "screen.ini"] { try machine.put("mine", at: path) }
        try retrying("mkfifo") { mkfifo("\(machine.root)/pipe", 0o600) }
        try machine.link("out", to: "/etc/passwd")
        let settings = try FileFacts(at: "\(machine.root)/screen.ini").inode
        guard case .applied = try folder.apply(goal, over: goalless, from: machine.history) else {
            Issue.record("not applied")
            return
        }
        #expect(machine.text(at: "a") == "new")
        #expect(machine.text(at: "going/c") == nil)
        for path in ["x.log", "going/y.log", "cache/deep/z", "screen.ini"] { #expect(machine.text(at: path) == "mine") }
        #expect(try FileFacts(at: "\(machine.root)/screen.ini").inode == settings)
        #expect(machine.namesIn(machine.root) == ["a", "b", "cache", "going", "out", "pipe", "screen.ini", "x.log"])
        #expect(machine.debris == [])
    }

    @Test("Untracked files that appear at the last moment are carried over")
    func lateStrays() throws {
        let fixture = try ApplyFixture(.whole)
        let machine = fixture.machine
        let scope = SetScope(ignored: try PathPatterns(["*.log"]))
        try machine.put("first", at: "a.log")
        let folder = try machine.folder(scope: scope) { point in
            guard point == .announced else { return }
            try? machine.put("late", at: "late.log")
            try? machine.put("replaced", at: "new.log")
            rename("\(machine.root)/new.log", "\(machine.root)/a.log")
        }
        guard case .applied = try fixture.apply(folder) else {
            Issue.record("not applied")
            return
        }
        #expect(machine.text(at: "late.log") == "late")
        #expect(machine.text(at: "a.log") == "replaced")
    }

    @Test("An untracked entry in the way is an error with its name, and nothing changes")
    func inTheWay() throws {
        let machine = try SetFixture(in: .inMemory())
        let folder = try machine.folder()
        try machine.put("1", at: "a")
        try machine.put("1", at: "b")
        let base = try machine.capture(folder).manifest
        try machine.put("2", at: "a")
        try machine.put("2", at: "c")
        let goal = try machine.capture(folder).manifest
        _ = try folder.apply(base, over: goal, from: machine.history)
        try retrying("mkfifo") { mkfifo("\(machine.root)/c", 0o600) }
        #expect(refusal("save-folder.in-the-way") { try folder.apply(goal, over: base, from: machine.history) })
        #expect(try machine.capture(folder, rereading: true).manifest == base)
        #expect(machine.debris == [])
    }

    @Test("An untracked entry at the target of a move or a new folder is named as well", arguments: ["b", "deep"])
    func inTheWayOfSteps(_ name: String) throws {
        let machine = try SetFixture(in: .inMemory())
        let folder = try machine.folder(.chosen([try FileName("a"), try FileName("b"), try FileName("deep")]))
        try machine.put("1", at: "a")
        let base = try machine.capture(folder).manifest
        rename("\(machine.root)/a", "\(machine.root)/b")
        try machine.put("1", at: "deep/c")
        let goal = try machine.capture(folder).manifest
        _ = try folder.apply(base, over: goal, from: machine.history)
        try retrying("mkfifo") { mkfifo("\(machine.root)/\(name)", 0o600) }
        #expect(refusal("save-folder.in-the-way") { try folder.apply(goal, over: base, from: machine.history) })
        #expect(try machine.capture(folder, rereading: true).manifest == base)
        #expect(machine.debris == [])
    }

    @Test("Pieces that the history does not have are an error, and nothing changes")
    func missingPieces() throws {
        let fixture = try ApplyFixture(.whole)
        let empty = try History.open(at: fixture.machine.base.path(of: "other-history"))
        #expect(
            refusal("save-folder.history") {
                try fixture.folder().apply(fixture.goal, over: fixture.base, from: empty)
            }
        )
        #expect(try fixture.state() == fixture.base)
        #expect(fixture.machine.debris == [])
    }

    @Test("A root that is a symbolic link stays one, and its target is changed")
    func linkedRoot() throws {
        let fixture = try ApplyFixture(.whole)
        let path = fixture.machine.base.path(of: "link")
        symlink("home/save", path)
        let folder = try fixture.machine.folder(root: path)
        guard case .applied = try fixture.apply(folder) else {
            Issue.record("not applied")
            return
        }
        #expect(try fixture.state() == fixture.goal)
        var target = [CChar](repeating: 0, count: 64)
        #expect(readlink(path, &target, 64) == 9)
    }
}
