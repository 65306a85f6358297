import Ledger
import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// How versions come to this machine: the steps that take long.
extension KeptSet {
    /// Continues the downloads that a restart interrupted, as soon as a machine has them.
    func resumeFetching() async {
        do {
            for snapshot in try await keeper.store.expected(of: id) { await begin(snapshot) }
        } catch {
            tell(trouble: error)
        }
    }

    /// Other versions may be worth fetching now.
    func lookForMore() { perform(update { $0.requestSearch() }) }

    /// The same. Waits until the search is over, unless the daemon ends.
    func searchToEnd() async {
        lookForMore()
        while machine.downloads.isSearchUnderWay, machine.isAlive {
            guard (try? await changed.wait()) != nil else { return }
        }
    }

    /// The loop of searches. Fetches what is worth fetching of what other machines offer, and nothing else. A version that no machine offers now
    /// waits for one that does.
    func search() async {
        while update({ $0.beginSearch() }) {
            let (wanted, cancelled) = update { machine in
                machine.wantedVersions(at: .current) { keeper.store.shelf.arrival(of: $0, in: id)?.place ?? 0 }
            }
            // What has come of them stays until the next garbage collection. One may be wanted again by then.
            for version in cancelled where machine.downloads.running[version] == nil {
                guard !machine.heads.held.contains(version) else { continue }
                try? await keeper.store.giveUp(version)
            }
            for version in wanted {
                if machine.downloads.running[version] == nil { await begin(version) }
                handle(.download(version, .findPeers))
            }
        }
    }

    private func begin(_ version: SnapshotID) async {
        guard let known = machine.heads.graph[version] else { return }
        do {
            let missing = try await keeper.store.expect(known, beside: machine.relatives(of: version))
            handle(.download(version, .begins(missing: missing)))
        } catch {
            storeFailed(version, nil, error)
        }
    }

    private func storeFailed(_ version: SnapshotID, _ number: Int?, _ error: any Error) {
        handle(.download(version, .storeFailed(number)))
        tell(trouble: error, in: .fetching)
    }

    /// A machine sent pieces.
    func takes(_ pieces: [ArrivedPiece], _ ticket: SaveTicket, from peer: SavePeer) async {
        guard ticket == machine.peers.tickets[peer.id] else { return }
        handle(.peer(peer.id, .answers))
        for (version, number) in machine.downloads.running.mapValues(\.number) {
            // A version may need a piece that was asked of another machine, or of none.
            let expected = pieces.filter { machine.downloads.isMissing($0.id, of: version) }
            guard !expected.isEmpty else { continue }
            do {
                let areRight = try await keeper.store.take(expected, for: version)
                for (piece, isRight) in zip(expected, areRight) where machine.downloads.isRunning(version, number) {
                    let (length, isSound) = (piece.bytes.count, isRight && piece.isWhole)
                    let event = SaveSetMachine.DownloadEvent.received(
                        piece.id,
                        length: length,
                        isSound: isSound,
                        from: peer.id
                    )
                    handle(.download(version, event))
                }
                if machine.downloads.isRunning(version, number) { tellProgress(of: version) }
            } catch {
                // A disk that is full now may have room later.
                storeFailed(version, number, error)
            }
        }
    }

    /// A machine does not have a piece of a version.
    func lacks(_ piece: PieceID, of snapshot: SnapshotID, _ ticket: SaveTicket, _ peer: SavePeer) {
        guard ticket == machine.peers.tickets[peer.id] else { return }
        handle(.download(snapshot, .lacks(piece, peer.id)))
    }

    func readManifest(of version: SnapshotID, _ number: Int) async {
        guard let known = machine.heads.graph[version] else { return }
        do {
            let relatives = machine.relatives(of: version)
            let read = try await keeper.store.missing(of: known, beside: relatives, keeper.bounds)
            // Something newer may be wanted by now.
            guard machine.downloads.isReading(version, number) else { return }
            switch read {
            case .success(let missing): handle(.download(version, .manifestRead(missing: missing)))
            case .failure(let error):
                handle(.download(version, .manifestRefused(error)))
                do { try await keeper.store.giveUp(version) } catch {
                    tell(trouble: error, in: .fetching)
                    update { $0.retryLater(at: .current) }
                }
            }
        } catch {
            storeFailed(version, number, error)
        }
    }

    func complete(_ version: SnapshotID, _ number: Int) async {
        guard machine.downloads.isRunning(version, number), let known = machine.heads.graph[version] else { return }
        let wasUncommitted = update { $0.beginStoring(version) }
        do {
            try await keeper.store.finish(known)
            try await commit { ([], $0.hold(version)) }
            if machine.downloads.incomplete.contains(version) {
                await setLacking(machine.downloads.incomplete.subtracting([version]))
            }
            // Its damage may have stopped the scan.
            if version == machine.heads.applied, machine.problems[.scanning] != nil {
                handle(.folder(.scanWanted()))
            }
            handle(.download(version, .stored))
            tell(.arrived(version))
        } catch {
            if wasUncommitted { handle(.versions(.notStored(machine.heads, made: [version]))) }
            return storeFailed(version, number, error)
        }
        handle(.download(version, .finished(number)))
        // While a version is applied its pieces are read, and retention may drop it.
        await work.alone { if machine.life != .left { await keepRoom() } }
    }

    /// Tells the machines that give a version how much of it has come, once a second at most. A small version needs no word.
    private func tellProgress(of version: SnapshotID) {
        guard let progress = update({ $0.progress(of: version, at: .current) }), progress.total >= 1 << 20 else {
            return
        }
        for (peer, part) in machine.peers.online where part.offers.contains(version) {
            sessions[peer]?.send(.progress(id, progress))
        }
    }
}
