import History
import Ledger
import LinuxPlatform
import SaveFolder
public import SaveRules
import SecureArchive
import Session
public import Vocabulary

/// Versions that leave and enter Huddle as one file.
extension SaveKeeper {
    /// A version as a tar archive, piece by piece; nil at its end. Nothing waits for the folder.
    package func archive(of snapshot: SnapshotID, in id: SaveSetID) async throws
        -> @Sendable () async throws -> [UInt8]?
    {
        guard let known = try set(id).machine.heads.graph[snapshot] else { throw SaveSyncError.unknownVersion }
        guard try set(id).machine.heads.held.contains(snapshot),
            try !set(id).machine.downloads.incomplete.contains(snapshot)
        else {
            throw SaveSyncError.notWhole
        }
        let export = ArchiveExport(services.reader, known)
        return { try await export.next() }
    }

    /// Makes a new version of what a folder of Huddle's own holds. Nothing is undone, so this can be undone in the same way.
    ///
    /// - Parameters:
    ///   - files: a folder that no other program changes
    ///   - notes: a folder of its own for what is remembered while it is read
    /// - Returns: the version, or the present one if that holds the same
    @discardableResult
    public func bringIn(
        _ files: String,
        notes: String,
        into id: SaveSetID,
        note: Label? = nil
    ) async throws -> SnapshotID {
        let (time, seal) = (services.clock(), services.seal)
        return try await alone(id) { set in
            if let misplaced = set.machine.problems.misplaced { throw misplaced }
            // A save that no scan has read yet must not be lost under the import.
            if set.machine.problems.emptied == nil { try await set.steps.readSaved() }
            guard let head = set.machine.heads.ownSide.flatMap({ set.machine.heads.graph[$0] }),
                set.machine.heads.held.contains(head.id)
            else {
                throw SaveSyncError.notOne(set.entry.name)
            }
            let left = set.machine.problems.emptied == nil ? nil : try await set.steps.reading(asking: true, .nothing)
            let manifest = try await set.set.atWorker(on: .history) {
                try await $0.broughtIn(files, notes: notes, over: head, of: set.entry)
            }
            if manifest == head.manifest, set.machine.heads.heads == [head.id] { return head.id }
            var made: [Snapshot] = []
            try await set.versions.commit { heads in
                // What an emptied folder holds is kept in the same step, as for a version that is restored.
                if case .version(let held, let isEmpty) = left {
                    made += heads.capture(held, isEmpty: isEmpty, at: time, sealedBy: seal).snapshot.map { [$0] } ?? []
                }
                let done = try heads.bring(manifest, at: time, note: note, sealedBy: seal)
                made += done.snapshots
                return (made, done.actions)
            }
            try await set.steps.noteEmptied(nil)
            let version = made.last?.id ?? head.id
            set.note("save-imported", [.init("made", version.short)])
            if set.machine.heads.pending == version { await set.steps.show(version) }
            return version
        }
    }
}

/// One version on its way into a tar archive.
private actor ArchiveExport {
    private let reader: VersionReader
    private let version: Snapshot
    private var parts: [ArchivePart]?
    private var next = 0

    init(_ reader: VersionReader, _ version: Snapshot) { (self.reader, self.version) = (reader, version) }

    func next() async throws -> [UInt8]? {
        let parts: [ArchivePart]
        if let known = self.parts {
            parts = known
        } else {
            parts = try await reader.archiveParts(of: version)
            self.parts = parts
        }
        guard next < parts.count else { return nil }
        // Small pieces go together: each answer is one chunk.
        var bytes: [UInt8] = []
        while next < parts.count, bytes.count < 1 << 20 {
            switch parts[next] {
            case .bytes(let more): bytes += more
            case .piece(let id): bytes += try await reader.piece(id)
            }
            next += 1
        }
        return bytes
    }
}
