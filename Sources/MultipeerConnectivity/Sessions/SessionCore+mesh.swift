import LinuxPlatform
import Session
import SessionRules
import Vocabulary

/// Introductions of members to each other, so that each connects to all.
extension SessionCore {
    /// The peers that have joined.
    private var joinedPeers: Set<PeerID> { Set(members.filter { $0.value.progress.hasJoined }.keys) }

    /// The peers that have joined or are joining. In a large group that forms, these are nearly all, and need no
    /// introduction over each of their links.
    var knownPeers: Set<PeerID> { Set(members.keys).union(mesh.peers) }

    /// Sends the list of joined peers if some claimed ones have not joined by now. They may have been claimed falsely,
    /// and the peer sent no introduction for that reason.
    func sendMissingPeers(_ claimed: Set<PeerID>, to member: SessionPeer) {
        guard member.progress.hasJoined, !claimed.isSubset(of: joinedPeers) else { return }
        _ = member.sendQueue.put([Packet.bytes(of: Handshake(token, profile, [], known: joinedPeers))])
    }

    /// Introduces a new member to the others, and the others to it, unless they know each other already.
    func introduce(_ newcomer: SessionPeer, to known: Set<PeerID>) {
        Engine.begin {
            guard let node = try? await self.localNode.node() else { return }
            let others = self.members.values.filter {
                $0 !== newcomer && $0.progress.hasJoined && !known.contains($0.peer.id)
            }
            self.tell(newcomer, of: others, node)
            for other in others { self.tell(other, of: [newcomer], node) }
        }
    }

    private func tell(_ member: SessionPeer, of others: [SessionPeer], _ node: Node) {
        let fellows = others.compactMap { other in
            node.address(of: other.peer.id).map { Handshake.Member(other.peer.id, other.peer.displayName, at: $0) }
        }
        guard !fellows.isEmpty else { return }
        _ = member.sendQueue.put([Packet.bytes(of: Handshake(token, profile, fellows))])
    }

    func learn(_ handshake: Handshake, _ member: SessionPeer, _ pair: Session) async {
        if introductions[member.peer.id]?.token != handshake.token { introductions[member.peer.id] = nil }
        guard !handshake.fellows.isEmpty, let node = try? await localNode.node(), member.pair === pair else { return }
        let interface = node.address(of: member.peer.id)?.address.interfaceIndex ?? 0
        for fellow in handshake.fellows {
            guard let id = fellow.id, id != localNode.id, let place = fellow.place(seenOn: interface) else { continue }
            node.learn([place], of: id, from: member.peer.id)
            expect(MCPeerID(id, displayName: fellow.displayName), as: handshake.token, by: member.peer.id)
        }
    }

    /// Lets a peer come with a token, and tries to connect to it, with the same token or another.
    ///
    /// - Parameter teller: the introducing member
    func expect(_ peer: MCPeerID, as token: String, introduction: String? = nil, by teller: PeerID) {
        introductions[teller, default: Introductions(token)].add(peer.id)
        localNode.heardIntroductions()
        if !mesh.contains(peer.id), (members[peer.id]?.state ?? .notConnected) != .notConnected { return }
        // The peer with the smaller ID dials at once and the other after a delay: a firewall between them may pass
        // connections in one direction only.
        let wait = Topology.waitBeforeDialling(from: localNode.id, to: peer.id)
        let word = MeshConnector.Word(expected: token, said: introduction ?? token)
        mesh.begin(peer.id, on: word, of: teller, after: wait) { await self.tryToMeet(peer, as: $0) }
    }

    func expects(_ peer: PeerID, as token: String) -> Bool {
        mesh.expects(peer, as: token)
            || introductions.values.contains { $0.token == token && $0.peers.contains(peer) }
    }

    /// Stops connecting to a peer.
    func stopExpecting(_ peer: PeerID) {
        for teller in introductions.keys { introductions[teller]?.remove(peer) }
        mesh.stop(peer)
        if let member = members[peer], !member.progress.hasJoined {
            change(member, to: .notConnected, because: .withdrawn)
        }
    }

    func tryToMeet(_ peer: MCPeerID, as token: String) async -> MeshConnector.Outcome {
        // The peer may have come by itself by now.
        if let member = members[peer.id] { return member.progress.hasJoined ? .settled : .underWay }
        guard !isFull else { return .settled }
        let member = member(peer)
        member.isSought = true
        change(member, to: .connecting)
        let envelope = Envelope(.introduction, token, profile, context: nil)
        member.isInvited = true
        let attempt = Engine.begin {
            await self.addMember(member, envelope, .seconds(30))
        }
        member.attempt = attempt
        await attempt.value
        if let member = members[peer.id] { return member.progress.hasJoined ? .settled : .begun }
        guard !isFull else { return .settled }
        return member.ending == .unreachable ? .unreachable : .failed
    }
}
