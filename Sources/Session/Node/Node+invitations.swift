import LinuxPlatform
public import SessionRules
public import Vocabulary
import Wire

extension Node: MeshOwner {
    /// The destination of an invitation.
    public enum Target: Hashable, Sendable {
        /// A peer, at any address.
        case peer(PeerID)
        /// The machine at an address.
        case address(HostAndPort)
    }

    /// Invites a peer into a session, and returns when it is in.
    ///
    /// If the two machines are not paired, ``NodeEvent/code(_:_:_:_:)`` arrives on this machine, and the user types
    /// that code at the peer.
    ///
    /// - Parameters:
    ///   - context: up to 32 KiB for the program at the peer
    ///   - patience: the time for the user there, without the time to make the link (default: enough to type a code if
    ///     one is needed)
    ///   - takesKey: true if the user trusts the peer's key without a code; only for a target that names the key
    /// - Returns: the peer
    /// - Throws: ``SessionError`` with the reason
    @discardableResult
    public func invite(
        _ target: Target,
        to session: Session,
        context: [UInt8] = [],
        patience: Duration? = nil,
        takesKey: Bool = false
    ) async throws -> PeerID {
        guard context.count <= WireLimits.context else {
            throw SessionError(
                "session.context-too-large",
                "the context has more than 32 KiB",
                nextStep: "send it as a message"
            )
        }
        let target: DialTarget =
            switch target {
            case .peer(let peer): .peer(peer)
            case .address(let address): .address(address)
            }
        let intended = IntendedInvitation(target, to: session, for: InvitationPurpose(of: context))
        intendedInvitations.append(intended)
        defer { drop(intended) }
        let link = try await dialler.link(to: target)
        intended.setPeer(link.peer)
        try await peer(link.peer).invitations.invite(
            .init(
                intended: intended,
                context: context,
                patience: patience,
                takesKey: takesKey && target == .peer(link.peer)
            )
        )
        return link.peer
    }

    func invite(_ peer: PeerID, to session: Session) async throws { try await invite(.peer(peer), to: session) }

    func drop(_ intended: IntendedInvitation) {
        intended.close()
        intendedInvitations.removeAll { $0 === intended }
    }

    /// The session of an invitation of this machine; nil once the invitation is over.
    public func session(of invitation: InvitationID) -> Session? { sentInvitation(invitation)?.session }

    /// Withdraws an invitation.
    public func withdraw(_ invitation: InvitationID) { sentInvitation(invitation)?.withdraw() }

    /// Withdraws all invitations into a session that have no result yet.
    public func withdrawAll(for session: Session) {
        for peer in peers.values { peer.invitations.withdrawSent(for: session) }
    }

    private func sentInvitation(_ id: InvitationID) -> SentInvitation? {
        peers.values.lazy.compactMap { $0.invitations.sent[id] }.first
    }

    func receivedInvitation(_ id: InvitationID) -> IncomingRequest? {
        peers.values.lazy.compactMap { $0.invitations.received[id] }.first
    }

    /// The answer of the user to an invitation.
    public enum Answer: Hashable, Sendable {
        /// Accepts the invitation; to pair, with the code that the inviter shows, or nil if the user trusts its key
        /// without a code.
        case accept(typed: PairingCode?)
        case decline
        /// Declines the invitation, and blocks the peer.
        case block
    }

    /// Answers an invitation that waits for the user. Does nothing if the invitation is over already.
    public func answer(_ invitation: InvitationID, _ answer: Answer) async throws {
        guard let request = receivedInvitation(invitation), !request.isSilent else { return }
        switch answer {
        case .accept(let typed): try request.accept(typed)
        case .decline:
            note("declined-by-user", about: request.peer)
            request.decline()
        case .block: try await block(request.peer, named: request.link.hello.name)
        }
    }

    /// Ends an invitation without a question to the user. A paired machine learns that it has no permission, so that
    /// its user can see why nothing syncs. A machine that is not paired learns nothing: it can't distinguish this from
    /// a block, or from a user who does not answer.
    public func declineUnasked(_ invitation: InvitationID) {
        let request = receivedInvitation(invitation)
        context.writer.write { try await $0.removeInvitation(invitation) }
        if let request, request.isOfPaired { request.decline(.notPermitted) }
    }
}
