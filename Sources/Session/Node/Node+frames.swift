import Ledger
import LinuxPlatform
import SessionRules
import Vocabulary
import Wire

extension Node {
    /// Does what a frame asks for. What it throws is the peer's fault and ends the link.
    ///
    /// A machine that is no member gets no answer beyond those to pings and the receipt of an invitation, so that it can't tell a block
    /// from an empty room.
    func take(_ frame: ControlFrame, from link: Link) throws {
        switch frame {
        case .hello: throw ProtocolViolation("link.second-hello", "the peer said hello twice")
        case .bye(let reason): link.wasEnded(because: reason)
        case .ping(let number): link.send(.pong(number))
        case .pong(let number): link.wasAnswered(number)
        case .invite(let invite): take(invite, from: link)
        case .inviteReceived(let receipt): try sentInvitations[receipt.invitation]?.take(receipt, from: link)
        case .pairShare(let share): try sentInvitations[share.invitation]?.take(share, from: link)
        case .pairReply(let reply): try receivedInvitations[reply.invitation]?.take(reply, from: link)
        case .pairConfirm(let confirm): try sentInvitations[confirm.invitation]?.take(confirm, from: link)
        case .inviteAnswer(let answer): try sentInvitations[answer.invitation]?.take(answer, from: link)
        case .inviteCancel(let cancel): try take(cancel, from: link)
        case .members(let members): try take(members, from: link)
        case .leave(let leave): take(leave, from: link)
        case .about(let about): take(about, from: link)
        case .message(let message): try sender(message.session, link)?.take(message)
        case .messagePart(let part): try sender(part.session, link)?.take(part)
        case .messageAck(let ack): try member(ack.session, link)?.outgoing.acknowledge(ack.consumed)
        case .resume(let resume): try take(resume, from: link)
        case .laneRequest(let lane): lanes[link.peer]?.wasAskedFor(lane)
        case .resourceOffer(let offer): take(offer, from: link)
        case .resourceAnswer(let answer): try outgoing[answer.transfer]?.take(answer, from: link)
        case .transferCancel(let cancel): takeCancel(cancel, from: link)
        }
    }

    func member(_ session: SessionID, _ link: Link) -> Member? {
        members[MemberKey(peer: link.peer, session: session)]
    }

    /// The member that sends a message. One that may not is told so, and is out.
    private func sender(_ session: SessionID, _ link: Link) -> Member? {
        guard let member = member(session, link) else { return nil }
        guard member.permissions.contains(.messages) else {
            note("message-refused", about: link.peer, [.init("reason", PartingReason.notPermitted.word)])
            link.send(.leave(.init(session: session, reason: .notPermitted)))
            drop(member, because: .notPermitted)
            return nil
        }
        return member
    }

    // MARK: Sessions

    private func take(_ resume: ControlFrame.Resume, from link: Link) throws {
        guard let member = member(resume.session, link) else { return refuse(resume.session, link) }
        let wasAway = !member.isConnected
        try member.take(resume)
        if wasAway { member.session.isBack(member) }
        for transfer in outgoing.values where transfer.member === member { transfer.linkCameBack(link) }
        for transfer in incoming.values where transfer.member === member { transfer.linkCameBack() }
    }

    /// Whoever believes to be in a session with this machine is told that it is not, for instance after a restart. Everybody
    /// is: a blocked friend that heard nothing here would know that it is blocked.
    private func refuse(_ session: SessionID, _ link: Link) {
        link.send(.leave(.init(session: session, reason: .lost)))
    }

    private func take(_ leave: ControlFrame.Leave, from link: Link) {
        guard let member = member(leave.session, link) else {
            receivedInvitations.values.first { $0.link === link && $0.wireSession == leave.session }?
                .wasTakenBack(leave.reason)
            return
        }
        let session = member.session
        let invitesAgain = leave.reason == .lost && member.wasInvitedHere && session.configuration.invitesAgain
        guard invitesAgain, session.mayInviteAgain(link.peer, inRun: link.hello.runToken) else {
            return drop(member, because: leave.reason)
        }
        inviteAgain(member, into: session)
    }

    /// The peer's program was started anew and has forgotten the session. What was on its way to it goes there again.
    private func inviteAgain(_ member: Member, into session: Session) {
        let waiting = outgoing.values.filter { $0.member === member && $0.mayBeOfferedAgain }
        for transfer in waiting { transfer.awaitsNewMember = true }
        forget(member, because: .lost)
        session.forget(member)
        crew.add {
            do {
                try await self.invite(.peer(member.peer), to: session)
                guard let again = session.members[member.peer] else { throw SessionError(.lost) }
                for transfer in waiting { transfer.offerAgain(to: again) }
            } catch {
                session.remove(member, because: PartingReason(of: error))
                for transfer in waiting { transfer.newMemberDidNotCome(.lost) }
            }
        }
    }
}
