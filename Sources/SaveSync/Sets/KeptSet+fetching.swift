import Ledger
import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// How versions come to this machine: carries out what ``Downloads`` says.
extension KeptSet {
    var surroundings: Downloads.Surroundings { Downloads.Surroundings(heads, peers, at: .current) }

    /// Whether a newer version is known that is not here.
    var awaitsNewer: Bool { !downloads.newer(than: heads).isEmpty || !peers.unlearned.isEmpty }

    /// Whether a newer version is within reach, and this machine could not store it.
    var couldNotKeepNewer: Bool {
        !peers.unlearned.isDisjoint(with: peers.online.keys)
            || !downloads.newer(than: heads).isDisjoint(with: downloads.unstored)
    }

    /// Something failed, and is tried again later.
    func retryLater() {
        downloads.retry.failed(at: .current)
        setTimer()
    }

    /// Other versions may be worth fetching now. One search serves all calls that come before it begins.
    func lookForMore() {
        guard downloads.queueSearch() else { return }
        keeper.crew.add {
            self.downloads.beginQueuedSearch()
            await self.refetch()
            self.downloads.endSearch()
            self.noteQuiet()
        }
    }

    /// Continues the downloads that a restart interrupted, as soon as a machine has them.
    func resumeFetching() async {
        do {
            for snapshot in try await keeper.store.expected(of: id) { await begin(snapshot) }
        } catch {
            tell(trouble: error)
        }
    }

    /// Fetches what is worth fetching of what other machines offer, and nothing else. A version that no machine offers now waits for one that does.
    func refetch() async {
        downloads.beginSearch()
        // Two searches at once would begin the same downloads twice.
        await seeking.alone(seek)
        downloads.endSearch()
        noteQuiet()
    }

    private func seek() async {
        let (wanted, cancelled) = downloads.search(surroundings) {
            keeper.store.shelf.arrival(of: $0, in: id)?.place ?? 0
        }
        // What has come of them stays until the next garbage collection. One may be wanted again by then.
        for version in cancelled where downloads.running[version] == nil && !heads.held.contains(version) {
            try? await keeper.store.giveUp(version)
        }
        for version in wanted {
            if downloads.running[version] == nil { await begin(version) }
            carryOut(downloads.findPeers(for: version, surroundings))
        }
    }

    /// The versions here that may have most in common with one that comes: itself if it is repaired, the one that the folder shows, and the newest.
    private func relatives(of snapshot: SnapshotID) -> [Snapshot] {
        ([snapshot, heads.applied].compactMap { $0 } + heads.heads).filter(heads.held.contains)
            .compactMap { heads.graph[$0] }
    }

    private func begin(_ version: SnapshotID) async {
        guard let known = heads.graph[version] else { return }
        do {
            let missing = try await keeper.store.expect(known, beside: relatives(of: version))
            carryOut(downloads.begin(version, missing: missing, surroundings))
        } catch {
            storeFailed(version, nil, error)
        }
    }

    private func storeFailed(_ version: SnapshotID, _ number: Int?, _ error: any Error) {
        downloads.storeFailed(version, number, at: .current)
        tell(trouble: error, in: .fetching)
        setTimer()
    }

    /// A machine sent pieces.
    func takes(_ pieces: [ArrivedPiece], _ ticket: SaveTicket, from peer: SavePeer) async {
        guard ticket == peers.tickets[peer.id] else { return }
        answers(peer)
        for (version, number) in downloads.running.mapValues(\.number) {
            // A version may need a piece that was asked of another machine, or of none.
            let expected = pieces.filter { downloads.isMissing($0.id, of: version) }
            guard !expected.isEmpty else { continue }
            do {
                let areRight = try await keeper.store.take(expected, for: version)
                for (piece, isRight) in zip(expected, areRight) where downloads.isRunning(version, number) {
                    let effects = downloads.received(
                        piece.id,
                        length: piece.bytes.count,
                        isSound: isRight && piece.isWhole,
                        from: peer.id,
                        version,
                        surroundings
                    )
                    carryOut(effects)
                }
                if downloads.isRunning(version, number) { tellProgress(of: version) }
            } catch {
                // A disk that is full now may have room later.
                storeFailed(version, number, error)
            }
        }
        noteQuiet()
    }

    /// A machine does not have a piece of a version.
    func lacks(_ piece: PieceID, of snapshot: SnapshotID, _ ticket: SaveTicket, _ peer: SavePeer) async {
        guard ticket == peers.tickets[peer.id] else { return }
        carryOut(downloads.lacks(piece, of: snapshot, peer.id, surroundings))
    }

    func carryOut(_ effects: [Downloads.Effect]) {
        for effect in effects {
            switch effect {
            case .ask(let peer, let version, let pieces):
                guard let ticket = peers.tickets[peer] else { continue }
                sessions[peer]?.want(id, ticket, version, pieces)
            case .readManifest(let version, let number):
                keeper.crew.add { await self.readManifest(of: version, number) }
            case .complete(let version, let number): keeper.crew.add { await self.complete(version, number) }
            case .refuse(let peer, let refusal):
                guard let session = sessions[peer] else { continue }
                keeper.crew.add { await self.caught(session, refusal) }
            case .search: lookForMore()
            }
        }
        setTimer()
    }

    private func readManifest(of version: SnapshotID, _ number: Int) async {
        guard let known = heads.graph[version] else { return }
        do {
            let read = try await keeper.store.missing(of: known, beside: relatives(of: version), keeper.bounds)
            // Something newer may be wanted by now.
            guard downloads.isReading(version, number) else { return }
            switch read {
            case .success(let missing): carryOut(downloads.manifestRead(version, missing: missing, surroundings))
            case .failure(let error):
                carryOut(downloads.manifestRefused(version, error, surroundings))
                do { try await keeper.store.giveUp(version) } catch {
                    tell(trouble: error, in: .fetching)
                    retryLater()
                }
            }
        } catch {
            storeFailed(version, number, error)
        }
        noteQuiet()
    }

    private func complete(_ version: SnapshotID, _ number: Int) async {
        guard downloads.isRunning(version, number), let known = heads.graph[version] else { return }
        // A version that is stored must not be dropped as one that was not.
        let wasUnentered = unentered.remove(version)
        do {
            try await keeper.store.finish(known)
            try await commit { ([], $0.hold(version)) }
            if downloads.incomplete.contains(version) {
                await setLacking(downloads.incomplete.subtracting([version]))
            }
            if version == heads.applied, problems[.scanning] != nil {
                // Its damage may have stopped the scan.
                folder.requestScan()
                lookUp()
            }
            problems.solved(.fetching)
            downloads.stored(peers, at: .current)
            setTimer()
            tell(.arrived(version))
        } catch {
            if let wasUnentered { unentered.insert(wasUnentered) }
            return storeFailed(version, number, error)
        }
        downloads.finish(version, number)
        await refetch()
        // While a version is applied its pieces are read, and retention may drop it.
        await work.alone { if life != .left { await keepRoom() } }
        noteQuiet()
    }
}
