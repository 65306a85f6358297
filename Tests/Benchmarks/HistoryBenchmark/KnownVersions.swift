import Digests
import Glibc
import History
import Ledger
import LinuxPlatform
import SaveRules
import SaveSync
import Session
import TestSupport
import Transport
import Vocabulary
import Yardstick

/// The costs of many known versions: the time until games are ready and the memory, beside the same games with few
/// versions.
///
/// A new program measures each case.
enum KnownVersions {
    static let option = "--open"

    /// The number of a game's complete versions. The others are known only as their parents.
    private static let held = 50

    static func run(sets: Int, versions: Int) async throws {
        print("  \(sets) sets with \(held) versions each, then with \(versions) more in all")
        for more in [0, versions / sets] {
            let folder = TemporaryFolder()
            try await fill(folder, sets: sets, versions: more + held)
            // This writes an index, as an earlier start would have done.
            do { _ = try History.open(at: folder.path + "/history") }
            fflush(nil)
            let status = try openElsewhere(folder.path)
            guard status == 0 else { throw SystemError("posix_spawn", status) }
        }
    }

    private static func openElsewhere(_ path: String) throws -> CInt {
        var program = pid_t()
        let words: [String] = [CommandLine.arguments[0], option, path]
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        let outcome = posix_spawn(&program, "/proc/self/exe", nil, nil, arguments, environ)
        guard outcome == 0 else { return outcome }
        var status: CInt = 0
        waitpid(program, &status, 0)
        return status
    }

    /// Opens the filled history, and prints the costs.
    static func open(_ folder: String) async throws {
        let before = ProcessFigures()?.residentKiB ?? 0
        let processorBefore = processorSeconds()
        let clock = ContinuousClock()
        let begun = clock.now
        let node = try await Node.open(configuration(folder))
        let opened = clock.now
        let places = try FolderPlaces(notes: folder + "/notes")
        let engine = try await SaveSyncEngine.open(
            SaveConfiguration(history: folder + "/history"),
            beside: node,
            places: places
        )
        let ready = clock.now
        let after = ProcessFigures()
        let sets = await engine.reports()
        print(
            "    \(sets.count) sets, \(sets.reduce(0) { $0 + $1.versions.count }) versions whole: ledger open in "
                + "\(Int(seconds(opened - begun) * 1_000)) ms, sets ready in \(Int(seconds(ready - opened) * 1_000)) ms, "
                + "processor \(Int((processorSeconds() - processorBefore) * 1_000)) ms in all; "
                + "\((after?.residentKiB ?? 0) - before) KiB more resident, \((after?.peakKiB ?? 0) - before) KiB at the most"
        )
        exit(0)
    }

    private static func configuration(_ folder: String) throws -> NodeConfiguration {
        var configuration = NodeConfiguration(folder: folder + "/huddle", name: try InstanceName("bench"))
        configuration.address = .v4(127, 0, 0, 1)
        (configuration.advertises, configuration.browses) = (false, false)
        return configuration
    }

    private static func fill(_ folder: TemporaryFolder, sets: Int, versions: Int) async throws {
        let node = try await Node.open(configuration(folder.path))
        let history = try History.open(at: folder.path + "/history")
        let seals = try (0..<8).map { _ in try Seals.unsigned(VersionSeal(Identity.ephemeral())) }
        for number in 0..<sets {
            let set = SaveSetID(high: 1, low: UInt64(number))
            let path = folder.path + "/set-\(number)"
            mkdir(path, 0o700)
            let batch = try history.beginBatch()
            let pieces = try batch.put(Manifest.empty)
            try await node.ledger.saveSets.put(SaveSetEntry(set, named: SaveSetName("set-\(number)"), at: path))
            var (made, parent, version) = ([Snapshot](), SnapshotID?.none, SignedVersion())
            for count in 0..<versions {
                let seal = seals[count % seals.count]
                version = try version.bumped(by: seal, in: set)
                var draft = Snapshot.Draft(set: set, .captured, version: version, manifest: pieces)
                draft.parents = parent.map { [$0] } ?? []
                draft.time = Int64(count)
                let snapshot = try Snapshot(draft, sealedBy: seal)
                if count >= versions - held { try batch.append(snapshot) }
                made.append(snapshot)
                parent = snapshot.id
            }
            try await node.ledger.snapshots.know(made)
            let whole = Set(made.suffix(held).map(\.id))
            let change = HeldChange(heads: parent.map { [$0] } ?? [], come: whole)
            try await node.ledger.saveSets.setStanding(of: set, applied: parent, usedCounter: 1, change)
        }
    }
}
