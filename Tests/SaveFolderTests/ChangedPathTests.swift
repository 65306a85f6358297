import Glibc
@testable import SaveFolder
import SaveRules
import Synchronization
import Testing
import TestSupport
import Vocabulary

@Suite("Change of one path of a large folder", .timeLimit(.minutes(5)))
struct ChangedPathTests {
    private let machine: SetFixture

    init() throws {
        machine = try SetFixture(in: .inMemory())
        for number in 0..<24 { try machine.put("\(number)", at: "f\(number % 4)/\(number)") }
    }

    /// The set before and after a change, with the folder as before.
    private func versions(_ change: () throws -> Void) throws -> (base: Manifest, goal: Manifest) {
        let base = try machine.capture(machine.folder()).manifest
        try change()
        let goal = try machine.capture(machine.folder()).manifest
        guard case .applied = try machine.folder().apply(base, over: goal, from: machine.history) else {
            throw SetFixture.Disturbed()
        }
        return (base, goal)
    }

    private func believing(observe: @escaping @Sendable (ApplyPoint) -> Void = { _ in }) throws -> SaveFolder {
        let folder = try machine.largeFolder(observe: observe)
        try machine.capture(folder)
        try folder.believeNotes()
        return folder
    }

    @Test("A file is put, replaced, removed or dated, and the next scan looks at nothing else", arguments: 0..<4)
    func change(_ kind: Int) throws {
        let (base, goal) = try versions {
            switch kind {
            case 0: try machine.put("new", at: "f1/new")
            case 1: try machine.put("replaced", at: "f1/5")
            case 2: try machine.remove("f1/5")
            default: chmod("\(machine.root)/f1/5", 0o600)
            }
        }
        let folder = try believing()
        guard case .applied(goal) = try folder.apply(goal, over: base, from: machine.history) else {
            Issue.record("not applied")
            return
        }
        let unread = folder.state.withLock { $0.unread }
        #expect(unread == .nothing)
        #expect(try machine.capture(folder, over: goal).manifest == goal)
        #expect(try machine.capture(machine.folder(), rereading: true).manifest == goal)
        #expect(machine.debris == [])
    }

    @Test("A program that writes another file meanwhile is heard, and nothing is changed", arguments: [true, false])
    func overtaken(isLate: Bool) throws {
        let (base, goal) = try versions { try machine.put("replaced", at: "f1/5") }
        let game = Probe<SaveFolder?>(nil)
        let folder = try believing { point in
            guard point == (isLate ? .stepTaken : .staged), let folder = game.value else { return }
            if let path = try? SavePath("f2/6") { folder.heard.note(path) }
        }
        game.update { $0 = folder }
        let outcome = try folder.apply(goal, over: base, from: machine.history)
        guard case .changedMeanwhile = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(try machine.capture(machine.folder(), rereading: true).manifest == base)
        #expect(machine.debris == [])
        let unread = folder.state.withLock { $0.unread }
        #expect(unread != .nothing)
        // The same would happen each time. The attempt after the next scan compares the whole folder instead.
        try machine.capture(folder, over: base)
        guard case .applied = try folder.apply(goal, over: base, from: machine.history) else {
            Issue.record("not applied")
            return
        }
        #expect(try machine.capture(machine.folder(), rereading: true).manifest == goal)
    }

    @Test("After a change that looked at everything, the next scan and the next change look at nothing else")
    func afterWholeLook() throws {
        let (base, goal) = try versions { try machine.put("replaced", at: "f1/5") }
        let folder = try believing()
        folder.heard.note(nil)
        guard case .applied = try folder.apply(goal, over: base, from: machine.history) else {
            Issue.record("not applied")
            return
        }
        let unread = folder.state.withLock { $0.unread }
        #expect(unread == .nothing)
        // A file that nothing was heard of shows that no scan and no change looked there.
        try machine.put("unheard", at: "f2/6")
        #expect(try machine.capture(folder, over: goal).manifest == goal)
        guard case .applied = try folder.apply(base, over: goal, from: machine.history) else {
            Issue.record("not applied")
            return
        }
    }

    @Test(
        "A change that looked at everything does not vouch for what a program did at its end",
        arguments: ["come", "go", "mode", "alike", "other"]
    )
    func disturbedAtTheEnd(_ what: String) throws {
        let (base, goal) = try versions { try machine.put("replaced", at: "f1/5") }
        let folder = try believing { [machine] point in
            guard point == .cleared else { return }
            switch what {
            case "come": try? machine.put("new", at: "f2/new")
            case "go": try? machine.remove("f2/6")
            case "mode": chmod("\(machine.root)/f2/6", 0o600)
            case "alike": try? machine.putAlike(at: "f2/6")
            default: try? machine.put("longer", at: "f2/6")
            }
        }
        folder.heard.note(nil)
        guard case .applied = try folder.apply(goal, over: base, from: machine.history) else {
            Issue.record("not applied")
            return
        }
        let found = try machine.capture(folder, over: goal).manifest
        let whole = try machine.capture(machine.folder(), rereading: true).manifest
        #expect(found == whole && found != goal)
    }
}
