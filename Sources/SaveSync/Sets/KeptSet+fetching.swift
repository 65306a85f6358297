import Ledger
import SaveRules
import Session
import Vocabulary

/// How what snapshots hold comes here.
extension KeptSet {
    /// What is worth fetching may be another thing now. Whoever says so before it was looked is served by the same look.
    func lookForMore() {
        guard !isMoreWanted else { return }
        isMoreWanted = true
        looksForMore += 1
        keeper.crew.add {
            self.isMoreWanted = false
            await self.refetch()
            self.looksForMore -= 1
            self.noteQuiet()
        }
    }

    /// What was begun before a restart goes on as soon as somebody has it.
    func resumeFetching() async {
        do {
            for snapshot in try await keeper.store.expected(of: id) { await begin(snapshot) }
        } catch {
            tell(trouble: error)
        }
    }

    /// The versions that were heard of and are newer than those that are here, whoever may have them. One beside them is a matter of its own.
    var newer: Set<SnapshotID> {
        unkept.union(fetches.keys).filter { snapshot in
            heads.heads.allSatisfy { heads.graph.supersedes(snapshot, $0) }
        }
    }

    var awaitsNewer: Bool { !newer.isEmpty || !unlearned.isEmpty }

    /// Whether something newer is within reach, and this machine could not keep it.
    var couldNotKeepNewer: Bool { !unlearned.isDisjoint(with: parts.keys) || !newer.isDisjoint(with: unkept) }

    func isOffered(_ snapshot: SnapshotID) -> Bool { parts.values.contains { $0.offers.contains(snapshot) } }

    /// Fetches what is worth fetching of what peers offer, and nothing else. What has begun and nobody offers now waits for
    /// somebody who does.
    func refetch() async {
        looksForMore += 1
        defer {
            looksForMore -= 1
            noteQuiet()
        }
        // Two that look at once would begin the same things twice.
        await seeking.alone(seek)
    }

    private func seek() async {
        // Of what was lost it is known already that it is wanted, and there may be much of it.
        let begun = unkept.union(fetches.keys).filter { !isLost($0) }
        let missing = inBounds(heads.missing(among: begun.union(parts.values.flatMap(\.offers)).sorted()))
        // What is newest comes first.
        let wanted = missing + owed.filter { !missing.contains($0) }
        let over = unkept.union(fetches.keys).subtracting(wanted)
        for snapshot in over { fetches.removeValue(forKey: snapshot)?.machine.cancel() }
        unkept.subtract(over)
        // What has come of them stays a while longer; it is collected with the next garbage. One may be wanted again by then.
        for snapshot in over where fetches[snapshot] == nil && !heads.held.contains(snapshot) {
            try? await keeper.store.giveUp(snapshot)
        }
        for snapshot in wanted {
            if fetches[snapshot] == nil { await begin(snapshot) }
            guard let fetch = fetches[snapshot] else { continue }
            for (peer, part) in parts where !part.offers.isEmpty {
                // Who is asked for an old version and doesn't have it is not asked again before the two meet anew, and who does not answer not
                // before he has.
                guard isOffered(snapshot) || !silent.contains(peer) && fetch.meets(peer, in: tickets[peer]) else {
                    continue
                }
                perform(fetch.machine.found(peer), of: snapshot, fetch)
            }
        }
    }

    /// The versions that were here whole and are to be so again. Those that are lost altogether are begun where somebody is there who may have them: the
    /// latest first, and not all at once. Those that nobody has make room for others.
    private var owed: [SnapshotID] {
        let lost = lacking.filter(isLost)
        let begun = lost.filter { fetches[$0] != nil }
        let room = Self.mostLost - begun.count { isUnderWay($0) }
        var next: [SnapshotID] = []
        if room > 0, isAnybodyToAsk {
            let places = lost.subtracting(begun).map { ($0, keeper.store.shelf.arrival(of: $0, in: id)?.place ?? 0) }
            next = places.sorted { $0.1 > $1.1 }.map(\.0)
        }
        return Array(lacking.intersection(heads.held)) + begun + next.prefix(max(0, room))
    }

    private func isLost(_ snapshot: SnapshotID) -> Bool {
        lacking.contains(snapshot) && !heads.held.contains(snapshot)
    }

