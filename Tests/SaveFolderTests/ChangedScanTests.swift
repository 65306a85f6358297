import Glibc
@testable import LinuxPlatform
@testable import SaveFolder
import SaveRules
import Synchronization
import Testing
import TestSupport
import Vocabulary

@Suite("Scan of changed paths", .timeLimit(.minutes(5)))
struct ChangedScanTests {
    private let fixture: WatchFixture
    private let machine: SetFixture

    init() throws {
        fixture = try WatchFixture()
        machine = fixture.machine
        for number in 0..<24 { try machine.put("\(number)", at: "f\(number % 4)/\(number)") }
    }

    /// Watches the game during the body, after a scan of everything.
    private func watching(
        _ folder: SaveFolder,
        by own: SaveWatch? = nil,
        _ body: (SaveWatch, Manifest) async throws -> Void
    ) async throws {
        let watch = try own ?? SaveWatch(on: fixture.loop)
        let running = Task(executorPreference: fixture.loop.taskExecutor) { try await watch.run() }
        let earlier = fixture.reported.value.count
        await fixture.add(folder, to: watch, fixture.reported)
        try await fixture.reported.wait { $0.dropFirst(earlier).contains(.settled) }
        try await body(watch, try machine.capture(folder).manifest)
        running.cancel()
        _ = await running.result
    }

