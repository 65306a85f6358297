import CLinux
import Glibc
@testable import LinuxPlatform
@testable import SaveFolder
import SaveRules
import Testing
import TestSupport
import Vocabulary

@Suite("Watches on disks that do not answer", .timeLimit(.minutes(5)))
struct SilentWatchTests {
    private let fixture: WatchFixture
    private let machine: SetFixture
    private let loop: EventLoop
    private let reported: Probe<[Reported]>

    init() throws {
        fixture = try WatchFixture()
        (machine, loop, reported) = (fixture.machine, fixture.loop, fixture.reported)
    }

    @Test(
        "During mounts, a disk that does not answer delays no set of another disk",
        .enabled("needs the right to mount") { WatchFixture.canMount() }
    )
    func silentDisk() async throws {
        let (silent, gate, looks, isSilent) = (try SetFixture(), BlockingGate(), Probe(0), Probe(false))
        let watch = try SaveWatch(
            on: loop,
            lookingAtRoots: { path in
                looks.count()
                if path == silent.root, isSilent.value { gate.pass() }
                return WatchedRoot.folder(at: path)
            }
        )
        let running = Task(executorPreference: loop.taskExecutor) { try await watch.run() }
        let heard = Probe<[Reported]>([])
        await fixture.add(try silent.folder(as: SaveSetID(high: 1, low: 3)), to: watch, heard)
        await fixture.add(try machine.folder(), to: watch, reported)
        for reported in [reported, heard] { try await reported.wait { $0.last == .settled } }
        isSilent.open()
        let (before, elsewhere) = (looks.value, TemporaryFolder())
        try retrying("mount") { mount("tmpfs", elsewhere.path, "tmpfs", 0, "size=1m") }
        defer { umount2(elsewhere.path, CInt(MNT_DETACH)) }
        try await looks.wait { $0 > before }
        let count = reported.value.count
        try machine.put("y", at: "sub/save")
        try await reported.wait { $0.count > count }
        gate.open()
        running.cancel()
        _ = await running.result
    }

    /// A watch in which searches for writers of one set block, from the given number on.
    private func watch(
        whoseLookAt set: SaveSetID,
        countedBy looks: Probe<Int>,
        waitsAt gate: BlockingGate,
        from first: Int
    ) throws -> SaveWatch {
        try SaveWatch(
            on: loop,
            forWriters: { folder throws(SaveFolderError) in
                if folder.set == set {
                    looks.count()
                    if looks.value >= first { gate.pass() }
                }
                return try folder.occupancy()
            }
        )
    }

    @Test(
        "A disk without an answer to a search for writers delays no other set, and its own set is reported later"
    )
    func silentCheck() async throws {
        let (silent, gate, looks) = (try SetFixture(), BlockingGate(), Probe(0))
        let other = SaveSetID(high: 1, low: 3)
        let watch = try watch(whoseLookAt: other, countedBy: looks, waitsAt: gate, from: 1)
        let running = Task(executorPreference: loop.taskExecutor) { try await watch.run() }
        let heard = Probe<[Reported]>([])
        await fixture.add(try silent.folder(as: other), to: watch, heard)
        try await looks.wait { $0 == 1 }
        await fixture.add(try machine.folder(), to: watch, reported)
        try await reported.wait { $0 == [.settled] }
        // Further changes cause one more check at a time.
        try silent.put("y", at: "save")
        try machine.put("y", at: "sub/save")
        try await reported.wait { $0 == [.settled, .settled] }
        #expect(looks.value == 1 && heard.value.isEmpty)
        gate.open()
        try await heard.wait { $0.last == .settled }
        running.cancel()
        _ = await running.result
    }

    @Test("If the disk of a busy game stops answering, no other set waits")
    func silentWhileWriting() async throws {
        let (silent, gate, looks) = (try SetFixture(), BlockingGate(), Probe(0))
        let other = SaveSetID(high: 1, low: 3)
        let watch = try watch(whoseLookAt: other, countedBy: looks, waitsAt: gate, from: 2)
        let running = Task(executorPreference: loop.taskExecutor) { try await watch.run() }
        let heard = Probe<[Reported]>([])
        let restless = Settling.Patience(quiet: .milliseconds(200), unsettled: .milliseconds(400))
        try silent.put("x", at: "save")
        await fixture.add(try silent.folder(as: other), to: watch, heard, patience: restless)
        try await heard.wait { $0 == [.settled] }
        let file = open("\(silent.root)/save", O_WRONLY | O_APPEND | O_CLOEXEC)
        while looks.value == 1, !heard.value.contains(.unsettled) {
            #expect(write(file, "x", 1) == 1)
            try await othersTurn()
        }
        await fixture.add(try machine.folder(), to: watch, reported)
        try await reported.wait { $0 == [.settled] }
        try machine.put("y", at: "sub/save")
        try await reported.wait { $0 == [.settled, .settled] }
        #expect(looks.value == 2 && heard.value == [.settled])
        gate.open()
        try await heard.wait { $0 == [.settled, .occupied, .unsettled] }
        close(file)
        try await heard.wait { $0.last == .settledAfterAll }
        running.cancel()
        _ = await running.result
    }

