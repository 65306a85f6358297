import CLinux
import Glibc
@testable import LinuxPlatform
@testable import SaveFolder
import SaveRules
import Testing
import TestSupport
import Vocabulary

@Suite("Watches on folders", .timeLimit(.minutes(5)))
struct WatchTests {
    private let fixture: WatchFixture
    private let machine: SetFixture
    private let loop: EventLoop
    private let reported: Probe<[Reported]>
    private let readings: Probe<Int>

    init() throws {
        fixture = try WatchFixture()
        (machine, loop, reported, readings) = (fixture.machine, fixture.loop, fixture.reported, fixture.readings)
    }

    /// Watches a set during the body; a requested scan counts as done at once.
    private func watching(
        _ folder: SaveFolder,
        firstReading: FolderReadOutcome = .whole,
        _ body: (SaveWatch) async throws -> Void
    ) async throws {
        let watch = try SaveWatch(on: loop)
        let running = Task(executorPreference: loop.taskExecutor) { try await watch.run() }
        await fixture.add(folder, to: watch, reported, firstReading: firstReading)
        try await reported.wait { $0 == [.settled] }
        try await body(watch)
        running.cancel()
        _ = await running.result
    }

    private func count(_ reported: [Reported], _ wanted: Reported) -> Int { reported.count { $0 == wanted } }

    @Test("If this user has too many watching programs, the error tells how to raise the limit")
    func noQueue() {
        let error = SaveFolderError.noQueue(SystemError("inotify_init1", EMFILE))
        #expect(error.code == "save-folder.too-many-queues")
        #expect(error.nextStep.contains("fs.inotify.max_user_instances"))
        #expect(SaveFolderError.noQueue(SystemError("inotify_init1", ENOMEM)).code != error.code)
    }

    @Test("A changed file, a new folder and its files are reported after the quiet period")
    func changes() async throws {
        try await watching(machine.folder()) { _ in
            try machine.put("y", at: "sub/save")
            try await reported.wait { $0.count { $0 == .settled } >= 2 }
            try machine.put("z", at: "new/deep/save")
            let before = try await reported.wait { $0.count { $0 == .settled } >= 3 }
            try machine.put("zz", at: "new/deep/save")
            try await reported.wait { $0.count >= before.count + 1 }
            rename("\(machine.root)/new", "\(machine.root)/renamed")
            let renamed = try await reported.wait { $0.count >= before.count + 2 }
            try machine.put("zzz", at: "renamed/deep/save")
            try await reported.wait { $0.count >= renamed.count + 1 }
            #expect(reported.value.allSatisfy { $0 == .settled })
        }
    }

    @Test("A scan is requested after a file that is open for writing was closed")
    func occupied() async throws {
        let file = open("\(machine.root)/sub/save", O_WRONLY | O_CLOEXEC)
        let watch = try SaveWatch(on: loop)
        let running = Task(executorPreference: loop.taskExecutor) { try await watch.run() }
        await fixture.add(try machine.folder(), to: watch, reported)
        try await reported.wait { $0 == [.occupied] }
        #expect(write(file, "y", 1) == 1)
        close(file)
        try await reported.wait { $0 == [.occupied, .settled] }
        running.cancel()
        _ = await running.result
    }

    @Test("Changes of untracked files cause no report")
    func ignored() async throws {
        let scope = SetScope(ignored: try PathPatterns(["*.log", "/cache/"]))
        try machine.makeFolder("home/save/cache")
        try machine.makeFolder("home/other")
        let other = try SaveFolder(
            SaveSetID(high: 9, low: 9),
            at: SetPlace(root: machine.base.path(of: "home/other")),
            notes: machine.base.path(of: "other-notes")
        )
        try await watching(machine.folder(scope: scope)) { watch in
            let second = Probe<[Reported]>([])
            await fixture.add(other, to: watch, second)
            try await second.wait { $0 == [.settled] }
            try machine.put("x", at: "a.log")
            try machine.put("x", at: "cache/x")
            try machine.put("x", at: "cache/deep/x")
            // The first event was received first.
            try machine.base.put("x", at: "home/other/save")
            try await second.wait { $0 == [.settled, .settled] }
            #expect(reported.value == [.settled])
        }
    }

    @Test("Changes beside and above a set do not even wake the watch")
    func besides() async throws {
        try await watching(machine.folder()) { watch in
            let before = await watch.wakeCount
            for number in 0..<100 {
                for place in ["home/\(number)", "\(number)"] { try machine.base.put("x", at: place) }
            }
            try machine.put("y", at: "sub/save")
            try await reported.wait { $0 == [.settled, .settled] }
            // That file's own write, close and new time.
            #expect(await watch.wakeCount - before <= 8)
        }
    }

