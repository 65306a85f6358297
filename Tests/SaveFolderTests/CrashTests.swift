import Glibc
import LinuxPlatform
import SaveFolder
import SaveRules
import Testing
import TestSupport
import Vocabulary
import Workbench

@Suite("Crashes during a change", .timeLimit(.minutes(10)))
struct CrashTests {
    /// Runs a program that changes the set and stops at a step; false if it did not reach the step.
    private func crash(
        _ fixture: ApplyFixture,
        _ work: String,
        at point: ApplyPoint,
        _ count: Int
    ) async throws -> Bool {
        let words = [fixture.machine.base.path, work, point.rawValue, "\(count)"] + fixture.scenario.names
        let launch = ProgramLaunch("\(Programs.builtFolder)/save-crash", words)
        let ended = try await ChildProcess.run(launch, deadline: .seconds(60))
        if ended.status == .exited(0) { return false }
        let complaint = ended.standardError.text
        #expect(ended.status == .signalled(SIGKILL), "\(point) \(count): \(ended.status) \(complaint)")
        return true
    }

    /// The folder has the old or the new state completely, no staging remains, and it can be changed again.
    private func check(_ fixture: ApplyFixture, _ comment: Comment) throws {
        let folder = try fixture.folder()
        let (recovery, changedTo) = (try folder.recover(), try folder.changedTo())
        try folder.acknowledge()
        let state = try fixture.state()
        #expect(state == fixture.base || state == fixture.goal, comment)
        switch recovery {
        case .finished: #expect(state == fixture.goal && changedTo == fixture.version, comment)
        case .undone: #expect(state == fixture.base && changedTo == nil, comment)
        case .nothing: #expect(changedTo == nil, comment)
        }
        #expect(fixture.machine.debris == [], comment)
        if fixture.scenario == .chosen { #expect(fixture.machine.text(at: "other") == "not chosen", comment) }
        guard state == fixture.base else { return }
        let outcome = try fixture.apply(fixture.folder())
        guard case .applied = outcome else {
            Issue.record("\(comment): \(outcome)")
            return
        }
        #expect(try fixture.state() == fixture.goal, comment)
    }

    @Test("A folder is completely old or completely new after a crash at any step", arguments: Scenario.allCases)
    func crashes(_ scenario: Scenario) async throws {
        var deaths = 0
        for point in ApplyPoint.allCases {
            for count in 1... {
                let fixture = try ApplyFixture(scenario)
                guard try await crash(fixture, "apply", at: point, count) else { break }
                deaths += 1
                try check(fixture, "killed at \(point), \(count)")
            }
        }
        #expect(deaths >= 7)
    }

    @Test("A large folder of which only one file changes is completely old or completely new after a crash at any step")
    func crashesOfOne() async throws {
        var deaths = 0
        for point in ApplyPoint.allCases {
            for count in 1... {
                let fixture = try ApplyFixture(.single)
                let folder = try fixture.folder()
                _ = try fixture.machine.capture(folder)
                try folder.saveCache()
                guard try await crash(fixture, "heard", at: point, count) else { break }
                deaths += 1
                try check(fixture, "killed at \(point), \(count)")
            }
        }
        #expect(deaths >= 7)
    }

    @Test(
        "A folder is completely old or completely new after another crash during the repair",
        arguments: Scenario.allCases
    )
    func crashesAgain(_ scenario: Scenario) async throws {
        for (first, count) in [
            (ApplyPoint.announced, 1), (.exchanged, 1), (.stepTaken, 2), (.changed, 1), (.committed, 1),
        ] {
            for second in [ApplyPoint.takingBack, .stepTakenBack, .takenBack, .committed, .cleared] {
                let fixture = try ApplyFixture(scenario)
                guard try await crash(fixture, "apply", at: first, count) else { break }
                for again in 1...3 where try await crash(fixture, "recover", at: second, again) {}
                try check(fixture, "killed at \(first), then at \(second)")
            }
        }
    }

    @Test("A write between the crash and the repair is kept", arguments: [true, false])
    func writtenSince(isAfterExchange: Bool) async throws {
        let fixture = try ApplyFixture(.whole)
        #expect(try await crash(fixture, "apply", at: isAfterExchange ? .exchanged : .announced, 1))
        for path in ["a", "b"] { try fixture.machine.put("the game went on", at: path) }
        let folder = try fixture.folder()
        try folder.recover()
        for path in ["a", "b"] { #expect(fixture.machine.text(at: path) == "the game went on") }
        #expect(fixture.machine.text(at: "new") == (isAfterExchange ? "new" : nil))
        #expect(try folder.changedTo() == (isAfterExchange ? fixture.version : nil))
        try folder.acknowledge()
        #expect(fixture.machine.debris == [])
    }

    @Test(
        "After a crash during an undo, the folder has the saves of a program in the new folder, and later ones",
        arguments: [ApplyPoint.takingBack, .stepTakenBack, .takenBack],
        [true, false]
    )
    func whileTakenBack(_ point: ApplyPoint, goesOn: Bool) async throws {
        let isOpen = point == .takingBack
        for diesAgain in [false, true] {
            let fixture = try ApplyFixture(.whole)
            let machine = fixture.machine
            #expect(try await crash(fixture, "overtaken", at: point, 1))
            if goesOn { try machine.put("and then this", at: "a") }
            if diesAgain { #expect(try await crash(fixture, "recover", at: .takingBack, 1) == isOpen) }
            let folder = try fixture.folder()
            #expect(try folder.recover() == (diesAgain && !isOpen ? .nothing : .undone))
            #expect(machine.text(at: "a") == (goesOn ? "and then this" : "the game went on"))
            #expect(machine.text(at: "b") == "in the last instant")
            #expect(machine.text(at: "fresh") == "fresh")
            #expect(try machine.text(at: "new") == nil && !fixture.state().shown.contains { $0.hasPrefix("link") })
            #expect(try folder.changedTo() == nil)
            #expect(machine.debris == [])
        }
    }

    @Test(
        "If both states changed and a user removes one, the other stays; an empty mount point does not"
    )
    func removedAside() async throws {
        let fixture = try ApplyFixture(.whole)
        let machine = fixture.machine
        #expect(try await crash(fixture, "apply", at: .exchanged, 1))
        let aside = "home/\(machine.debris.first { $0 != "journal" } ?? "")"
        try machine.base.put("one", at: "\(aside)/a")
        try machine.put("another", at: "a")
        #expect(refusal("save-folder.both-changed") { try fixture.folder().recover() })
        rename(machine.base.path(of: aside), machine.base.path(of: "copied"))
        let away = machine.base.path(of: "away")
        rename(machine.root, away)
        mkdir(machine.root, 0o755)
        #expect(refusal("save-folder.not-the-folder") { try fixture.folder().recover() })
        rmdir(machine.root)
        rename(away, machine.root)
        let folder = try fixture.folder()
        #expect(try folder.recover() == .undone)
        #expect(try folder.changedTo() == nil)
        #expect(machine.text(at: "a") == "another" && machine.text(at: "new") == "new")
        #expect(try machine.capture(folder).manifest == fixture.state())
        #expect(machine.debris == [])
    }

    @Test("The version of a change is known until it is acknowledged, also after a restart")
    func changedTo() throws {
        let fixture = try ApplyFixture(.whole)
        let (folder, history) = (try fixture.folder(), fixture.machine.history)
        let outcome = try folder.apply(fixture.goal, over: fixture.base, from: history, as: fixture.version)
        guard case .applied = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(try folder.changedTo() == fixture.version)
        for _ in 1...2 { #expect(try fixture.folder().changedTo() == fixture.version) }
        try folder.acknowledge()
        #expect(try folder.changedTo() == nil)
        #expect(try fixture.folder().changedTo() == nil)
        #expect(fixture.machine.debris == [])
    }

    @Test("A folder with parts of two versions after a crash differs from a complete one")
    func halfChanged() async throws {
        for (scenario, point, isHalf) in [
            (Scenario.chosen, ApplyPoint.stepTaken, true), (.chosen, .staged, false), (.chosen, .committed, false),
            (.whole, .exchanged, false),
        ] {
            let fixture = try ApplyFixture(scenario)
            #expect(try await crash(fixture, "apply", at: point, 1))
            let places = fixture.machine.base.path(of: "places")
            try fixture.machine.makeFolder("places")
            let notes = "\(places)/\(testSet)"
            try retrying("rename") { rename(fixture.machine.notes, notes) }
            #expect(
                try halves(in: places) == (isHalf ? ["\(testSet)": "certain"] : [:]),
                "\(scenario), \(point)"
            )
            try retrying("rename") { rename(notes, fixture.machine.notes) }
            _ = try fixture.folder().recover()
            try retrying("rename") { rename(fixture.machine.notes, notes) }
            #expect(try halves(in: places).isEmpty)
        }
    }

    /// The sets with parts of two versions, or possibly so, with the reason.
    private func halves(in places: String) throws -> [String: String] {
        try HalfChange.all(in: places).mapValues { half in
            switch half {
            case .certain: "certain"
            case .possible(let error): error.code.description
            }
        }
    }

    @Test("A folder with an unreadable journal may have parts of two versions")
    func maybeHalfChanged() throws {
        let base = try SetFixture().base
        let places = base.path(of: "places")
        #expect(try halves(in: places).isEmpty)
        for set in ["damaged", "unreadable", "whole"] {
            for path in [places, "\(places)/\(set)"] where access(path, F_OK) != 0 {
                try retrying("mkdir") { mkdir(path, 0o755) }
            }
        }
        try base.put("no plan", at: "places/damaged/journal")
        try retrying("mkdir") { mkdir("\(places)/unreadable/journal", 0o755) }
        try base.put("no folder", at: "places/file")
        let damaged = "save-folder.damaged-journal"
        #expect(
            try halves(in: places) == ["damaged": damaged, "unreadable": damaged, "file": "save-folder.missing"]
        )
        #expect(refusal("save-folder.missing") { try HalfChange.all(in: base.path(of: "places/file")) })
    }

    @Test("If the folder is missing, nothing is changed until it returns")
    func away() async throws {
        let fixture = try ApplyFixture(.chosen)
        #expect(try await crash(fixture, "apply", at: .stepTaken, 3))
        let away = fixture.machine.base.path(of: "away")
        rename(fixture.machine.home, away)
        let folder = try fixture.folder()
        #expect(refusal("save-folder.missing") { try folder.recover() })
        #expect(refusal("save-folder.missing") { try fixture.machine.capture(folder) })
        rename(away, fixture.machine.home)
        #expect(try folder.recover() == .undone)
        #expect(try fixture.state() == fixture.base)
    }

    @Test(
        "If the set moved and its previous folder is missing, a final or unstarted change ends",
        arguments: [
            (Scenario.chosen, ApplyPoint.committed), (.whole, .committed), (.whole, .cleared), (.whole, .staged),
        ]
    )
    func movedAway(_ scenario: Scenario, _ point: ApplyPoint) async throws {
        let fixture = try ApplyFixture(scenario)
        #expect(try await crash(fixture, "apply", at: point, 1))
        rename(fixture.machine.root, fixture.machine.base.path(of: "moved"))
        let folder = try moved(fixture)
        if point != .cleared { #expect(refusal("save-folder.left-behind") { try folder.recover() }) }
        #expect(try folder.recover() == (point == .cleared ? .finished : .nothing))
        #expect(try folder.changedTo() == nil && moved(fixture).recover() == .nothing)
        let held = try fixture.machine.capture(folder).manifest
        #expect(held == (point == .staged ? fixture.base : fixture.goal))
        // The staging remains.
        #expect(fixture.machine.debris.isEmpty == (point == .cleared))
    }

    @Test("If such a change was interrupted in between, the folder must be put back first")
    func movedInTheMiddle() async throws {
        let fixture = try ApplyFixture(.chosen)
        #expect(try await crash(fixture, "apply", at: .stepTaken, 3))
        let path = fixture.machine.base.path(of: "moved")
        rename(fixture.machine.root, path)
        #expect(refusal("save-folder.interrupted-elsewhere") { try moved(fixture).recover() })
        rename(path, fixture.machine.root)
        mkdir(path, 0o755)
        #expect(try moved(fixture).recover() == .undone)
        #expect(try fixture.state() == fixture.base && fixture.machine.debris == [])
    }

    /// The set in the folder `moved`.
    private func moved(_ fixture: ApplyFixture) throws -> SaveFolder {
        try fixture.machine.folder(fixture.scenario.extent, root: fixture.machine.base.path(of: "moved"))
    }

    @Test("A damaged journal is an error with a next step, and nothing is changed")
    func damagedJournal() async throws {
        let fixture = try ApplyFixture(.chosen)
        #expect(try await crash(fixture, "apply", at: .stepTaken, 3))
        truncate("\(fixture.machine.notes)/journal", 40)
        #expect(refusal("save-folder.damaged-journal") { try fixture.folder().recover() })
        #expect(refusal("save-folder.damaged-journal") { try fixture.machine.capture(fixture.folder()) })
    }
}
