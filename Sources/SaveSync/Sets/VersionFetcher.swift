import Ledger
import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// Fetches versions of one game.
@Engine final class VersionFetcher {
    private let set: SaveSet
    private let versions: VersionLog
    private let pruner: VersionPruner

    init(_ set: SaveSet, _ versions: VersionLog, _ pruner: VersionPruner) {
        (self.set, self.versions, self.pruner) = (set, versions, pruner)
    }

    /// Continues the downloads that a restart interrupted, as soon as a machine offers them.
    func resumeFetching() async {
        do { for snapshot in try await set.services.store.expected(of: set.id) { await begin(snapshot) } } catch {
            set.tell(trouble: error)
        }
    }

    /// Starts a search, because other versions may be worth fetching now.
    func lookForMore() { set.carryOut(set.update { $0.search() }) }

    /// Starts a search, and waits until it is over or the daemon ends.
    func searchToEnd() async {
        lookForMore()
        try? await set.wait { !$0.downloads.isSearchUnderWay || !$0.isAlive }
    }

    /// Runs searches until none is wanted. It fetches only versions that other machines offer and that are worth it. A
    /// version that no machine offers now waits for a machine that does.
    func search() async {
        while set.update({ $0.beginSearch() }) {
            let (wanted, cancelled) = set.update { machine in
                machine.wantedVersions(at: .current) {
                    set.services.store.shelf.arrival(of: $0, in: set.id)?.place ?? 0
                }
            }
            // Their pieces stay until the next garbage collection. One of them may be wanted again by then.
            for version in cancelled where set.machine.downloads.running[version] == nil {
                guard !set.machine.heads.held.contains(version) else { continue }
                try? await set.services.store.giveUp(version)
            }
            for version in wanted {
                if set.machine.downloads.running[version] == nil { await begin(version) }
                set.handle(.download(version, .findPeers))
            }
        }
    }

    private func begin(_ version: SnapshotID) async {
        guard let known = set.machine.heads.graph[version] else { return }
        do {
            let missing = try await set.services.store.expect(known, beside: set.machine.heads.relatives(of: version))
            set.handle(.download(version, .begins(missing: missing)))
        } catch { storeFailed(version, nil, error) }
    }

    private func storeFailed(_ version: SnapshotID, _ number: Int?, _ error: any Error) {
        set.handle(.download(version, .storeFailed(number)))
        set.tell(trouble: error, in: .fetching)
    }

    /// Takes pieces that a machine sent.
    func takes(_ pieces: [ArrivedPiece], _ epoch: ExchangeEpoch, from peer: SavePeer) async {
        guard epoch == set.machine.peers.epochs[peer.id] else { return }
        set.handle(.peer(peer.id, .answers))
        for (version, number) in set.machine.downloads.running.mapValues(\.number) {
            // A version may need a piece that was requested from another machine, or from none.
            let expected = pieces.filter { set.machine.downloads.isMissing($0.id, of: version) }
            guard !expected.isEmpty else { continue }
            do {
                let areRight = try await set.services.store.take(expected, for: version)
                for (piece, isRight) in zip(expected, areRight) where set.machine.downloads.isRunning(version, number) {
                    let (length, isSound) = (piece.bytes.count, isRight && piece.isWhole)
                    let event = SaveSetEvent.Download.received(
                        piece.id,
                        length: length,
                        isSound: isSound,
                        from: peer.id
                    )
                    set.handle(.download(version, event))
                }
                if set.machine.downloads.isRunning(version, number) { tellProgress(of: version) }
            } catch {
                // A disk that is full now may have room later.
                storeFailed(version, number, error)
            }
        }
    }

    /// Notes that a machine does not have a piece of a version.
    func isWithout(_ piece: PieceID, of snapshot: SnapshotID, _ epoch: ExchangeEpoch, _ peer: SavePeer) {
        guard epoch == set.machine.peers.epochs[peer.id] else { return }
        set.handle(.download(snapshot, .isWithout(piece, peer.id)))
    }

    func readManifest(of version: SnapshotID, _ number: Int) async {
        guard let known = set.machine.heads.graph[version] else { return }
        do {
            let relatives = set.machine.heads.relatives(of: version)
            let read = try await set.services.store.missing(of: known, beside: relatives, set.services.bounds)
            // A newer version may be wanted by now.
            guard set.machine.downloads.isReading(version, number) else { return }
            switch read {
            case .success(let missing): set.handle(.download(version, .manifestRead(missing: missing)))
            case .failure(let error):
                set.handle(.download(version, .manifestRefused(error)))
                do { try await set.services.store.giveUp(version) } catch {
                    set.tell(trouble: error, in: .fetching)
                    set.update { $0.retryLater(at: .current) }
                }
            }
        } catch { storeFailed(version, number, error) }
    }

    func complete(_ version: SnapshotID, _ number: Int) async {
        guard set.machine.downloads.isRunning(version, number), let known = set.machine.heads.graph[version] else {
            return
        }
        let wasUncommitted = set.update { $0.beginStoring(version) }
        do {
            try await set.services.store.finish(known)
            try await versions.commit { ([], $0.hold(version)) }
            if set.machine.downloads.incomplete.contains(version) {
                await versions.setIncomplete(set.machine.downloads.incomplete.subtracting([version]))
            }
            // The damage of this version may have stopped the scan.
            if version == set.machine.heads.applied, set.machine.problems[.scanning] != nil {
                set.handle(.folder(.scanWanted()))
            }
            set.handle(.download(version, .stored))
            set.tell(.arrived(version))
        } catch {
            if wasUncommitted { set.handle(.versions(.notStored(set.machine.heads, made: [version]))) }
            return storeFailed(version, number, error)
        }
        set.handle(.download(version, .finished(number)))
        // Retention waits for other work on the folder. While a version is applied, its pieces are read and must not be
        // dropped.
        await set.work.alone { if set.machine.life != .left { await pruner.keepRoom() } }
    }

    /// Tells the machines that give a version how much of it has come, once a second at most. For a small version they
    /// need no message.
    private func tellProgress(of version: SnapshotID) {
        guard let progress = set.update({ $0.progress(of: version, at: .current) }), progress.total >= 1 << 20 else {
            return
        }
        for (peer, part) in set.machine.peers.online where part.offers.contains(version) {
            set.sessions[peer]?.send(.progress(set.id, progress))
        }
    }
}
