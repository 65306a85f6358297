public import Vocabulary
import Wire

extension Session {
    /// The outcome of a message that may get lost.
    public enum UnreliableOutcome: String, Hashable, Sendable {
        /// The message is on its way. No confirmation follows.
        case sent
        /// The network had no room for it at this moment.
        case dropped
        /// Datagrams do not pass between the two machines: send it reliably, or not at all.
        case noPath = "no-path"
        /// The message has more than ``Session/unreliableLimit`` bytes: send it reliably.
        case tooLarge = "too-large"
        /// The peer is not connected.
        case away
    }

    /// The greatest size of a message that may get lost, so that no network on the way must split it.
    public static var unreliableLimit: Int { WireLimits.datagramPayload }

    /// Sends a message that may get lost, arrive late, or arrive before an earlier one. It never waits.
    public func sendUnreliably(_ bytes: [UInt8], to peers: [PeerID]? = nil) throws -> [PeerID: UnreliableOutcome] {
        let receivers = try chosen(peers)
        return Dictionary(uniqueKeysWithValues: receivers.map { ($0.peer, outcome(of: bytes, to: $0)) })
    }

    private func outcome(of bytes: [UInt8], to member: Member) -> UnreliableOutcome {
        guard bytes.count <= Self.unreliableLimit else { return .tooLarge }
        guard let link = member.link, member.isConnected else { return .away }
        switch context.datagrams?.send(bytes[...], in: member.wireSession, over: link) {
        case .sent: return .sent
        case .dropped: return .dropped
        case .noPath, nil: return .noPath
        }
    }
}
