import Ledger
import LinuxPlatform
public import SaveRules
import Session
public import Vocabulary

/// Archives that a peer gives once.
extension SaveKeeper {
    /// What a set is called that a peer may put something into.
    /// - Throws: the same where there is no such set and where the peer has no part in it
    public func set(named name: SaveSetName, sharedWith peer: PeerID) throws(SaveSyncError) -> SaveSetID {
        guard let set = sets.values.first(where: { $0.entry.name == name }), set.machine.sharers.contains(peer) else {
            throw .notShared(name)
        }
        return set.id
    }

    /// Makes a new version of a set, in which an archive has come to a path. It comes into the folder like any other: not while the game runs.
    ///
    /// The archive was checked; it is checked once more before it comes into the folder.
    public func deliver(
        _ archive: [UInt8],
        at path: SavePath,
        into id: SaveSetID,
        note: Label?
    ) async throws -> SnapshotID {
        let (time, seal) = (services.clock(), services.seal)
        return try await alone(id) { set in
            // What the game has saved and nobody has read yet must not be lost under what comes.
            try await set.steps.readSaved()
            guard set.machine.heads.heads.count == 1,
                let head = set.machine.heads.heads.first.flatMap({ set.machine.heads.graph[$0] }),
                set.machine.heads.held.contains(head.id)
            else { throw SaveSyncError.notOne(set.entry.name) }
            let manifest = try await set.set.atWorker(on: .history) {
                try await $0.delivered(archive, at: path, over: head, of: set.entry)
            }
            guard manifest != head.manifest else { return head.id }
            var made: SnapshotID?
            try await set.versions.commit { heads in
                let done = try heads.deliver(manifest, over: head.id, at: time, note: note, sealedBy: seal)
                made = done.snapshots.last?.id
                return (done.snapshots, done.actions)
            }
            return made ?? head.id
        }
    }
}