    @Test("A folder that is moved away is gone, and a new one in its place is back")
    func comesAndGoes() async throws {
        try await watching(machine.folder()) { _ in
            let away = machine.base.path(of: "away")
            rename(machine.root, away)
            try await reported.wait { $0 == [.settled, .gone] }
            rename(away, machine.root)
            try await reported.wait { $0 == [.settled, .gone, .back, .settled] }
            rename(machine.home, away)
            try await reported.wait { $0.last == .gone }
            try machine.makeFolder("home/save")
            try machine.put("new", at: "save")
            try await reported.wait { $0.suffix(2) == [.back, .settled] }
            let before = reported.value.count
            try machine.put("newer", at: "save")
            try await reported.wait { $0.count == before + 1 }
        }
    }

    @Test("A changed link in the path counts as a change, and the new folder is watched")
    func linkedRoot() async throws {
        try machine.makeFolder("home/other")
        let path = machine.base.path(of: "link")
        symlink("home/save", path)
        try await watching(machine.folder(root: path)) { _ in
            symlink("home/other", "\(path).new")
            rename("\(path).new", path)
            try await reported.wait { $0.count { $0 == .settled } == 2 }
            try machine.base.put("x", at: "home/other/save")
            try await reported.wait { $0.count { $0 == .settled } == 3 }
        }
    }

    @Test("After an overflow of the kernel's queue, everything is checked again, and watched as before")
    func overflow() async throws {
        try await watching(machine.folder()) { _ in
            let gate = BlockingGate()
            loop.perform { gate.pass() }
            for name in ["a", "b"] { try machine.put("x", at: name) }
            // Equal consecutive events are merged; these differ.
            let limit = Int(machine.queueLimit) + 100
            for round in 0..<limit { chmod("\(machine.root)/\(round % 2 == 0 ? "a" : "b")", 0o600) }
            try machine.put("x", at: "unheard/save")
            gate.open()
            let before = try await reported.wait { $0.count >= 2 }
            try machine.put("y", at: "unheard/save")
            try await reported.wait { $0.count > before.count }
        }
    }

    @Test("After a change by Huddle itself the new folder is watched like the old one")
    func exchanged() async throws {
        let fixture = try ApplyFixture(.whole)
        let folder = try fixture.folder()
        try await watching(folder) { _ in
            let outcome = try await runBlocking("apply") { try fixture.apply(folder) }
            guard case .applied = outcome else {
                Issue.record("not applied")
                return
            }
            let before = try await reported.wait { $0.count >= 2 }
            try fixture.machine.put("the game", at: "deep/x")
            try await reported.wait { $0.count > before.count }
            #expect(reported.value.allSatisfy { $0 == .settled })
        }
    }

    @Test(
        "An unmounted file system is noticed, and found when it is back",
        .enabled("needs the right to mount") { WatchFixture.canMount() }
    )
    func unmounted() async throws {
        let root = machine.root
        @Sendable func attach() throws { try retrying("mount") { mount("tmpfs", root, "tmpfs", 0, "size=1m") } }
        try attach()
        defer { umount2(root, CInt(MNT_DETACH)) }
        try await watching(machine.folder()) { _ in
            try retrying("umount") { umount2(root, 0) }
            try await reported.wait { $0 == [.settled, .gone] }
            try attach()
            try await reported.wait { $0 == [.settled, .gone, .back, .settled] }
            try machine.put("x", at: "save")
            try await reported.wait { $0.count == 5 }
        }
    }

    @Test("A program that writes without a pause is reported, although the folder is never quiet")
    func restless() async throws {
        try await watching(machine.folder()) { watch in
            await watch.remove(testSet)
            let other = Probe<[Reported]>([])
            let patience = Settling.Patience(quiet: .milliseconds(200), unsettled: .milliseconds(400))
            await fixture.add(try machine.folder(), to: watch, other, patience: patience)
            try await other.wait { $0 == [.settled] }
            let file = open("\(machine.root)/sub/save", O_WRONLY | O_APPEND | O_CLOEXEC)
            while !other.value.contains(.unsettled) {
                #expect(write(file, "x", 1) == 1)
                await Task.yield()
            }
            #expect(other.value == [.settled, .occupied, .unsettled])
            close(file)
            try await other.wait { $0.last == .settledAfterAll }
        }
    }

    @Test(
        "A file system mounted over a folder is watched, and its unmount is noticed, even while a program uses it",
        .enabled("needs the right to mount") { WatchFixture.canMount() },
        arguments: [0, CInt(MNT_DETACH)]
    )
    func mountedOver(unmounting: CInt) async throws {
        let root = machine.root
        defer { umount2(root, CInt(MNT_DETACH)) }
        // Entries in the card's place belong to no set.
        try await watching(machine.folder(), firstReading: .failed) { _ in
            try await readings.wait { $0 == 1 }
            try retrying("mount") { mount("tmpfs", root, "tmpfs", 0, "size=1m") }
            try await reported.wait { $0 == [.settled, .settled] }
            try machine.put("x", at: "save")
            try await reported.wait { $0 == [.settled, .settled, .settled] }
            // Its folders report the unmount only after the last use.
            let user = unmounting == 0 ? -1 : open(root, O_RDONLY | O_CLOEXEC)
            defer { close(user) }
            try retrying("umount") { umount2(root, unmounting) }
            try await reported.wait { $0 == [.settled, .settled, .settled, .gone] }
            try retrying("mount") { mount("tmpfs", root, "tmpfs", 0, "size=1m") }
            try await reported.wait { $0 == [.settled, .settled, .settled, .gone, .back, .settled] }
        }
    }

