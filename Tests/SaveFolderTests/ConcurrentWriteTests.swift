import CLinux
import Glibc
import LinuxPlatform
import SaveFolder
import SaveRules
import Synchronization
import Testing
import TestSupport
import Vocabulary

@Suite("Concurrent writes during an exchange that is undone")
struct ConcurrentWriteTests {
    /// The folder that is not in the set's place.
    private static func aside(_ machine: SetFixture) -> String {
        "home/\(machine.debris.first { $0 != "journal" } ?? "")"
    }

    /// Changes the folder, and something in it once at each step.
    private func outcome(
        _ fixture: ApplyFixture,
        _ doings: [ApplyPoint: @Sendable (SetFixture) throws -> Void]
    ) throws -> ApplyOutcome {
        let machine = fixture.machine
        let done = Mutex<Set<ApplyPoint>>([])
        let folder = try fixture.folder { point in
            guard let doing = doings[point], done.withLock({ $0.insert(point).inserted }) else { return }
            do { try doing(machine) } catch { Issue.record(error) }
        }
        return try fixture.apply(folder)
    }

    /// Prevents the final mark: a program with an open old folder writes there.
    private static func disturb(_ machine: SetFixture) throws {
        try machine.base.put("in the last instant", at: "\(aside(machine))/b")
    }

    /// Writes as programs do that replace a file atomically; opening a held file waits.
    private static func replace(_ text: String, at path: String, in machine: SetFixture) throws {
        try machine.base.put(text, at: "home/writing")
        rename(machine.base.path(of: "home/writing"), machine.base.path(of: path))
    }

    private func isOvertaken(_ outcome: ApplyOutcome) -> Bool {
        if case .changedMeanwhile = outcome { true } else { false }
    }

    @Test("A program's writes, additions and removals are kept, and no staging remains")
    func written() throws {
        let fixture = try ApplyFixture(.whole)
        let machine = fixture.machine
        let outcome = try outcome(
            fixture,
            [
                .exchanged: { machine in
                    try Self.disturb(machine)
                    try machine.put("the game went on", at: "a")
                    try machine.put("fresh", at: "room/fresh")
                    try machine.remove("link")
                    chmod("\(machine.root)/deep", 0o750)
                }
            ]
        )
        #expect(isOvertaken(outcome))
        #expect(machine.text(at: "a") == "the game went on")
        #expect(machine.text(at: "b") == "in the last instant")
        #expect(machine.text(at: "room/fresh") == "fresh")
        let ours = ["a", "b", "room", "room/fresh", "link", "deep"]
        func rest(_ manifest: Manifest) -> [ManifestEntry] { manifest.entries.filter { !ours.contains($0.path.text) } }
        let state = try fixture.state()
        #expect(rest(state) == rest(fixture.base))
        #expect(!state.shown.contains { $0.hasPrefix("link") })
        #expect(machine.debris == [])
        #expect(try fixture.folder().recover() == .nothing)
    }

    @Test("A program may continue in the old folder after the undo: the last write counts")
    func goesOn() throws {
        let fixture = try ApplyFixture(.whole)
        let outcome = try outcome(
            fixture,
            [
                .exchanged: { machine in
                    try Self.disturb(machine)
                    try machine.put("first", at: "a")
                },
                .stepTakenBack: { machine in try Self.replace("and then this", at: "home/save/a", in: machine) },
            ]
        )
        #expect(isOvertaken(outcome))
        #expect(fixture.machine.text(at: "a") == "and then this")
        #expect(fixture.machine.debris == [])
    }

    /// Content of the set if a program changes something at the moment at which the old folder is back.
    private func holds(after doing: @escaping @Sendable (SetFixture) throws -> Void) throws -> SetFixture {
        let fixture = try ApplyFixture(.whole)
        let outcome = try outcome(fixture, [.exchanged: { try Self.disturb($0) }, .stepTakenBack: doing])
        #expect(isOvertaken(outcome))
        #expect(fixture.machine.debris == [])
        return fixture.machine
    }

    @Test(
        "A write in the removed new folder is copied unless another program has written since"
    )
    func standsThere() throws {
        let machine = try holds { machine in
            try machine.base.put("late", at: "\(Self.aside(machine))/a")
            try machine.base.put("fresh", at: "\(Self.aside(machine))/fresh")
        }
        #expect(machine.text(at: "a") == "late")
        #expect(machine.text(at: "fresh") == "fresh")
    }

    @Test("If two programs wrote the same file, the last write counts, as in one folder")
    func last() throws {
        let machine = try holds { machine in
            try machine.base.put("late", at: "\(Self.aside(machine))/a")
            try Self.setTime(-60, of: machine.base.path(of: "\(Self.aside(machine))/a"))
            try Self.replace("later", at: "home/save/a", in: machine)
        }
        #expect(machine.text(at: "a") == "later")
    }

    private static func setTime(_ seconds: Int, of path: String) throws {
        let moment = timespec(tv_sec: time(nil) + seconds, tv_nsec: 0)
        let times = [moment, moment]
        try retrying("utimensat") { utimensat(AT_FDCWD, path, times, 0) }
    }

    @Test("Simultaneous changes of both folders are left to the user, and all data is kept")
    func both() throws {
        let fixture = try ApplyFixture(.whole)
        let machine = fixture.machine
        #expect(
            refusal("save-folder.both-changed") {
                try outcome(
                    fixture,
                    [
                        .exchanged: { machine in try Self.disturb(machine) },
                        .stepTakenBack: { machine in
                            try machine.base.put("late", at: "\(Self.aside(machine))/a")
                            try machine.remove("a")
                            try machine.put("later, perhaps", at: "a/inner")
                        },
                    ]
                )
            }
        )
        #expect(machine.text(at: "a/inner") == "later, perhaps")
        #expect(machine.base.text(at: "\(Self.aside(machine))/a") == "late")
        #expect(refusal("save-folder.both-changed") { try fixture.folder().recover() })
        // As the error tells.
        rename(machine.base.path(of: Self.aside(machine)), machine.base.path(of: "copied"))
        #expect(try fixture.folder().recover() == .undone)
        #expect(machine.debris == [])
    }

    @Test("Untracked files return, too")
    func untracked() throws {
        let machine = try SetFixture(in: .inMemory())
        let scope = SetScope(ignored: try PathPatterns(["*.log"]), local: try PathPatterns([]))
        for (path, text) in [("a", "old"), ("b", "old"), ("c", "old"), ("game.log", "one line")] {
            try machine.put(text, at: path)
        }
        let base = try machine.capture(machine.folder(scope: scope)).manifest
        for path in ["a", "c"] { try machine.put("newer", at: path) }
        let goal = try machine.capture(machine.folder(scope: scope)).manifest
        _ = try machine.folder(scope: scope).apply(base, over: goal, from: machine.history)
        let folder = try machine.folder(scope: scope) { point in
            guard point == .exchanged else { return }
            try? Self.disturb(machine)
            // As programs do that begin a new log.
            rename("\(machine.root)/game.log", "\(machine.root)/game.1.log")
            try? machine.put("another line", at: "game.log")
        }
        #expect(isOvertaken(try folder.apply(goal, over: base, from: machine.history)))
        #expect(machine.text(at: "game.log") == "another line")
        #expect(machine.text(at: "game.1.log") == "one line")
        #expect(machine.debris == [])
    }
}
