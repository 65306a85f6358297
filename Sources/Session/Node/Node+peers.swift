public import Discovery
public import LinuxPlatform
package import SessionRules
public import Vocabulary

/// Discovery, facts about peers, and the loops and limits of their files.
extension Node {
    /// Tells if this machine and the others on the network can find each other by themselves.
    public var visibility: Visibility { finder.visibility }

    /// The visible peers, with the ids that they claim.
    public func foundPeers() async -> [(peer: FoundPeer, id: PeerID?)] { await finder.peers() }

    /// Checks if the visible peers are still online, and returns after the answers or their time limit.
    ///
    /// Without this call a machine whose cable was cut stays in the list until its announcement expires.
    public func probePeers() async { await finder.probe() }

    /// The address on which a linked peer listens; nil if it takes no connections, or has no link.
    public func address(of peer: PeerID) -> SocketAddress? { peers[peer]?.link?.peerAddress }

    /// True if this machine has a connection to a peer now.
    public func isLinked(to peer: PeerID) -> Bool { peers[peer]?.link?.isOpen == true }

    /// Takes addresses of a peer from a program that has its own way to find the peer. The peer must still prove its
    /// key.
    public func learn(_ addresses: [SocketAddress], of peer: PeerID) { learn(claims: [addresses], of: peer) }

    /// Takes addresses from several machines that claim to be one peer: none can crowd out the addresses of another.
    public func learn(claims: [[SocketAddress]], of peer: PeerID) {
        finder.learn(DialOrder.interleaved(claims), of: peer)
        peers[peer]?.reconnector?.hint()
    }

    /// Takes addresses of a peer from a member of a session with this machine. They replace no other addresses.
    public func learn(_ addresses: [SocketAddress], of peer: PeerID, from member: PeerID) {
        guard peers[member]?.isMember == true else { return }
        finder.add(addresses, of: peer, from: member)
        peers[peer]?.reconnector?.hint()
    }

    func followFinder() {
        finder.found = { [weak self] peer in
            self?.peers[peer]?.reconnector?.hint()
            self?.whenFound(peer)
        }
        finder.sightChanged = { [weak self] in self?.events.reportLink(.machinesChanged) }
        finder.visibilityChanged = { [weak self] in self?.events.report(.visibility($0)) }
    }

    /// The last account of a peer; nil if it has sent none, or is in no session.
    public func account(of peer: PeerID) -> PeerAccount? {
        guard let link = peers[peer]?.link, link.isOfMember else { return formerAccounts[peer] }
        return link.account ?? formerAccounts[peer]
    }

    /// Asks all members for their present time, and waits until they have answered, up to a limit.
    public func refreshAccounts(within limit: Duration = .milliseconds(500)) async {
        let answers = peers.values.compactMap { peer -> Promise<Void>? in
            guard let link = peer.link, link.isOfMember, peer.sendAccount(over: link) else { return nil }
            let answer = Promise<Void>()
            link.askForAnswer { answer.settle(.success(())) }
            return answer
        }
        guard !answers.isEmpty else { return }
        try? await Engine.loop.withDeadline(limit, "peers") {
            for answer in answers { try await answer.value() }
        }
    }

    package func fileLoop() throws(SystemError) -> EventLoop { try context.bulkLoops.next().loop }

    /// Changes the limits of speed, also of running transfers.
    package func limitSpeed(sending: SpeedLimit, receiving: SpeedLimit) {
        context.bulkLoops.speed.sending.change(to: sending)
        context.bulkLoops.speed.receiving.change(to: receiving)
    }
}

extension Node: PeerHost {
    func hasReceivedInvitation(_ id: InvitationID) -> Bool { receivedInvitation(id) != nil }

    func dial(_ peer: PeerID) async throws { _ = try await dialler.link(to: .peer(peer)) }

    func keep(_ account: PeerAccount, of peer: PeerID) { formerAccounts.keep(account, of: peer) }

    func rightsMayChange(of peer: PeerID) {
        events.reportLink(.machinesChanged)
        whenRightsChange(peer)
    }

    func release(_ peer: Peer) { if peers[peer.id] === peer { peers[peer.id] = nil } }
}