    private func isUnderWay(_ snapshot: SnapshotID) -> Bool { fetches[snapshot]?.isStarved == false }

    private var isAnybodyToAsk: Bool { parts.contains { !$1.offers.isEmpty && !silent.contains($0) } }

    /// Whether so many of those that were begun came to nothing that others are begun in their places. Not for each that nobody has: to look costs as
    /// much as there are versions.
    private var areLostToBegin: Bool {
        let lost = lacking.filter(isLost)
        return lost.contains { fetches[$0] == nil } && lost.count(where: isUnderWay) <= Self.mostLost / 2
    }

    /// How many of them are waited for at once.
    private static let mostLost = 256

    /// As many versions side by side as a set may have at all, those that are here among them: a peer can make new ones without end. What takes
    /// the place of one that is here makes them no more.
    private func inBounds(_ snapshots: [SnapshotID]) -> [SnapshotID] {
        let limit = SnapshotHead.maximumCount
        // Of several that would take one place, all but one stand beside it.
        var taken: Set<SnapshotID> = []
        let following = snapshots.filter { id in
            heads.heads.contains { heads.graph.supersedes(id, $0) && taken.insert($0).inserted }
        }
        let beside = Set(snapshots).subtracting(following).sorted()
        return (few(of: following, limit) + few(of: beside, max(0, limit - heads.heads.count))).sorted()
    }

    /// Each peer that is there has its share, so that none can crowd out what others have.
    private func few(of snapshots: [SnapshotID], _ limit: Int) -> [SnapshotID] {
        guard snapshots.count > limit else { return snapshots }
        let share = limit / max(parts.count, 1)
        var (left, chosen) = (Set(snapshots), [SnapshotID]())
        for (_, part) in parts.sorted(by: { $0.key < $1.key }) {
            chosen += part.offers.filter { left.remove($0) != nil }.prefix(share)
        }
        // What nobody offers now may be offered again.
        return Array((chosen + left.sorted()).prefix(limit))
    }

    /// The versions here that may have most in common with one that comes: itself where it is mended, what the folder shows, and the newest.
    private func relatives(of snapshot: SnapshotID) -> [Snapshot] {
        ([snapshot, heads.applied].compactMap { $0 } + heads.heads).filter(heads.held.contains)
            .compactMap { heads.graph[$0] }
    }

    private func begin(_ snapshot: SnapshotID) async {
        guard let known = heads.graph[snapshot] else { return }
        unkept.remove(snapshot)
        do {
            let missing = try await keeper.store.expect(known, beside: relatives(of: snapshot))
            // Another may have begun it, or have brought it, while the disk was asked.
            guard fetches[snapshot] == nil, !heads.held.contains(snapshot) || lacking.contains(snapshot) else { return }
            let fetch = Fetch(SnapshotFetch(snapshot, missing: missing))
            fetches[snapshot] = fetch
            // That nobody is asked yet says nothing of it.
            perform(fetch.machine.begin().filter { $0 != .starved }, of: snapshot, fetch)
        } catch {
            unkept.insert(snapshot)
            tell(trouble: error, in: .fetching)
            fetching.later()
        }
    }

    /// A peer sent pieces.
    func takes(_ pieces: [ArrivedPiece], _ ticket: SaveTicket, from peer: SavePeer) async {
        guard ticket == tickets[peer.id] else { return }
        answers(peer)
        for (snapshot, fetch) in fetches {
            // Of one that asked another peer, or nobody any more, it is a piece all the same.
            let expected = pieces.filter { fetch.machine.isMissing($0.id) }
            guard !expected.isEmpty else { continue }
            do {
                let areRight = try await keeper.store.take(expected, for: snapshot)
                for (piece, isRight) in zip(expected, areRight) where fetches[snapshot] === fetch {
                    let (isSound, isAsked) = (isRight && piece.isWhole, fetch.machine.expects(piece.id, from: peer.id))
                    let actions: [SnapshotFetch.Action] =
                        switch (isSound, isAsked) {
                        case (true, true): fetch.machine.received(piece.id, from: peer.id)
                        case (true, false): fetch.machine.came(piece.id, length: piece.bytes.count)
                        case (false, true): fetch.machine.receivedOther(than: piece.id, from: peer.id)
                        case (false, false): []
                        }
                    perform(actions, of: snapshot, fetch)
                }
                if fetches[snapshot] === fetch { tellProgress(of: fetch) }
            } catch {
                // A disk that is full now may have room later.
                fetch.machine.cancel()
                fetches[snapshot] = nil
                unkept.insert(snapshot)
                tell(trouble: error, in: .fetching)
                fetching.later()
            }
        }
        noteQuiet()
    }

