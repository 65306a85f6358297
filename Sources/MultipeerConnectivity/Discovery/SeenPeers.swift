import LinuxPlatform
import Session
import Vocabulary

/// The visible peers by key: a peer is listed once, even with several names and services. This peer itself is not
/// listed.
@Engine
final class SeenPeers {
    /// A change of the visible peers.
    enum Change: Sendable {
        case found(MCPeerID, [String: String]?)
        case lost(MCPeerID)
        case blind(String)
    }

    private let own: PeerID
    private let tell: @Sendable (Change) -> Void
    private var services: [String: Service] = [:]
    private var sightings = 0

    private struct Service {
        let record: PeerRecord
        let addresses: [SocketAddress]
        let number: Int
    }

    private var peers: [PeerID: MCPeerID] = [:]

    nonisolated init(own: PeerID, _ tell: @escaping @Sendable (Change) -> Void) {
        self.own = own
        self.tell = tell
    }

    func take(_ sighting: Sighting, _ node: Node) {
        switch sighting {
        case .there(let seen):
            guard let record = PeerRecord(seen.txt) else { return gone(seen.name) }
            if let before = services[seen.name], before.record.id != record.id { gone(seen.name) }
            guard record.id != own else { return }
            sightings += 1
            let number = services[seen.name]?.number ?? sightings
            services[seen.name] = Service(record: record, addresses: seen.addresses, number: number)
            // Any host can claim to be that peer; only its key proves it. The first claim is tried first.
            let claims = services.values.filter { $0.record.id == record.id }.sorted { $0.number < $1.number }
            node.learn(claims: claims.map(\.addresses), of: record.id)
            guard peers[record.id] == nil else { return }
            let peer = MCPeerID(record.id, displayName: record.displayName)
            peers[record.id] = peer
            tell(.found(peer, record.info.isEmpty ? nil : record.info))
        case .gone(let name): gone(name)
        case .blind(let why): tell(.blind(why))
        }
    }

    private func gone(_ name: String) {
        guard let record = services.removeValue(forKey: name)?.record else { return }
        guard !services.values.contains(where: { $0.record.id == record.id }),
            let peer = peers.removeValue(forKey: record.id)
        else { return }
        tell(.lost(peer))
    }
}
