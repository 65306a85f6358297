import Ledger
import LinuxPlatform
import SessionRules
import Vocabulary
import Wire

extension Peer {
    /// Handles a frame. An error is the peer's fault, and ends the link.
    ///
    /// A machine that is no member gets no frames except pongs and the receipt of an invitation. So it can't
    /// distinguish a block from a machine without sessions.
    func take(_ frame: ControlFrame, from link: Link) throws {
        switch frame {
        case .hello: throw ProtocolViolation("link.second-hello", "the peer said hello twice")
        case .bye(let reason): link.cut(because: reason)
        case .ping(let number): link.send(.pong(number))
        case .pong(let number): link.takeAnswer(to: number)
        case .invite(let invite): invitations.take(invite, from: link)
        case .inviteReceived(let receipt): try invitations.sent[receipt.invitation]?.take(receipt, from: link)
        case .pairShare(let share): try invitations.sent[share.invitation]?.take(share, from: link)
        case .pairReply(let reply): try invitations.received[reply.invitation]?.take(reply, from: link)
        case .pairConfirm(let confirm): try invitations.sent[confirm.invitation]?.take(confirm, from: link)
        case .inviteAnswer(let answer): try invitations.sent[answer.invitation]?.take(answer, from: link)
        case .inviteCancel(let cancel): try invitations.take(cancel, from: link)
        case .members(let members): try take(members, from: link)
        case .leave(let leave): take(leave, from: link)
        case .about(let about): take(about, from: link)
        case .message(let message): try sender(message.session, link)?.take(message)
        case .messagePart(let part): try sender(part.session, link)?.take(part)
        case .messageAck(let ack): try memberships[ack.session]?.member.outgoing.acknowledge(ack.consumed)
        case .resume(let resume): try take(resume, from: link)
        case .channelRequest(let request): take(request)
        case .resourceOffer(let offer): take(offer, from: link)
        case .resourceAnswer(let answer): try transfers.outgoing[answer.transfer]?.take(answer)
        case .transferCancel(let cancel): transfers.take(cancel)
        }
    }

    /// The member that sends a message. A member without permission learns that, and is removed from the session.
    private func sender(_ session: SessionID, _ link: Link) -> Member? {
        guard let member = memberships[session]?.member else { return nil }
        guard member.permissions.contains(.messages) else {
            context.writer.note("message-refused", about: id, [.init("reason", PartingReason.notPermitted.word)])
            link.send(.leave(.init(session: session, reason: .notPermitted)))
            drop(member, because: .notPermitted)
            return nil
        }
        return member
    }

    // MARK: Sessions

    private func take(_ resume: ControlFrame.Resume, from link: Link) throws {
        if memberships[resume.session] == nil, let request = invitations.request(for: resume.session, over: link) {
            return try take(resume, inPlaceOfWelcomeTo: request, from: link)
        }
        guard let membership = memberships[resume.session] else {
            // A peer that believes to be in a session learns that it is not, for instance after a restart of this
            // machine. Each such peer does: a blocked machine without an answer would know that it is blocked.
            return link.send(.leave(.init(session: resume.session, reason: .lost)))
        }
        let wasAway = !membership.member.isConnected
        try membership.member.take(resume)
        if wasAway { membership.session.noteReturn(of: membership.member) }
        membership.session.listOthers(for: membership.member)
        transfers.handleNewLink(of: membership.member)
    }

    /// Joins a session whose inviter already counts this machine as a member: its welcome was lost with a link.
    private func take(
        _ resume: ControlFrame.Resume,
        inPlaceOfWelcomeTo request: IncomingRequest,
        from link: Link
    ) throws {
        guard resume.received == 0 else {
            throw ProtocolViolation("invitation.unexpected-resume", "the peer has messages that were never sent")
        }
        try request.takeWelcome()
        link.send(.resume(.init(session: resume.session, received: 0)))
    }

    private func take(_ leave: ControlFrame.Leave, from link: Link) {
        guard let membership = memberships[leave.session] else {
            invitations.request(for: leave.session, over: link)?.end(because: leave.reason)
            return
        }
        let (member, session) = (membership.member, membership.session)
        let invitesAgain = leave.reason == .lost && member.wasInvitedHere && session.configuration.invitesAgain
        guard invitesAgain, session.canInviteAgain(id, inRun: link.hello.runToken) else {
            return drop(member, because: leave.reason)
        }
        inviteAgain(member, into: session)
    }

    /// Takes the list of members, from the peer that invited this machine or from another member of a mesh.
    private func take(_ members: ControlFrame.Members, from link: Link) throws {
        try invitations.request(for: members.session, over: link)?.takeWelcome()
        guard let membership = memberships[members.session] else { return }
        host.mesh.take(members, of: membership.session, from: link)
    }

    private func take(_ offer: ControlFrame.ResourceOffer, from link: Link) {
        guard let membership = memberships[offer.session] else { return }
        if let known = transfers.incoming[offer.transfer] {
            do { try known.takeSecondOffer() } catch { link.part(because: .brokeProtocol) }
            return
        }
        // A resource that starts now would delay the end and then be cut. Without an answer, the sender offers it again
        // when this machine is online again.
        guard !context.isStopping else { return }
        let (member, session) = (membership.member, membership.session)
        let isPermitted = member.permissions.contains(.resources)
        guard isPermitted, session.hasRoomForMore, let resource = transfers.add(offer, for: member) else {
            let reason: PartingReason = isPermitted ? .full : .notPermitted
            context.writer.note("offer-refused", about: id, [.init("reason", reason.word)])
            return link.send(.resourceAnswer(.init(transfer: offer.transfer, verdict: .refused(reason), message: "")))
        }
        session.deliver(.resource(resource))
    }
}