    @Test(
        "A covered folder is watched again after the unmount, at once or after the last use",
        .enabled("needs the right to mount") { WatchFixture.canMount() },
        arguments: [0, CInt(MNT_DETACH)]
    )
    func coveredForAWhile(unmounting: CInt) async throws {
        let root = machine.root
        defer { umount2(root, CInt(MNT_DETACH)) }
        try await watching(machine.folder()) { _ in
            try await readings.wait { $0 == 1 }
            try retrying("mount") { mount("tmpfs", root, "tmpfs", 0, "size=1m") }
            try await reported.wait { $0 == [.settled, .settled] }
            let user = unmounting == 0 ? -1 : open(root, O_RDONLY | O_CLOEXEC)
            defer { close(user) }
            try retrying("umount") { umount2(root, unmounting) }
            try await reported.wait { $0 == [.settled, .settled, .settled] }
            try machine.put("y", at: "sub/save")
            try await reported.wait { $0 == [.settled, .settled, .settled, .settled] }
        }
    }

    @Test("A folder may report its unmount before the list of mounts does")
    func unmountingHeardFirst() async throws {
        try await watching(machine.folder()) { watch in
            try await readings.wait { $0 == 1 }
            await watch.hearOfUnmounting(testSet)
            try await reported.wait { $0 == [.settled, .settled] }
        }
    }

    @Test(
        "An uncovered folder that is read as the set's is watched again",
        .enabled("needs the right to mount") { WatchFixture.canMount() }
    )
    func bareAndRead() async throws {
        let root = machine.root
        defer { umount2(root, CInt(MNT_DETACH)) }
        try await watching(machine.folder(), firstReading: .failed) { watch in
            try await readings.wait { $0 == 1 }
            try retrying("mount") { mount("tmpfs", root, "tmpfs", 0, "size=1m") }
            try await readings.wait { $0 == 2 }
            try retrying("umount") { umount2(root, 0) }
            try await reported.wait { $0 == [.settled, .settled, .gone] }
            await watch.finishedReading(testSet, .failed)
            #expect(reported.value.last == .gone)
            await watch.finishedReading(testSet, .whole)
            try await reported.wait { $0 == [.settled, .settled, .gone, .back, .settled] }
        }
    }

    @Test("The end of a scan tells if the set changed meanwhile, even without a changed file time")
    func disturbed() async throws {
        let watch = try SaveWatch(on: loop)
        let running = Task(executorPreference: loop.taskExecutor) { try await watch.run() }
        await watch.add(try machine.folder(), patience: fixture.patience) { event in
            if let event = Reported(event) { reported.record(event) }
        }
        try await reported.wait { $0 == [.settled] }
        try machine.put("y", at: "sub/save")
        #expect(await !watch.finishedReading(testSet, .whole))
        try await reported.wait { $0 == [.settled, .settled] }
        #expect(await watch.finishedReading(testSet, .whole))
        running.cancel()
        _ = await running.result
    }

    @Test("A set that is no longer watched causes no reports")
    func removed() async throws {
        try await watching(machine.folder()) { watch in
            await watch.remove(testSet)
            try machine.put("y", at: "sub/save")
            let other = Probe<[Reported]>([])
            await fixture.add(try machine.folder(), to: watch, other)
            try await other.wait { $0 == [.settled] }
            #expect(reported.value == [.settled])
        }
    }
}

extension SaveWatch {
    /// The event of an unmount, before the list of mounts has changed.
    fileprivate func hearOfUnmounting(_ set: SaveSetID) {
        let ends = roles.filter { $0.value.contains(.within(set, nil)) }
        take(ends.keys.map { Inotify.Event(watch: $0, events: [.unmounted], name: []) })
    }
}

extension SetFixture {
    /// Maximum number of events in a queue of the kernel.
    var queueLimit: Int32 {
        let text = try? Folder(at: "/proc/sys/fs/inotify").open(FileName("max_queued_events"))
        guard let text else { return 16_384 }
        let scratch = Scratch(byteCount: 32)
        let count = (try? text.read(into: scratch.room, at: 0)) ?? 0
        return Int32(String(decoding: scratch.room.prefix(count).filter { $0 >= 48 }, as: UTF8.self)) ?? 16_384
    }
}