    /// Scans, again if mounts changed during the scan, as other tests of this process mount, or if a program has just
    /// begun to write.
    @discardableResult
    private func capture(
        _ folder: SaveFolder,
        rereading: Bool = false,
        over kept: Manifest? = nil
    ) throws -> Capture {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            do { return try machine.capture(folder, rereading: rereading, over: kept) } catch is SetFixture.Disturbed {}
        }
        throw SetFixture.Disturbed()
    }

    /// The paths that the next scan looks at; nil for everything.
    private func unread(_ folder: SaveFolder) throws -> Set<SavePath>? {
        let root = try Folder(at: machine.root)
        return try folder.state.withLock { state in
            let heard = HeardPaths(of: folder)
            _ = try heard.hear(root, &state)
            return try heard.known(root, &state)?.unread
        }
    }

    /// The result of a scan of everything.
    private func everything() throws -> Manifest {
        let notes = machine.base.path(of: "other-notes")
        let other = try SaveFolder(testSet, at: SetPlace(root: machine.root), notes: notes)
        return try capture(other, rereading: true).manifest
    }

    /// A program writes to a file by a name outside the folder that is gone.
    private func holdByFormerName(_ path: String) -> OwnedDescriptor {
        let outside = machine.base.path(of: "outside")
        let number = open(outside, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        link(outside, "\(machine.root)/\(path)")
        unlink(outside)
        return OwnedDescriptor(takingOwnershipOf: number)
    }

    @Test("A scan looks at the changed files only, and finds what a scan of everything does")
    func few() async throws {
        let folder = try machine.largeFolder()
        try await watching(folder) { _, before in
            #expect(try unread(folder) == [])
            try machine.put("longer", at: "f1/5")
            try machine.remove("f2/6")
            try machine.put("new", at: "f3/new")
            rename("\(machine.root)/f0/0", "\(machine.root)/f1/moved")
            try machine.link("f0/link", to: "4")
            let paths = try Set(["f1/5", "f2/6", "f3/new", "f0/0", "f1/moved", "f0/link"].map { try SavePath($0) })
            #expect(try unread(folder) == paths)
            let after = try capture(folder, over: before)
            #expect(try after.manifest == everything())
            #expect(try unread(folder) == [])
        }
    }

    @Test("Folders do not make a small game a large one, in which no unchanged file is searched for a writer")
    func smallWithFolders() async throws {
        for number in 0..<8 { try machine.makeFolder("home/save/empty\(number)") }
        let folder = try machine.largeFolder(ifOver: 30)
        try await watching(folder) { _, before in
            let unread = try unread(folder)
            #expect(unread == nil && before.entries.count > 30)
        }
    }

    @Test("Everything is looked at if a folder comes, moves or goes", arguments: ["come", "move", "go"])
    func folders(_ what: String) async throws {
        try machine.makeFolder("home/save/old")
        let folder = try machine.largeFolder()
        try await watching(folder) { _, before in
            switch what {
            case "come": try machine.makeFolder("home/save/new")
            case "move": rename("\(machine.root)/f0", "\(machine.root)/g0")
            default: try machine.remove("old")
            }
            #expect(try unread(folder) == nil)
            #expect(try capture(folder, over: before).manifest == everything())
        }
    }

    @Test("Everything is looked at if a file has two names, of which one may be written unheard")
    func twoNames() async throws {
        let folder = try machine.largeFolder()
        try await watching(folder) { _, before in
            let (one, other) = ("\(machine.root)/f0/0", "\(machine.root)/f1/again")
            try retrying("link") { link(one, other) }
            let linked = try capture(folder, over: before).manifest
            try machine.put("by the other name", at: "f1/again")
            #expect(try unread(folder) == nil)
            #expect(try capture(folder, over: linked).manifest == everything())
        }
    }

    @Test("Everything is looked at if the kernel's queue of events overflowed")
    func overflow() async throws {
        let folder = try machine.largeFolder()
        try await watching(folder) { watch, before in
            try machine.put("longer", at: "f1/5")
            await watch.take([Inotify.Event(watch: nil, events: .overflow, name: [])])
            #expect(try unread(folder) == nil)
            #expect(try capture(folder, over: before).manifest == everything())
        }
    }

    @Test("Everything is looked at while a folder in it can't be watched")
    func gap() async throws {
        let folder = try machine.largeFolder()
        try await watching(folder) { watch, before in
            await watch.meetGap(in: testSet)
            #expect(try unread(folder) == nil)
            try capture(folder, over: before)
            #expect(try unread(folder) == nil)
        }
    }

    @Test("A folder that was away is looked at as a whole when it is back", arguments: ["", "/f0"])
    func away(_ inner: String) async throws {
        let folder = try machine.largeFolder()
        try await watching(folder) { _, before in
            let (path, other) = (machine.root + inner, machine.base.path(of: "away"))
            rename(path, other)
            try machine.base.put("changed", at: inner.isEmpty ? "away/f0/0" : "away/0")
            rename(other, path)
            #expect(try unread(folder) == nil)
            #expect(try capture(folder, over: before).manifest == everything())
        }
    }

    @Test("A folder that replaces an empty one is looked at as a whole")
    func replacement() async throws {
        try machine.makeFolder("home/save/empty")
        let folder = try machine.largeFolder()
        try await watching(folder) { _, before in
            rename("\(machine.root)/f0", "\(machine.root)/empty")
            #expect(try unread(folder) == nil)
            let after = try capture(folder, over: before).manifest
            #expect(try after == everything())
            try machine.put("in it", at: "empty/0")
            #expect(try capture(folder, over: after).manifest == everything())
        }
    }

    @Test("The watch hears a folder, and not another one that has its path by now")
    func otherFolder() throws {
        let folder = try machine.largeFolder()
        let before = try machine.capture(folder).manifest
        try folder.believeNotes()
        #expect(try unread(folder) == [])
        folder.heard.listen(to: try Folder(at: machine.home).facts().identity)
        #expect(try unread(folder) == nil)
        try capture(folder, over: before)
        #expect(try unread(folder) == nil)
    }

    @Test("Everything is looked at once a file system covers a part", .enabled(if: WatchFixture.canMount()))
    func mounts() async throws {
        let folder = try machine.largeFolder()
        try await watching(folder) { _, before in
            try #require(mount("tmpfs", "\(machine.root)/f1", "tmpfs", 0, "size=1m") == 0)
            let covered = try unread(folder)
            let during = try capture(folder, over: before).manifest
            let whole = try everything()
            umount2("\(machine.root)/f1", 0)
            #expect(covered == nil && during == whole && during != before)
            #expect(try unread(folder) == nil)
            #expect(try capture(folder, over: during).manifest == before)
        }
    }

    @Test("Everything is looked at while mounts can't be watched, until they can")
    func unwatchedMounts() async throws {
        let (folder, canWatch) = (try machine.largeFolder(), Probe(false))
        let watch = try SaveWatch(
            on: fixture.loop,
            forMounts: { loop, handler throws(SystemError) in
                guard canWatch.value else { throw SystemError("open", EMFILE) }
                return try MountWatch(on: loop, handler)
            }
        )
        try await watching(folder, by: watch) { watch, before in
            #expect(try unread(folder) == nil)
            try capture(folder, over: before)
            let stillDeaf = try unread(folder)
            // Another new folder does not make the watch hear mounts, either.
            let count = fixture.reported.value.count
            try machine.makeFolder("home/save/new")
            try await fixture.reported.wait { $0.count > count }
            let after = try capture(folder, over: before).manifest
            let alsoDeaf = try unread(folder)
            #expect(stillDeaf == nil && alsoDeaf == nil)
            canWatch.update { $0 = true }
            let rounds = fixture.reported.value.count
            await watch.rearm(testSet)
            try await fixture.reported.wait { $0.count > rounds }
            try capture(folder, over: after)
            #expect(try unread(folder) == [])
        }
    }

    @Test("Everything is looked at once after any change of the mounts")
    func changedMounts() async throws {
        let (folder, handlers) = (try machine.largeFolder(), Probe<[@Sendable () -> Void]>([]))
        let watch = try SaveWatch(
            on: fixture.loop,
            forMounts: { loop, handler throws(SystemError) in
                handlers.record(handler)
                return try MountWatch(on: loop, handler)
            }
        )
        try await watching(folder, by: watch) { _, before in
            #expect(try unread(folder) == [])
            let changed = try #require(handlers.value.first)
            fixture.loop.perform { changed() }
            #expect(try unread(folder) == nil)
            try capture(folder, over: before)
            #expect(try unread(folder) == [])
        }
    }

    @Test("Everything is looked at if more paths changed than are looked at one by one")
    func manyPaths() async throws {
        let folder = try machine.largeFolder()
        try await watching(folder) { _, before in
            for number in 0..<ChangedPaths.limit {
                try machine.put("new", at: "f1/n\(number)")
                // On a busy machine the watch needs its half second more than once.
                if number % 100 == 0 { _ = try unread(folder) }
            }
            #expect(try unread(folder)?.count == ChangedPaths.limit)
            try machine.put("one more", at: "f2/n")
            #expect(try unread(folder) == nil)
            #expect(try capture(folder, over: before).manifest == everything())
        }
    }

    @Test("A scan finds what a file holds now if its size and time are as before")
    func alike() async throws {
        let folder = try machine.largeFolder()
        try await watching(folder) { _, before in
            try machine.putAlike(at: "f1/5")
            #expect(try unread(folder) != [])
            let after = try capture(folder, over: before).manifest
            let whole = try everything()
            #expect(after != before && after == whole)
        }
    }

    @Test("A file is looked at again while a program writes to it by a name that is gone, unheard")
    func formerName() async throws {
        let folder = try machine.largeFolder()
        try await watching(folder) { _, before in
            let game = holdByFormerName("f1/inside")
            let empty = try capture(folder, over: before).manifest
            #expect(try unread(folder) != [])
            guard case .occupied = try folder.occupancy() else {
                Issue.record("the program was not found")
                return
            }
            try Array("saved".utf8).withUnsafeBytes { try game.write($0, at: 0) }
            let after = try capture(folder, over: empty).manifest
            let whole = try everything()
            #expect(after != empty && after == whole)
        }
    }

    @Test("A file that a program holds by a name that is gone is looked at again after a new folder came")
    func formerNameAndFolder() async throws {
        let folder = try machine.largeFolder()
        try await watching(folder) { _, before in
            let game = holdByFormerName("f1/inside")
            let empty = try capture(folder, over: before).manifest
            try machine.makeFolder("home/save/new")
            #expect(try unread(folder) == nil)
            var known = try capture(folder, over: empty).manifest
            // Until the new folder is watched, each scan looks at everything.
            while try unread(folder) == nil { known = try capture(folder, over: known).manifest }
            #expect(try unread(folder)?.contains(SavePath("f1/inside")) == true)
            try Array("saved".utf8).withUnsafeBytes { try game.write($0, at: 0) }
            let after = try capture(folder, over: known).manifest
            let whole = try everything()
            #expect(after != known && after == whole)
        }
    }

    @Test("A file in a read-only folder is replaced, although the watch hears of the folder's mode")
    func readOnlyFolder() async throws {
        chmod("\(machine.root)/f1", 0o555)
        defer { chmod("\(machine.root)/f1", 0o755) }
        let folder = try machine.largeFolder()
        try await watching(folder) { _, before in
            let other = try #require(before[try SavePath("f2/6")]?.content)
            let goal = try #require(before.changing([try SavePath("f1/5"): other]))
            guard case .applied = try folder.apply(goal, over: before, from: machine.history) else {
                Issue.record("not applied")
                return
            }
            #expect(try everything() == goal)
        }
    }

    @Test("Everything is looked at while a part is a bind mount", .enabled(if: WatchFixture.canMount()))
    func bindMount() async throws {
        try machine.makeFolder("bound")
        try machine.base.put("bound", at: "bound/5")
        let folder = try machine.largeFolder()
        try await watching(folder) { _, before in
            let (source, target) = (machine.base.path(of: "bound"), "\(machine.root)/f1")
            try #require(mount(source, target, nil, UInt(MS_BIND), nil) == 0)
            defer { umount2(target, 0) }
            let bound = try capture(folder, over: before).manifest
            let isDeaf = try unread(folder) == nil
            try machine.base.put("by its other path", at: "bound/5")
            let after = try capture(folder, over: bound).manifest
            let whole = try everything()
            #expect(isDeaf && after == whole && after != bound)
        }
    }

    @Test("A scan finds what a program wrote through a mapping, once the mapping is gone")
    func mapping() async throws {
        let folder = try machine.largeFolder()
        try await watching(folder) { _, before in
            let number = open("\(machine.root)/f1/5", O_RDWR | O_CLOEXEC)
            let bytes = mmap(nil, 1, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0)
            close(number)
            let known = try capture(folder, over: before).manifest
            bytes?.storeBytes(of: 0x2A, as: UInt8.self)
            munmap(bytes, 1)
            #expect(try unread(folder) != [])
            let after = try capture(folder, over: known).manifest
            let whole = try everything()
            #expect(after != known && after == whole)
        }
    }

    @Test("A second name outside the folder is found as soon as anything is heard of the file")
    func nameOutside() async throws {
        let folder = try machine.largeFolder()
        try await watching(folder) { _, before in
            link("\(machine.root)/f1/5", machine.base.path(of: "outside"))
            try machine.put("by its own name", at: "f1/5")
            let after = try capture(folder, over: before).manifest
            #expect(try unread(folder) == nil)
            #expect(try after == everything())
        }
    }

    @Test("A scan counts a file whose name no version can have")
    func badName() async throws {
        let folder = try machine.largeFolder()
        try await watching(folder) { _, before in
            let name = Array("\(machine.root)/f1/".utf8).map { CChar(bitPattern: $0) } + [-1, 0]
            close(open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644))
            let found = try capture(folder, over: before)
            #expect(found.leftOutCount > 0)
        }
    }

    @Test("A write during a scan makes the scan void, and the next one finds it")
    func meanwhile() throws {
        let folder = try machine.largeFolder()
        let before = try machine.capture(folder).manifest
        let calls = Probe(0)
        folder.heard.begin { [machine, weak folder] in
            calls.count()
            // The scan asks at its start and at its end.
            if calls.value == 3, let path = try? SavePath("f2/6") {
                try? machine.put("second", at: path.text)
                folder?.heard.note(path)
            }
            return true
        }
        folder.heard.listen(to: try Folder(at: machine.root).facts().identity)
        _ = folder.heard.take()
        folder.state.withLock { $0.unread = .nothing }
        try machine.put("first", at: "f1/5")
        folder.heard.note(try SavePath("f1/5"))
        #expect(throws: SetFixture.Disturbed.self) { try machine.capture(folder, over: before) }
        #expect(try capture(folder, over: before).manifest == everything())
    }

    @Test("A link in the place of a file is no obstacle for the search for writers")
    func linkInPlace() async throws {
        let folder = try machine.largeFolder()
        try await watching(folder) { _, before in
            try machine.remove("f1/5")
            try machine.link("f1/5", to: "9")
            guard case .free = try folder.occupancy() else {
                Issue.record("no program writes")
                return
            }
            #expect(try capture(folder, over: before).manifest == everything())
        }
    }

    @Test("After a restart, everything is looked at, whatever changed meanwhile")
    func restart() async throws {
        try await watching(try machine.largeFolder()) { _, _ in }
        try machine.putAlike(at: "f1/5")
        let folder = try machine.largeFolder()
        #expect(try unread(folder) == nil)
        try await watching(folder) { _, first in
            let whole = try everything()
            #expect(first == whole)
            #expect(try unread(folder) == [])
        }
    }

    @Test("Everything is looked at without a watch, and after the end of one")
    func unwatched() async throws {
        let folder = try machine.largeFolder()
        #expect(try unread(folder) == nil)
        try await watching(folder) { watch, _ in
            let before = try unread(folder)
            await watch.remove(testSet)
            let after = try unread(folder)
            #expect(before == [] && after == nil)
        }
    }

    @Test("Everything is looked at if the history may not keep what the folder held")
    func otherVersion() async throws {
        let folder = try machine.largeFolder()
        try await watching(folder) { _, before in
            try machine.put("longer", at: "f1/5")
            let other = try #require(before.changing([SavePath("f0/0"): nil]))
            #expect(try capture(folder, over: other).manifest == everything())
            #expect(try machine.capture(folder).manifest == everything())
        }
    }

    @Test("After any changes, a scan finds what a scan of everything does", arguments: 0..<12)
    func anyChanges(_ seed: UInt64) async throws {
        var dice = SeededGenerator(seed: seed)
        let folder = try machine.largeFolder()
        try await watching(folder) { _, first in
            var known = first
            for round in 0..<20 {
                for _ in 0..<Int.random(in: 1...4, using: &dice) { try change(known, round, &dice) }
                known = try capture(folder, over: known).manifest
                #expect(try known == everything(), "seed \(seed), round \(round)")
            }
        }
    }

    /// A program changes something.
    private func change(_ known: Manifest, _ round: Int, _ dice: inout SeededGenerator) throws {
        let entries = known.entries.filter { !$0.isFolder }
        guard let path = entries.randomElement(using: &dice)?.path.text else { return }
        let full = "\(machine.root)/\(path)"
        let folder = Int.random(in: 0..<4, using: &dice)
        switch Int.random(in: 0..<14, using: &dice) {
        case 0: unlink(full)
        case 1: rename(full, "\(machine.root)/f\(folder)/r\(round)")
        case 2: chmod(full, 0o600)
        case 3: symlink("elsewhere", "\(machine.root)/f\(folder)/l\(round)")
        case 4: try machine.put("made", at: "n\(round)/deep/file")
        case 5: rename("\(machine.root)/f\(folder)", "\(machine.root)/f\((folder + 1) % 4)")
        case 6: link(full, "\(machine.root)/h\(round)")
        case 7: try machine.put("new", at: "x\(round)")
        case 8: try machine.putAlike(at: path)
        case 9:
            mkdir("\(machine.root)/e\(round)", 0o755)
            rename("\(machine.root)/f\(folder)", "\(machine.root)/e\(round)")
        case 10: try? Folder(at: machine.root).removeTree(FileName("f\(folder)"), names: .all, deepest: 9)
        case 11:
            rename("\(machine.root)/f\(folder)", machine.base.path(of: "away"))
            try? machine.base.put("changed", at: "away/4")
            rename(machine.base.path(of: "away"), "\(machine.root)/f\(folder)")
        default:
            let file = open(full, O_WRONLY | O_APPEND | O_CLOEXEC)
            guard file >= 0 else { return }
            _ = write(file, "more", 4)
            close(file)
        }
    }
}

extension SaveWatch {
    /// As if a folder of the game could not be entered when it was to be watched.
    fileprivate func meetGap(in set: SaveSetID) {
        sets[set]?.folder.heard.deafen()
        sets[set]?.hasGap = true
        sets[set]?.listenIfWhole()
    }
}
