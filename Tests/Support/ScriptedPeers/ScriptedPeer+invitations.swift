import Session
public import SessionRules
import Transport
public import Vocabulary
public import Wire

// Both sides of an invitation.
extension ScriptedPeer {
    /// An invitation of this peer.
    public func invite(
        _ invitation: InvitationID = .random(),
        to session: SessionID = .random(),
        named name: String = "chat",
        isCodeNeeded: Bool = true,
        patience: UInt32 = 30_000,
        context: [UInt8] = []
    ) throws -> ControlFrame.Invite {
        .init(
            invitation: invitation,
            session: session,
            sessionName: try Label(name),
            topology: .mesh,
            isCodeNeeded: isCodeNeeded,
            patienceMilliseconds: patience,
            context: context[...]
        )
    }

    /// Invites, and waits for the receipt.
    public func begin(_ invite: ControlFrame.Invite) async throws {
        try await say(.invite(invite))
        _ = try await hear {
            if case .inviteReceived(let receipt) = $0, receipt.invitation == invite.invitation { true } else { nil }
        }
    }

    /// Waits until the user at the node has typed a code, and replies with another code.
    ///
    /// - Returns: true if the node's proof is right; nil if it refused this peer's proof
    public func reply(to invitation: InvitationID, showing code: PairingCode) async throws -> Bool? {
        let share = try await hear { frame -> PairingShare? in
            if case .pairShare(let share) = frame, share.invitation == invitation { share.share } else { nil }
        }
        let exchange = PairingExchange(.inviter, in: try setting(invitation, inviter: id, node.id), digits: code.digits)
        let own = exchange.share
        guard let confirmations = exchange.confirmations(for: share) else { throw Unexpected.frame }
        try await say(.pairReply(.init(invitation: invitation, share: own, confirmation: confirmations.own)))
        return try await hear { frame -> Bool?? in
            switch frame {
            case .pairConfirm(let confirm): .some(confirmations.isRight(confirm.confirmation))
            case .inviteAnswer: .some(nil)
            default: nil
            }
        }
    }

    /// Types a code for the node's invitation. Returns true if the node's reply proves the code.
    ///
    /// - Parameter confirms: true to continue with this side's proof
    public func type(_ code: PairingCode, for invitation: InvitationID, confirms: Bool = true) async throws -> Bool {
        let exchange = PairingExchange(.invited, in: try setting(invitation, inviter: node.id, id), digits: code.digits)
        try await say(.pairShare(.init(invitation: invitation, share: exchange.share)))
        let reply = try await hear { frame -> ControlFrame.PairReply? in
            if case .pairReply(let reply) = frame, reply.invitation == invitation { reply } else { nil }
        }
        guard let confirmations = exchange.confirmations(for: reply.share) else { throw Unexpected.frame }
        if confirms {
            try await say(.pairConfirm(.init(invitation: invitation, confirmation: confirmations.own)))
        }
        return confirmations.isRight(reply.confirmation)
    }

    private func setting(
        _ invitation: InvitationID,
        inviter: PeerID,
        _ invited: PeerID
    ) throws -> PairingExchange.Setting {
        let exporter = try channel.exportKey(label: "EXPORTER-huddle-pairing", count: 32)
        return PairingExchange.Setting(invited: invited, inviter: inviter, exporter: exporter, invitation: invitation)
    }

    /// Invites the node, which accepts without a question.
    @discardableResult
    public func enter(_ session: SessionID = .random()) async throws -> SessionID {
        try await say(.invite(try invite(to: session, isCodeNeeded: false)))
        let verdict = try await hear { if case .inviteAnswer(let answer) = $0 { answer.verdict } else { nil } }
        guard case .accepted = verdict else { throw Unexpected.frame }
        try await say(.members(.init(session: session, members: [])))
        _ = try await echoes()
        return session
    }

    /// Accepts the node's next invitation, which needs no code, and waits for the welcome.
    @discardableResult
    public func acceptInvitation() async throws -> ControlFrame.Invite {
        let invite = try await nextInvite()
        try await answer(invite, .accepted)
        _ = try await hear { if case .members = $0 { true } else { nil } }
        return invite
    }

    /// The node's next invitation.
    public func nextInvite() async throws -> ControlFrame.Invite {
        try await hear { if case .invite(let invite) = $0 { invite } else { nil } }
    }

    /// Answers an invitation that needs no code.
    public func answer(_ invite: ControlFrame.Invite, _ verdict: Wire.Verdict) async throws {
        try await say(
            .inviteReceived(.init(invitation: invite.invitation, isCodeNeeded: false)),
            .inviteAnswer(.init(invitation: invite.invitation, verdict: verdict))
        )
    }
}

extension PairingShare {
    /// A valid point of the curve, which proves nothing.
    public static var sample: PairingShare {
        let anyBytes = [UInt8](repeating: 1, count: 32)
        guard let peer = PeerID(bytes: anyBytes), let invitation = InvitationID(bytes: anyBytes.prefix(16)) else {
            preconditionFailure("these lengths are right")
        }
        let setting = PairingExchange.Setting(invited: peer, inviter: peer, exporter: anyBytes, invitation: invitation)
        return PairingExchange(.invited, in: setting, digits: "000000").share
    }
}

extension PairingConfirmation {
    /// A confirmation that proves nothing.
    public static var zero: PairingConfirmation {
        guard let zero = PairingConfirmation(bytes: [UInt8](repeating: 0, count: 32)) else {
            preconditionFailure("a confirmation has 32 bytes")
        }
        return zero
    }
}
