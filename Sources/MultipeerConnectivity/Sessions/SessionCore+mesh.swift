import LinuxPlatform
import Session
import SessionRules
import Vocabulary

/// How members of a session tell each other of the others, so that each meets all.
extension SessionCore {
    /// Who is in.
    private var members: Set<PeerID> { Set(mates.filter { $0.value.isIn }.keys) }

    /// Who is in, or about to be: in a large group that comes together, nearly all, so that they need not be told of once more over each of their links.
    var knownPeers: Set<PeerID> { Set(mates.keys).union(meetings.peers) }

    /// Says who is in where some who were about to be are not by then: they may have been so on a false word, and the mate was silent for it.
    func sayWhoIsMissing(_ claimed: Set<PeerID>, to mate: Mate) {
        guard mate.isIn, !claimed.isSubset(of: members) else { return }
        _ = mate.outbox.put([Parcel.bytes(of: Hello(token, profile, [], known: members))])
    }

    /// Tells a new member of the others, and the others of it, unless they know of each other already.
    func introduce(_ newcomer: Mate, to known: Set<PeerID>) {
        Engine.begin {
            guard let node = try? await self.station.node() else { return }
            let others = self.mates.values.filter { $0 !== newcomer && $0.isIn && !known.contains($0.peer.id) }
            self.tell(newcomer, of: others, node)
            for other in others { self.tell(other, of: [newcomer], node) }
        }
    }

    private func tell(_ mate: Mate, of others: [Mate], _ node: Node) {
        let fellows = others.compactMap { other in
            node.address(of: other.peer.id).map { Hello.Fellow(other.peer.id, other.peer.displayName, at: $0) }
        }
        guard !fellows.isEmpty else { return }
        _ = mate.outbox.put([Parcel.bytes(of: Hello(token, profile, fellows))])
    }

    func learn(_ hello: Hello, _ mate: Mate, _ pair: Session) async {
        if introductions[mate.peer.id]?.token != hello.token { introductions[mate.peer.id] = nil }
        guard !hello.fellows.isEmpty, let node = try? await station.node(), mate.pair === pair else { return }
        let interface = node.address(of: mate.peer.id)?.address.interfaceIndex ?? 0
        for fellow in hello.fellows {
            guard let id = fellow.id, id != station.id, let place = fellow.place(seenOn: interface) else { continue }
            node.wasTold([place], of: id, by: mate.peer.id)
            expect(MCPeerID(id, displayName: fellow.displayName), as: hello.token, by: mate.peer.id)
        }
    }

    /// From now on a peer may come with a token, and this side tries to meet it, with the same one or another.
    ///
    /// - Parameter teller: who says so
    func expect(_ peer: MCPeerID, as token: String, meeting: String? = nil, by teller: PeerID) {
        introductions[teller, default: Introductions(token)].add(peer.id)
        station.heardIntroductions()
        if !meetings.contains(peer.id), (mates[peer.id]?.state ?? .notConnected) != .notConnected { return }
        // Of two the smaller dials at once and the other only after a while, for there may be a firewall in between that lets connections through in one
        // direction only.
        let wait = Topology.waitBeforeDialling(from: station.id, to: peer.id)
        let word = Meetings.Word(expected: token, said: meeting ?? token)
        meetings.meet(peer.id, on: word, of: teller, after: wait) { await self.tryToMeet(peer, as: $0) }
    }

    func expects(_ peer: PeerID, as token: String) -> Bool {
        meetings.expects(peer, as: token)
            || introductions.values.contains { $0.token == token && $0.peers.contains(peer) }
    }

    /// Wants to meet a peer no more.
    func stopExpecting(_ peer: PeerID) {
        for teller in introductions.keys { introductions[teller]?.remove(peer) }
        meetings.stop(peer)
        if let mate = mates[peer], !mate.isIn { change(mate, to: .notConnected, because: .withdrawn) }
    }

    func tryToMeet(_ peer: MCPeerID, as token: String) async -> Meetings.Outcome {
        // By the time it may have come by itself.
        if let mate = mates[peer.id] { return mate.isIn ? .settled : .underWay }
        guard !isFull else { return .settled }
        let mate = mate(peer)
        mate.isSought = true
        change(mate, to: .connecting)
        let envelope = Envelope(.introduction, token, profile, context: nil)
        mate.isInvited = true
        let attempt = Engine.begin {
            await self.bringIn(mate, envelope, .seconds(30))
        }
        mate.attempt = attempt
        await attempt.value
        if let mate = mates[peer.id] { return mate.isIn ? .settled : .begun }
        guard !isFull else { return .settled }
        return mate.ending == .unreachable ? .unreachable : .failed
    }
}
