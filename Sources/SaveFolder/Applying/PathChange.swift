import Glibc
import History
import LinuxPlatform
import SaveRules
import Vocabulary

/// A change of a single path of a large folder, without a look at all others: the watch hears every change of them.
struct PathChange {
    private let folder: SaveFolder
    private let heard: HeardPaths
    private var place: SetPlace { folder.place }

    init(in folder: SaveFolder) { (self.folder, heard) = (folder, HeardPaths(of: folder)) }

    /// The number of unchanged files in the journal of a change that concerns one path. By them the folder is known
    /// after a crash.
    private static let witnessCount = 8

    /// Changes the folder from one manifest to another.
    ///
    /// - Returns: nil if everything is to be looked at; then nothing was changed
    func apply(
        _ goal: Manifest,
        _ believed: Manifest,
        _ history: History,
        _ version: SnapshotID?,
        _ state: inout SaveFolder.State
    ) throws -> ApplyOutcome? {
        // What undid this change last time may undo it each time.
        if state.wasOvertaken {
            state.wasOvertaken = false
            return nil
        }
        let root = try SetRoot(at: place.root)
        guard try heard.hear(root.folder.folder, &state) != nil,
            let (known, unread) = try heard.known(root.folder.folder, &state),
            known.manifest == believed,
            let found = try ChangedEntries(at: unread, in: root.folder.folder, of: place, among: believed),
            found.fits(known)
        else { return nil }
        let steps = ManifestDifference(from: believed, to: goal).steps
        guard let path = steps.first?.path, steps.allSatisfy({ $0.path == path && $0.isInPlace }),
            let before = try ChangedEntries(at: [path], in: root.folder.folder, of: place, among: believed),
            before.fits(known), try isWritable(path, in: root.folder.folder)
        else { return nil }
        var search = WriterSearch()
        try search.look(at: [path], in: root.folder.folder)
        if case .occupied(let writers) = search.result() { return .inUse(writers) }
        let sight = FolderSight.Part(before, among: believed) { [folder] in folder.heard.take() }
        defer { state.unread.formUnion(sight.heard) }
        let (from, to) = Self.parts(of: believed, goal, at: path)
        do {
            let files = FileStaging(history, flushes: true, observe: folder.observe)
            let plan = ApplyPlan(.steps, root, from: from, to: to, as: version)
            try folder.change(plan, root, .part(sight), files, &state) { _ in throw TreeStaging.Impossible() }
        } catch is SetChange.Overtaken {
            state.unread.insert(path)
            state.wasOvertaken = true
            return .changedMeanwhile
        } catch let error as SetChange.InUse {
            state.unread.insert(path)
            return .inUse(error.writers)
        } catch {
            state.unread = .anything
            throw error
        }
        try note(goal, at: path, over: known, leaving: unread, root, &state)
        return .applied(goal)
    }

    /// True if the folder around a path is writable. A change makes a read-only folder writable for its duration: the
    /// watch hears of another mode, which may be that of a program.
    private func isWritable(_ path: SavePath, in root: borrowing Folder) throws(SystemError) -> Bool {
        var folders = FolderCursor()
        return try folders.folder(around: path, in: root).folder.facts().mode.rawValue & 0o300 == 0o300
    }

    /// The parts of two manifests that the journal needs, where they differ at one path.
    private static func parts(of base: Manifest, _ goal: Manifest, at path: SavePath) -> (Manifest, Manifest) {
        let witnesses = base.entries.lazy.filter { $0.file != nil && $0.path != path }.prefix(witnessCount)
        let paths = Set(witnesses.map(\.path)).union([path])
        return (base.part(at: paths), goal.part(at: paths))
    }

    /// Stores the fingerprint of the file that was put there.
    ///
    /// - Parameter unread: the paths that the next scan looks at in any case, because a program may still write there
    private func note(
        _ goal: Manifest,
        at path: SavePath,
        over known: ScanCache,
        leaving unread: Set<SavePath>,
        _ root: SetRoot,
        _ state: inout SaveFolder.State
    ) throws {
        usleep(useconds_t(FileFingerprint.grain / .microseconds(1)) + 1_000)
        // The watch has heard of this change, too. What the next look shows is this change or a later one.
        _ = try heard.hear(root.folder.folder, &state)
        let now = try ChangedEntries(at: [path], in: root.folder.folder, of: place, among: goal)
        var fingerprint: FileFingerprint?
        if let file = goal[path]?.file, case .file(let stamp)?? = now?.kinds[path], file.fits(stamp.facts) {
            fingerprint = FileFingerprint(stamp, at: .now)
        }
        guard let record = known.changing(to: goal, at: path, fingerprint) else {
            state.unread = .anything
            return
        }
        // Without a fingerprint, the next scan reads it.
        let isKnown = now?.seems(goal) == true && (fingerprint != nil || goal[path]?.file == nil)
        if isKnown, state.unread.lies(within: unread.union([path])) { state.unread = .only(unread.subtracting([path])) }
        if !isKnown { state.unread.insert(path) }
        state.keeper.keep(record, read: goal[path]?.file?.size ?? 0, files: 1, folder.notes)
    }
}

extension ManifestDifference.Step {
    /// The first path that it changes.
    var path: SavePath {
        switch self {
        case .remove(let path), .makeFolder(let path), .move(let path, _), .removeFolder(let path), .put(let path, _),
            .patch(let path, _), .link(let path, _), .setFile(let path, _, _), .setFolder(let path, _):
            path
        }
    }

    /// True if it concerns only the file or the link at its path.
    fileprivate var isInPlace: Bool {
        switch self {
        case .remove, .put, .patch, .link, .setFile: true
        case .makeFolder, .move, .removeFolder, .setFolder: false
        }
    }
}
