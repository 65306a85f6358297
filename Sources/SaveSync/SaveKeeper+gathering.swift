import LinuxPlatform
public import SaveRules
public import Vocabulary

/// Whoever has part in a set and is not there yet, though it may be in a moment: a person who is about to play waits for it.
extension SaveKeeper {
    /// Waits until all who have part in a set and may be there in a moment are there, or are known not to come. They are dialled at once.
    /// - Returns: who may still come, where that takes longer than the limit
    public func gather(_ id: SaveSetID, within limit: Duration) async throws -> [PeerID] {
        let end = ContinuousClock.Instant.current + limit
        gatherers[id, default: 0] += 1
        defer { gatherers[id] = gatherers[id].flatMap { $0 > 1 ? $0 - 1 : nil } }
        var (welcome, hurried) = (Set<PeerID>(), Set<PeerID>())
        for peer in try set(id).sharers where await mayExchange(with: peer) { welcome.insert(peer) }
        while true {
            let (set, now) = (try set(id), ContinuousClock.Instant.current)
            let expected = welcome.filter { isExpected($0, in: set, at: now) }.sorted()
            guard !expected.isEmpty, now < end else { return expected }
            let ends = expected.compactMap { expectation(of: $0) }.filter { $0 > now } + [end]
            for peer in expected where hurried.insert(peer).inserted { hurry(peer) }
            try await untilArrival(by: ends.min() ?? end)
        }
    }

    /// Somebody has come or gone, or is being dialled no more.
    func noteArrival() {
        for turn in arrivals { turn.resume(with: .success(())) }
    }

    /// Whether somebody waits for a peer.
    func isAwaited(_ peer: PeerID) -> Bool { gatherers.keys.contains { sets[$0]?.sharers.contains(peer) == true } }

    /// Has a peer dialled now, whatever is waited for and whoever would do it else.
    func hurry(_ peer: PeerID) {
        if isInSession(with: peer) {
            node.hurriesBack(to: peer)
        } else if let dial = dialling[peer] {
            dial.hurry()
        } else {
            look(for: peer, after: .zero)
        }
    }

    private func untilArrival(by deadline: ContinuousClock.Instant) async throws {
        let turn = Resumption<Void>()
        arrivals.append(turn)
        let timer = Engine.schedule(at: deadline) { turn.resume(with: .success(())) }
        defer {
            timer.cancel()
            arrivals.removeAll { $0 === turn }
        }
        try await turn.valueUnlessCancelled()
    }

    private func isExpected(_ peer: PeerID, in set: KeptSet, at now: ContinuousClock.Instant) -> Bool {
        guard set.sharers.contains(peer), set.sessions[peer] == nil, !set.peers.stopped.contains(peer),
            !barred.contains(peer)
        else { return false }
        let isDialled = !isInSession(with: peer) && dialling[peer]?.isHopeful == true
        return isDialled || expectation(of: peer).map { now < $0 } == true
    }

    /// Until when a peer is expected that nobody dials; nil where it has gone. An attempt that has failed says little before that: the peer may be
    /// about to start as well, or be found at another address, or the network be not up yet.
    private func expectation(of peer: PeerID) -> ContinuousClock.Instant? {
        guard let there = peers[peer], !there.isEnding else {
            return met.contains(peer) ? nil : awakeSince + bounds.arrival
        }
        // It has yet to say that it has the set; or its connection to come back.
        return there.expectedSince.map { $0 + (there.isThere ? bounds.firstOffer : bounds.arrival) }
    }
}
