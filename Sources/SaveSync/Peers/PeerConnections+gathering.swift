import LinuxPlatform
public import SaveRules
public import Vocabulary

/// The wait for machines that may be online in a moment. A user who is about to play needs what they saved.
extension PeerConnections {
    /// Waits until all machines that share a game and may be online in a moment are online, or are known to stay
    /// offline. They are dialed at once.
    /// - Returns: the machines that may still come, if that takes longer than the limit
    public func gather(_ id: SaveSetID, within limit: Duration) async throws -> [PeerID] {
        let end = ContinuousClock.Instant.current + limit
        gatherers[id, default: 0] += 1
        defer { gatherers[id] = gatherers[id].flatMap { $0 > 1 ? $0 - 1 : nil } }
        var (welcome, hurried) = (Set<PeerID>(), Set<PeerID>())
        for peer in try games.game(id).machine.sharers where await services.rights.mayExchange(with: peer) {
            welcome.insert(peer)
        }
        while true {
            let (set, now) = (try games.game(id), ContinuousClock.Instant.current)
            let expected = welcome.filter { isExpected($0, in: set, at: now) }.sorted()
            guard !expected.isEmpty, now < end else { return expected }
            let ends = expected.compactMap { expectation(of: $0) }.filter { $0 > now } + [end]
            for peer in expected where hurried.insert(peer).inserted { hurry(peer) }
            try await arrivals.wait(until: ends.min() ?? end)
        }
    }

    /// Notes that a machine has come or gone, or is no longer dialed.
    func noteArrival() {
        arrivals.wake()
        games.noteMachines()
    }

    /// Notes that the link to a machine is new, or gone.
    public func linkChanged() { games.noteMachines() }

    /// True if a call waits for a machine.
    func isAwaited(_ peer: PeerID) -> Bool {
        gatherers.keys.contains { (try? games.game($0))?.machine.sharers.contains(peer) == true }
    }

    /// Dials a machine now, even if this one is waiting before the next attempt, or the other one would dial.
    func hurry(_ peer: PeerID) {
        if isInSession(with: peer) {
            services.node.hurriesBack(to: peer)
        } else if let dial = dials[peer] {
            dial.hurry()
        } else {
            connect(to: peer, after: .zero)
        }
    }

    private func isExpected(_ peer: PeerID, in set: SaveSet, at now: ContinuousClock.Instant) -> Bool {
        guard set.machine.sharers.contains(peer), set.sessions[peer] == nil, !set.machine.peers.stopped.contains(peer),
            !services.rights.barred.contains(peer)
        else { return false }
        let isDialed = !isInSession(with: peer) && dials[peer]?.isHopeful == true
        return isDialed || expectation(of: peer).map { now < $0 } == true
    }

    /// Returns the end of the time in which a machine that is not dialed may come; nil if it has gone. Before that end,
    /// a failed attempt says little. The machine may be about to start, or be found at another address. The network may
    /// not be up yet.
    private func expectation(of peer: PeerID) -> ContinuousClock.Instant? {
        guard let there = peers[peer], !there.presence.isEnding else {
            return met.contains(peer) ? nil : awakeSince + services.bounds.patience.arrival
        }
        // The machine is about to offer the game, or its connection comes back.
        return there.presence.expectedSince.map {
            $0 + (there.presence.isHere ? services.bounds.patience.firstOffer : services.bounds.patience.arrival)
        }
    }
}
