import LinuxPlatform
import SessionRules
import Vocabulary
import Wire

/// The introductions of a mesh: each member introduces the members that it invites to the others.
extension Session {
    /// The wait of an invitation for the introduction of its sender: the two may arrive over different links.
    private static let introductionPatience = Duration.seconds(3)

    /// True if a member has introduced a peer that invites into this session. Waits a moment for the introduction.
    func awaitIntroduction(of peer: PeerID) async -> Bool {
        guard context.configuration.acceptsIntroductions, !context.isStopping, configuration.topology == .mesh else {
            return false
        }
        if let introduction = introduced[peer] { return introduction == .counts }
        let expected = introduction(of: peer)
        let timer = Engine.schedule(at: .now + Self.introductionPatience) { self.expectNoMore(peer, expected) }
        defer { timer.cancel() }
        return (try? await expected.value()) != nil
    }

    /// Sends a new member its welcome, which lists the other members of a mesh; and introduces it to them.
    func welcome(_ member: Member) {
        let others = others(than: member)
        member.link?.send(Self.lists(of: others, for: member))
        guard !others.isEmpty, let newcomer = Self.introduction(of: member) else { return }
        for other in others {
            other.link?.send(.members(.init(session: other.wireSession, members: [newcomer])))
        }
    }

    /// Lists the other members of a mesh again for a member with a new link: an introduction may have been lost with
    /// the link before.
    func listOthers(for member: Member) {
        let others = others(than: member)
        if !others.isEmpty { member.link?.send(Self.lists(of: others, for: member)) }
    }

    /// The other members that a member connects with.
    private func others(than member: Member) -> [Member] {
        configuration.topology == .mesh ? members.values.filter { $0.peer != member.peer } : []
    }

    private static func lists(of others: [Member], for member: Member) -> [ControlFrame] {
        others.compactMap(introduction).inGroups(of: WireLimits.members).map {
            .members(.init(session: member.wireSession, members: $0))
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
    /// The elements in groups: at least one group, which may be empty.
    fileprivate func inGroups(of size: Int) -> [[Element]] {
        isEmpty ? [[]] : stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
