import Glibc
import LinuxPlatform
import SaveFolder
import SaveRules
import Synchronization
import Testing
import TestSupport
import Vocabulary

/// Writes into a file without truncating it, as a game with several slots in one file. If it is delayed, it waits on
/// its own thread.
private final class GameThatSaves: Sendable {
    static let words = "saved by the game"
    static let place = 3_000_100

    private let path: String
    private let waiting = Mutex<pthread_t?>(nil)

    init(_ path: String) {
        self.path = path
    }

    func save() throws {
        let file = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        if file >= 0 { return try Self.write(file) }
        // Now the holder of a lease can see that it waits.
        try #require(errno == EWOULDBLOCK)
        var thread = pthread_t()
        let context = Unmanaged.passRetained(path as AnyObject)
        let code = pthread_create(
            &thread,
            nil,
            { context in
                guard let context, let path = Unmanaged<AnyObject>.fromOpaque(context).takeRetainedValue() as? String
                else {
                    preconditionFailure("it was given a path")
                }
                let file = open(path, O_WRONLY | O_CLOEXEC)
                do { try GameThatSaves.write(file) } catch { Issue.record(error) }
                return nil
            },
            context.toOpaque()
        )
        try #require(code == 0)
        waiting.withLock { [thread] in $0 = thread }
    }

    /// Waits until it has saved.
    func end() {
        if let thread = waiting.withLock({ $0.take() }) { pthread_join(thread, nil) }
    }

    private static func write(_ file: CInt) throws {
        defer { close(file) }
        guard pwrite(file, words, words.utf8.count, off_t(place)) == words.utf8.count else {
            throw SystemError("pwrite")
        }
    }
}

@Suite("Saves into a file during its change", .timeLimit(.minutes(4)))
struct InPlaceTests {
    /// Content of a file after the game has saved into the given content.
    private static func saved(_ text: String) -> String {
        var bytes = Array(text.utf8)
        let words = GameThatSaves.words.utf8
        bytes.replaceSubrange(GameThatSaves.place..<GameThatSaves.place + words.count, with: words)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Changes the folder while a game saves into a file at the first occurrence of a step.
    private func change(
        _ folder: (@escaping @Sendable (ApplyPoint) -> Void) throws -> SaveFolder,
        _ apply: (SaveFolder) throws -> ApplyOutcome,
        saving path: String,
        at moment: ApplyPoint
    ) throws -> ApplyOutcome {
        let game = GameThatSaves(path)
        let hasSaved = Mutex(false)
        let outcome = try apply(
            folder { point in
                guard point == moment, hasSaved.withLock({ !exchange(&$0, with: true) }) else { return }
                do { try game.save() } catch { Issue.record(error) }
            }
        )
        game.end()
        #expect(hasSaved.withLock { $0 })
        return outcome
    }

    @Test(
        "A save into a large file is kept in the previous file, and the set is not changed",
        arguments: [ApplyPoint.fileStaged, .staged, .announced, .partWritten, .stepTaken]
    )
    func large(_ moment: ApplyPoint) throws {
        let fixture = try ApplyFixture(.inPlace)
        let machine = fixture.machine
        let before = try #require(machine.text(at: "large"))
        let outcome = try change(fixture.folder, fixture.apply, saving: "\(machine.root)/large", at: moment)
        switch outcome {
        case .changedMeanwhile: #expect(![.partWritten, .stepTaken].contains(moment))
        case .inUse: #expect([.partWritten, .stepTaken].contains(moment))
        case .applied: Issue.record("applied")
        }
        let isSaved = machine.text(at: "large") == Self.saved(before)
        #expect(isSaved)
        #expect(machine.text(at: "small") == "small, old")
        #expect(try fixture.state() == machine.capture(fixture.folder()).manifest)
        #expect(machine.debris == [])
    }

    @Test("A save that begins when the change becomes final follows the change")
    func afterwards() throws {
        let fixture = try ApplyFixture(.inPlace)
        let machine = fixture.machine
        guard
            case .applied = try change(fixture.folder, fixture.apply, saving: "\(machine.root)/large", at: .changed)
        else {
            Issue.record("not applied")
            return
        }
        let found = try machine.capture(fixture.folder()).manifest
        #expect(found != fixture.goal)
        #expect(try found == fixture.state())
        let isSaved = machine.text(at: "large")?.contains(GameThatSaves.words) == true
        #expect(isSaved)
        #expect(machine.text(at: "small") == "small, new")
    }

    /// A file of less than 4 MiB that is touched or patched, and another one.
    private func middling(_ touchesOnly: Bool) throws -> (SetFixture, SetPlace.Extent, base: Manifest, goal: Manifest) {
        let machine = try SetFixture(in: .inMemory())
        let extent = SetPlace.Extent.chosen([try FileName("middling"), try FileName("z")])
        let old = (0..<300_000).map { "line \($0)\n" }.joined()
        try machine.put(old, at: "middling")
        try machine.put("old", at: "z")
        let base = try machine.capture(machine.folder(extent)).manifest
        if !touchesOnly { try machine.put(old.replacing("line 7\n", with: "LINE 7\n"), at: "middling") }
        chmod("\(machine.root)/middling", 0o600)
        utimes(
            "\(machine.root)/middling",
            [timeval(tv_sec: 1_700_000_000, tv_usec: 5), timeval(tv_sec: 1_700_000_000, tv_usec: 5)]
        )
        try machine.put("new", at: "z")
        let goal = try machine.capture(machine.folder(extent)).manifest
        guard case .applied = try machine.folder(extent).apply(base, over: goal, from: machine.history) else {
            throw ApplyFixture.NotApplied()
        }
        return (machine, extent, base, goal)
    }

    @Test(
        "A save into a file whose time or part changes does not count as the new version",
        arguments: [true, false]
    )
    func middling(touchesOnly: Bool) throws {
        let (machine, extent, base, goal) = try middling(touchesOnly)
        let outcome = try change(
            { try machine.folder(extent, observe: $0) },
            { try $0.apply(goal, over: base, from: machine.history) },
            saving: "\(machine.root)/middling",
            at: .stepTaken
        )
        guard case .changedMeanwhile = outcome else {
            Issue.record("\(outcome)")
            return
        }
        let isSaved = machine.text(at: "middling")?.contains(GameThatSaves.words) == true
        #expect(isSaved)
        #expect(machine.text(at: "z") == "old")
        #expect(
            try machine.capture(machine.folder(extent)).manifest
                == machine.capture(machine.folder(extent), rereading: true).manifest
        )
    }

    @Test("A patched file of the same size is restored by an undo")
    func takenBack() throws {
        let (machine, extent, base, goal) = try middling(false)
        let folder = try machine.folder(extent) { point in
            if point == .changed { return }
            // When the time of the file is set, the last step has been taken.
            if point == .stepTaken, machine.text(at: "z") == "new" { try? machine.put("the game went on", at: "z") }
        }
        guard case .changedMeanwhile = try folder.apply(goal, over: base, from: machine.history) else {
            Issue.record("not taken back")
            return
        }
        let state = try machine.capture(machine.folder(extent), rereading: true).manifest
        #expect(state.entries.first == base.entries.first)
        #expect(machine.text(at: "z") == "the game went on")
    }
}
