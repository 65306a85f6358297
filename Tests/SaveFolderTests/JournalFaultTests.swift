import Glibc
import LinuxPlatform
import SaveFolder
import SaveRules
import Synchronization
import Testing
import TestSupport
import Vocabulary

@Suite("Failing flush of the final mark", .timeLimit(.minutes(2)))
struct JournalFaultTests {
    /// The last mark of the journal; a crash may find it after a failed flush.
    private static func lastWord(_ machine: SetFixture) throws -> UInt8? {
        let journal = try FileName("journal")
        return try AtomicFile(journal).read(in: Folder(at: machine.notes), limit: 1 << 20).last
    }

    private static let failure = SystemError("fsync", EIO)
    private static let committed: UInt8 = 0x64

    @Test(
        "The folder has its previous version after a failed flush, also after a crash during the undo",
        arguments: [Scenario.chosen, .whole]
    )
    func failsOnce(_ scenario: Scenario) throws {
        let fixture = try ApplyFixture(scenario)
        let machine = fixture.machine
        let words = Mutex<[UInt8?]>([])
        let folder = try machine.folder(scenario.extent) { point in
            guard point == .stepTakenBack, let word = try? Self.lastWord(machine) else { return }
            words.withLock { $0.append(word) }
        } failing: {
            $0 == .committed ? Self.failure : nil
        }
        #expect(refusal("save-folder.disk") { try apply(fixture, folder) })
        #expect(try fixture.state() == fixture.base)
        #expect(try fixture.folder().changedTo() == nil)
        #expect(words.withLock { !$0.isEmpty && !$0.contains(Self.committed) })
        #expect(machine.debris == [])
    }

    @Test(
        "While the flush fails nothing is undone; after it works again, the folder has one version",
        arguments: [Scenario.chosen, .whole]
    )
    func goesOnFailing(_ scenario: Scenario) throws {
        let fixture = try ApplyFixture(scenario)
        let machine = fixture.machine
        let hasFailed = Mutex(false)
        let folder = try machine.folder(scenario.extent) { point in
            #expect(point != .stepTakenBack && point != .cleared)
        } failing: { point in
            hasFailed.withLock { hasFailed in
                hasFailed = hasFailed || point == .committed
                return hasFailed ? Self.failure : nil
            }
        }
        #expect(refusal("save-folder.disk") { try apply(fixture, folder) })
        #expect(refusal("save-folder.disk") { try machine.capture(folder) })
        let later = try fixture.folder()
        let recovery = try later.recover()
        #expect(recovery == (scenario == .whole ? .finished : .undone))
        #expect(try later.changedTo() == (recovery == .finished ? fixture.version : nil))
        try later.acknowledge()
        #expect(try fixture.state() == (recovery == .finished ? fixture.goal : fixture.base))
        #expect(machine.debris == [])
    }

    private func apply(_ fixture: ApplyFixture, _ folder: SaveFolder) throws -> ApplyOutcome {
        try folder.apply(fixture.goal, over: fixture.base, from: fixture.machine.history, as: fixture.version)
    }
}
