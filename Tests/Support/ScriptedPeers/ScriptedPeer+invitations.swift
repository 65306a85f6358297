import Digests
import Session
import SessionRules
public import Vocabulary
public import Wire

// Both sides of an invitation.
extension ScriptedPeer {
    /// An invitation of its own that is bound to a nonce.
    public func invite(
        _ invitation: InvitationID = .random(),
        to session: SessionID = .random(),
        named name: String = "chat",
        nonce: PairingNonce = .zero,
        isCodeNeeded: Bool = true,
        patience: UInt32 = 30_000,
        context: [UInt8] = []
    ) throws -> ControlFrame.Invite {
        let recipe = PairingRecipe(inviter: id, invited: node.id, hash: Digest.sha256)
        return .init(
            invitation: invitation,
            session: session,
            sessionName: try Label(name),
            topology: .mesh,
            isCodeNeeded: isCodeNeeded,
            patienceMilliseconds: patience,
            commitment: recipe.commitment(to: nonce),
            context: context[...]
        )
    }

    /// Invites, and reveals its nonce once the node's has come.
    public func begin(_ invite: ControlFrame.Invite) async throws {
        try await say(.invite(invite))
        _ = try await hear {
            if case .pairNonce(let nonce) = $0, nonce.invitation == invite.invitation { true } else { nil }
        }
        try await say(.pairReveal(.init(invitation: invite.invitation, nonce: .repeating(0))))
    }

    /// Lets itself in where the node accepts it.
    @discardableResult
    public func enter(_ session: SessionID = .random()) async throws -> SessionID {
        try await say(.invite(try invite(to: session, isCodeNeeded: false)))
        let verdict = try await hear { if case .inviteAnswer(let answer) = $0 { answer.verdict } else { nil } }
        guard case .accepted = verdict else { throw Unexpected.frame }
        try await say(.members(.init(session: session, members: [])))
        _ = try await echoes()
        return session
    }

    /// Says yes to the node's next invitation, which needs no code, and waits for the welcome.
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
            .pairNonce(.init(invitation: invite.invitation, nonce: .repeating(1), isCodeNeeded: false)),
            .inviteAnswer(.init(invitation: invite.invitation, verdict: verdict))
        )
    }
}
