import Ledger
import LinuxPlatform
import SessionRules
import Vocabulary
import Wire

/// How the members of a mesh whom one of them has invited find each other.
extension Node {
    /// How often a fellow member is tried who can't be reached.
    private static let attempts = 6
    /// What it takes to try one.
    private static let meetingByteCount = 4 << 10
    /// How many are dialled at the same time.
    private static let meetingLimit = 64
    /// How long an invitation waits for the word that its sender is a fellow member: the two may come over different links.
    private static let introductionPatience = Duration.seconds(3)

    /// Who is in, as the one that let this machine in tells it, or a fellow member of a mesh.
    func take(_ members: ControlFrame.Members, from link: Link) throws {
        let joining = receivedInvitations.values.first { $0.link === link && $0.wireSession == members.session }
        try joining?.wasWelcomed()
        guard let teller = member(members.session, link), teller.session.configuration.topology == .mesh,
            configuration.acceptsIntroductions
        else { return }
        for other in members.members where other.peer != id {
            guard hasRoomForIntroduction(by: link.peer),
                let share = MemoryShare(Self.meetingByteCount, of: shares.memory(of: link.peer)),
                teller.session.introduce(other.peer, by: link.peer)
            else { continue }
            finder.wasTold(of: other, seenFrom: link)
            crew.add {
                await self.meet(other.peer, in: teller.session)
                withExtendedLifetime(share) {}
            }
        }
    }

    private func hasRoomForIntroduction(by teller: PeerID) -> Bool {
        sessions.values.reduce(0) { $0 + $1.introductionCount(of: teller) } < Session.introductionLimit
    }

    /// Of two the smaller dials at once and the other only after a while, for there may be a firewall in between that lets
    /// connections through in one direction only.
    private func meet(_ peer: PeerID, in session: Session) async {
        var wait = Topology.waitBeforeDialling(from: id, to: peer)
        for _ in 0..<Self.attempts {
            guard (try? await Engine.loop.sleep(for: wait)) != nil else { return }
            guard session.members[peer] == nil, session.isIntroduced(peer), session.isOpen, !isStopping else { return }
            // A connection would show a blocked peer that this machine is there, whoever names it.
            guard (try? await ledger.peer(peer))?.policy != .block else { return }
            // Whoever tells of a thousand peers must not make this one dial a thousand times at once.
            guard shares.meetings < Self.meetingLimit else {
                wait = .seconds(Double.random(in: 0.5...2))
                continue
            }
            shares.meetings += 1
            defer { shares.meetings -= 1 }
            do {
                try await invite(.peer(peer), to: session)
                return
            } catch {
                switch PartingReason(of: error) {
                case .declined, .blocked, .full, .notPermitted, .keyChanged, .wrongVersion, .brokeProtocol, .forgotten:
                    return
                case .timedOut, .unreachable, .left, .shuttingDown, .lost, .wrongCode, .lockedOut, .withdrawn,
                    .replaced:
                    wait = .seconds(Double.random(in: 0.5...2))
                }
            }
        }
    }

    /// Whether a peer that invites into a session of this machine was introduced to it, once there was time for it.
    func isIntroduced(_ peer: PeerID, into wireSession: SessionID) async -> Bool {
        guard configuration.acceptsIntroductions, let session = sessions[wireSession], !isStopping,
            session.configuration.topology == .mesh
        else { return false }
        if let introduction = session.introduced[peer] { return introduction == .counts }
        let told = session.introduction(of: peer)
        let timer = Engine.schedule(at: .now + Self.introductionPatience) { session.expectNoMore(peer, told) }
        defer { timer.cancel() }
        return (try? await told.value()) != nil
    }

    /// Tells a new member who else is there, which is also its welcome; and in a mesh the others of it.
    func welcome(_ member: Member) {
        guard let link = member.link else { return }
        let session = member.session
        let isMesh = session.configuration.topology == .mesh
        let others = isMesh ? session.members.values.filter { $0.peer != member.peer } : []
        for group in others.compactMap(Self.introduction).inGroups(of: WireLimits.members) {
            link.send(.members(.init(session: member.wireSession, members: group)))
        }
        guard isMesh, let newcomer = Self.introduction(of: member) else { return }
        for other in others {
            other.link?.send(.members(.init(session: other.wireSession, members: [newcomer])))
        }
    }

    private static func introduction(of member: Member) -> ControlFrame.Member? {
        guard let link = member.link, let address = link.peerAddress else { return nil }
        return ControlFrame.Member(
            peer: member.peer,
            name: member.name,
            port: address.port,
            addresses: [MemberAddress(bytes: address.address.bytes)].compactMap { $0 }
        )
    }
}

extension Array {
    /// At least one group, if need be an empty one.
    fileprivate func inGroups(of size: Int) -> [[Element]] {
        isEmpty ? [[]] : stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