    /// A peer does not have a piece of a snapshot any more.
    func lacks(_ piece: PieceID, of snapshot: SnapshotID, _ ticket: SaveTicket, _ peer: SavePeer) async {
        guard ticket == tickets[peer.id] else { return }
        guard let fetch = fetches[snapshot], fetch.machine.expects(piece, from: peer.id) else { return }
        perform(fetch.machine.lacks(piece, peer.id), of: snapshot, fetch)
    }

    func perform(_ actions: [SnapshotFetch.Action], of snapshot: SnapshotID, _ fetch: Fetch) {
        for action in actions {
            switch action {
            case .ask(let peer, let pieces):
                fetch.isStarved = false
                guard let ticket = tickets[peer] else { continue }
                parts[peer]?.peer.want(id, ticket, snapshot, pieces)
            case .readManifest: keeper.crew.add { await self.readManifest(of: snapshot, fetch) }
            case .complete: keeper.crew.add { await self.complete(snapshot, fetch) }
            case .starved:
                fetch.isStarved = true
                // Who says that it has it may have been damaged, and be mended.
                if isOffered(snapshot) { fetching.later() }
                // Its place is another's, of those that are lost.
                if isLost(snapshot), isAnybodyToAsk, areLostToBegin { lookForMore() }
            case .refuse(let peer, let refusal):
                guard let part = parts[peer] else { continue }
                keeper.crew.add { await self.caught(part.peer, refusal) }
            }
        }
    }

    private func readManifest(of snapshot: SnapshotID, _ fetch: Fetch) async {
        guard let known = heads.graph[snapshot] else { return }
        do {
            let read = try await keeper.store.missing(
                of: known,
                beside: relatives(of: snapshot),
                keeper.bounds
            )
            // Something newer may be wanted by now.
            guard fetches[snapshot] === fetch, fetch.machine.state == .reading else { return }
            switch read {
            case .success(let missing): perform(fetch.machine.manifestRead(missing: missing), of: snapshot, fetch)
            case .failure(let error):
                perform(fetch.machine.manifestRefused(error), of: snapshot, fetch)
                fetches[snapshot] = nil
                try await keeper.store.giveUp(snapshot)
            }
        } catch {
            fetches[snapshot] = nil
            if fetch.machine.state != .refused { unkept.insert(snapshot) }
            tell(trouble: error, in: .fetching)
            fetching.later()
        }
        noteQuiet()
    }

    private func complete(_ snapshot: SnapshotID, _ fetch: Fetch) async {
        guard fetches[snapshot] === fetch, let known = heads.graph[snapshot] else { return }
        // What is noted down until it is held must not drop it.
        let wasUnentered = unentered.remove(snapshot)
        do {
            try await keeper.store.finish(known)
            try await commit { ([], $0.hold(snapshot)) }
            if lacking.contains(snapshot) { await setLacking(lacking.subtracting([snapshot])) }
            if snapshot == heads.applied, problems[.scanning] != nil {
                // It may be what kept the folder from being read.
                folder.requestScan()
                lookUp()
            }
            problems.solved(.fetching)
            fetching.worked()
            // What else is to be tried again is no less so for that.
            if !silent.isEmpty || !unlearned.isEmpty { fetching.later() }
            tell(.arrived(snapshot))
        } catch {
            if let wasUnentered { unentered.insert(wasUnentered) }
            tell(trouble: error, in: .fetching)
            if fetches[snapshot] === fetch { fetches[snapshot] = nil }
            unkept.insert(snapshot)
            return fetching.later()
        }
        if fetches[snapshot] === fetch { fetches[snapshot] = nil }
        await refetch()
        // While a version is put into the folder its pieces are read, and it may be none of those that stay any more.
        await work.alone { if life != .left { await keepRoom() } }
        noteQuiet()
    }
}
