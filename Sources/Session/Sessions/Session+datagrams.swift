public import Vocabulary
import Wire

extension Session {
    /// What became of a message that may get lost.
    public enum UnreliableOutcome: String, Hashable, Sendable {
        /// It is on its way; whether it arrives nobody says.
        case sent
        /// The network had no room for it at this moment.
        case dropped
        /// Datagrams do not pass between the two machines: send it reliably, or not at all.
        case noPath = "no-path"
        /// It has more than ``Session/unreliableLimit`` bytes: send it reliably.
        case tooLarge = "too-large"
        /// The peer is away.
        case away
    }

    /// How many bytes a message that may get lost can have, so that no network on the way has to cut it.
    public static var unreliableLimit: Int { WireLimits.datagramPayload }

    /// Sends a message that may get lost, come late, or come before an earlier one. It never waits.
    public func sendUnreliably(_ bytes: [UInt8], to peers: [PeerID]? = nil) throws -> [PeerID: UnreliableOutcome] {
        let receivers = try chosen(peers)
        return Dictionary(uniqueKeysWithValues: receivers.map { ($0.peer, outcome(of: bytes, to: $0)) })
    }

    private func outcome(of bytes: [UInt8], to member: Member) -> UnreliableOutcome {
        guard bytes.count <= Self.unreliableLimit else { return .tooLarge }
        guard let link = member.link, member.isConnected else { return .away }
        switch node.datagrams?.send(bytes[...], in: member.wireSession, over: link) {
        case .sent: return .sent
        case .dropped: return .dropped
        case .noPath, nil: return .noPath
        }
    }
}

extension Node {
    /// How many messages that may get lost wait for a slow reader; more are lost.
    private static let unreadLimit = 1024

    func takeDatagrams() async {
        await datagrams?.receive { link, session, bytes in
            guard let member = member(session, link), member.permissions.contains(.messages),
                member.session.events.count < Self.unreadLimit
            else { return }
            member.takeLoose(bytes)
        }
    }
}