    @Test(
        "A busy folder is reported after a disturbed scan, and not after an undisturbed one"
    )
    func unsettledWhileChecked() async throws {
        for isDisturbed in [true, false] {
            let (gate, reported) = (BlockingGate(), Probe<[Reported]>([]))
            let watch = try SaveWatch(
                on: loop,
                forWriters: { folder throws(SaveFolderError) in
                    gate.pass()
                    return try folder.occupancy()
                }
            )
            let running = Task(executorPreference: loop.taskExecutor) { try await watch.run() }
            let patience = Settling.Patience(quiet: .milliseconds(30), unsettled: .milliseconds(60))
            await watch.add(try machine.folder(), patience: patience) { event in
                if let event = Reported(event) { reported.record(event) }
            }
            while await watch.unreported(testSet) == nil { try await othersTurn() }
            gate.open()
            try await reported.wait { $0 == [.settled] }
            if isDisturbed { try machine.put("y", at: "sub/save") }
            #expect(await watch.finishedReading(testSet, .whole) != isDisturbed)
            if isDisturbed {
                try await reported.wait { $0 == [.settled, .unsettled, .settled] }
                await watch.finishedReading(testSet, .whole)
            }
            #expect(reported.value == (isDisturbed ? [.settled, .unsettled, .settled, .settledAfterAll] : [.settled]))
            #expect(await watch.unreported(testSet) == nil)
            running.cancel()
            _ = await running.result
        }
    }

    /// Watches a set whose disk does not answer checks of its root.
    private func silentRoot(
        _ silent: SetFixture,
        _ gate: BlockingGate,
        _ looks: Probe<Int>,
        when isSilent: Probe<Bool>
    ) throws -> SaveWatch {
        try SaveWatch(
            on: loop,
            lookingAtRoots: { path in
                if path == silent.root, isSilent.value {
                    looks.count()
                    gate.pass()
                }
                return WatchedRoot.folder(at: path)
            }
        )
    }

    @Test(
        "A set on a disk without an answer is watched later, and adding sets does not wait for it"
    )
    func silentFromTheStart() async throws {
        let (silent, gate, looks) = (try SetFixture(), BlockingGate(), Probe(0))
        let watch = try silentRoot(silent, gate, looks, when: Probe(true))
        let running = Task(executorPreference: loop.taskExecutor) { try await watch.run() }
        let heard = Probe<[Reported]>([])
        await fixture.add(try silent.folder(as: SaveSetID(high: 1, low: 3)), to: watch, heard)
        try await looks.wait { $0 == 1 }
        await fixture.add(try machine.folder(), to: watch, reported)
        try await reported.wait { $0 == [.settled] }
        try machine.put("y", at: "sub/save")
        try await reported.wait { $0 == [.settled, .settled] }
        #expect(heard.value.isEmpty)
        gate.open()
        try await heard.wait { $0 == [.settled] }
        try silent.put("y", at: "save")
        try await heard.wait { $0.count > 1 }
        running.cancel()
        _ = await running.result
    }

    @Test(
        "With a new folder or a full queue, a disk that does not answer delays no other set"
    )
    func silentWhileLost() async throws {
        let (silent, gate, looks, isSilent) = (try SetFixture(), BlockingGate(), Probe(0), Probe(false))
        let watch = try silentRoot(silent, gate, looks, when: isSilent)
        let running = Task(executorPreference: loop.taskExecutor) { try await watch.run() }
        let (heard, other) = (Probe<[Reported]>([]), SaveSetID(high: 1, low: 3))
        await watch.add(try silent.folder(as: other), patience: fixture.patience) { event in
            if let event = Reported(event) { heard.record(event) }
        }
        await fixture.add(try machine.folder(), to: watch, reported)
        for reported in [reported, heard] { try await reported.wait { $0 == [.settled] } }
        #expect(await watch.finishedReading(other, .whole))
        isSilent.open()
        try silent.makeFolder("home/save/new")
        try await looks.wait { $0 == 1 }
        try await heard.wait { $0.count == 2 }
        // Changes in the new folder cause no event yet.
        #expect(await !watch.finishedReading(other, .whole))
        await watch.hearOfOverflow()
        try await reported.wait { $0.count > 1 }
        try machine.put("x", at: "new/deep/save")
        try await reported.wait { $0.count > 2 }
        try await heard.wait { $0.count == 3 }
        #expect(looks.value == 1)
        gate.open()
        while await watch.isDeaf(to: other) { try await othersTurn() }
        #expect(await !watch.finishedReading(other, .whole))
        try await heard.wait { $0.count == 4 }
        #expect(await watch.finishedReading(other, .whole))
        try silent.put("y", at: "new/save")
        try await heard.wait { $0.count == 5 }
        #expect(heard.value.allSatisfy { $0 == .settled })
        running.cancel()
        _ = await running.result
    }
}

extension SaveWatch {
    /// Time for which it has not become quiet, before the report.
    fileprivate func unreported(_ set: SaveSetID) -> Duration? { sets[set]?.unrest.time }

    /// An overflow of the kernel's queue.
    fileprivate func hearOfOverflow() { take([Inotify.Event(watch: nil, events: .overflow, name: [])]) }

    fileprivate func isDeaf(to set: SaveSetID) -> Bool { sets[set]?.errand.isDeaf == true }
}
