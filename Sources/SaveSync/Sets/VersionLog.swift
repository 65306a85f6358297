import Digests
import Ledger
import LinuxPlatform
import SaveFolder
import SaveRules
import Session
import Vocabulary

/// The versions of one game as they change: each change is made on a copy, stored, and only then published.
@Engine final class VersionLog {
    private let set: SaveSet
    /// Held while versions are stored, so that they change one after the other.
    private let storing = AsyncMutex()

    init(_ set: SaveSet) { self.set = set }

    /// Changes the versions on a copy, which is stored before it is published.
    /// - Parameter change: returns the snapshots that it made, and the actions that follow
    func commit(_ change: (inout VersionState) throws -> (made: [Snapshot], actions: [VersionState.Action]))
        async throws
    {
        try await storing.alone {
            guard set.machine.life != .left else { throw SaveSet.Left() }
            var next = set.machine.heads
            let (made, actions) = try change(&next)
            do {
                if !made.isEmpty {
                    try await set.atWorker(on: .history) { try await $0.keep(made, of: set.id) }
                    try await set.services.ledger.snapshots.know(made, usedCounter: next.usedCounter)
                    next.noteKept()
                }
                try await persist(next, over: set.machine.heads)
            } catch {
                set.handle(.versions(.notStored(next, made: made.map(\.id))))
                await dropUncommitted()
                throw error
            }
            set.handle(.versions(.stored(next, actions)))
            await dropUncommitted()
        }
    }

    /// Drops versions that were stored in part. If the disk is too full even for that, they stay for now.
    private func dropUncommitted() async {
        let versions = set.update { $0.versionsToDrop() }
        guard !versions.isEmpty, (try? await set.services.store.drop(versions)) != nil else { return }
        set.handle(.versions(.dropped))
    }

    /// Stores history that another machine sent. Snapshots before a wrong one are stored before this throws.
    func learn(_ snapshots: [Snapshot], from peer: PeerID) async throws {
        let giver = SnapshotGiver(peer, within: set.services.bounds.given, allPeers: set.services.bounds.givenByAll)
        try await storing.alone {
            guard set.machine.life != .left else { throw SaveSet.Left() }
            var (next, refusal) = (set.machine.heads, SaveRefusal?.none)
            do throws(SaveRefusal) { try next.learn(snapshots) } catch { refusal = error }
            let known = snapshots.filter { next.graph.isFresh($0.id) }
            // This comes first: once they are stored, versions that this machine made no longer count as new.
            let recollection = set.machine.heads.recollection(of: known)
            switch try await set.services.ledger.snapshots.know(known, from: giver, usedCounter: next.usedCounter) {
            case .peer: throw SaveRefusal(.givenTooMuch)
            case .allPeers: throw SaveRefusal(.knownTooMuch)
            case nil: next.noteKept()
            }
            try await persist(next, over: set.machine.heads)
            set.handle(.versions(.stored(next, [])))
            if let recollection { report(recollection) }
            if let refusal { throw refusal }
        }
    }

    /// Writes the state of the versions to the ledger, if it has changed.
    private func persist(_ next: VersionState, over before: VersionState) async throws {
        let change = HeldChange(
            heads: next.heads,
            come: next.held.subtracting(before.held),
            gone: before.held.subtracting(next.held)
        )
        let isSame = next.heads == before.heads && change.come.isEmpty && change.gone.isEmpty
        if next.applied != before.applied || next.usedCounter != before.usedCounter {
            try await set.services.ledger.saveSets.setStanding(
                of: set.id,
                applied: next.applied,
                usedCounter: next.usedCounter,
                isSame ? nil : change
            )
        } else if !isSame {
            // If this can't be written, the next start finds it out.
            try? await set.services.ledger.snapshots.noteHeld(change, of: set.id)
        }
    }

    /// Finds the next actions, as after a start.
    func resume() async {
        var resumed: [VersionState.Action] = []
        // This changes nothing, so nothing is written.
        try? await commit { heads in
            resumed = heads.resume()
            return ([], resumed)
        }
    }

    /// Remembers the versions that have lost data. This survives a restart if the disk stores it.
    func setIncomplete(_ snapshots: Set<SnapshotID>) async {
        set.handle(.versions(.incomplete(snapshots)))
        do { try await set.services.ledger.snapshots.setIncomplete(snapshots, of: set.id) } catch {
            set.tell(trouble: error)
        }
    }

    /// Tells the user that versions which this machine made have come back to it.
    private func report(_ recollection: Recollection) {
        set.note(
            "save-versions-back",
            [
                .init("count", "\(recollection.count)"),
                .init("numbers", recollection.usesNumbersTwice ? "used twice" : "go on"),
            ]
        )
        set.tell(.recollected(recollection))
    }

    /// Stores settings that change nothing about the folder, and adopts them.
    func adopt(_ settings: SaveSetEntry) async throws {
        try await set.services.ledger.saveSets.put(settings)
        set.adopted(settings)
    }

    /// Stores settings that move the game or change which of its files belong to it, and adopts them. Any two versions
    /// of a conflict may be merged again.
    /// - Parameter shown: the version that the folder shows; nil if the folder is another one
    func adopt(_ settings: SaveSetEntry, at place: any SavePlace, showing shown: SnapshotID?) async throws {
        try await storing.alone {
            let before = set.machine.heads
            var next = before
            next.settle(showing: shown)
            // If the daemon restarts before it has scanned the folder, it must not take the files there for successors
            // of the old version.
            try await persist(next, over: before)
            do { try await set.services.ledger.saveSets.put(settings) } catch {
                // If this can't be written either, the next start finds it out from the folder.
                try? await persist(before, over: next)
                throw error
            }
            set.handle(.versions(.stored(next, [])))
            set.adopted(settings, at: place)
        }
    }
}
