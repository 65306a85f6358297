import Diagnosis
import Discovery
import Ledger
import LinuxPlatform
import Vocabulary

/// The facts about one other machine: from the ledger, from the network, and from a trial connection.
struct PeerLook: Sendable {
    private(set) var facts: PeerFacts
    private(set) var addresses: [SocketAddress]
    /// The address at which the machine accepted a connection.
    private(set) var answeredAt: SocketAddress?

    private static let mostAddresses = 4

    /// Returns all machines that the ledger or the network knows, sorted by ID.
    static func joined(_ kept: KeptLook, _ seen: NetworkLook, own: PeerID?, _ interfaces: InterfaceLook) async
        -> [PeerLook]
    {
        var all: [PeerID: PeerLook] = [:]
        for known in kept.peers { all[known.id] = PeerLook(known, kept.common) }
        for (id, name) in kept.waiting {
            all[id, default: PeerLook(id, name, kept.common)].facts.waits = true
        }
        for (id, peer) in seen.peers.sorted(by: { $0.key < $1.key }) where id != own {
            all[id, default: PeerLook(id, nil, kept.common)].add(peer)
        }
        return await withTaskGroup(of: PeerLook.self) { group in
            for var look in all.values {
                look.facts.isCutOff = interfaces.facts.isCutOff
                look.facts.isBlind = !seen.isThere
                group.addTask { [look] in await look.dialled(over: interfaces) }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.facts.id < $1.facts.id }
        }
    }

    private init(_ id: PeerID, _ name: InstanceName?, _ common: Policy) {
        facts = PeerFacts(id, name)
        facts.policy = common
        addresses = []
    }

    private init(_ known: KnownPeer, _ common: Policy) {
        self.init(known.id, known.name, known.policy ?? common)
        facts.isPinned = known.isPinned
        addresses = KeptLook.addresses(of: known)
    }

    private mutating func add(_ peer: FoundPeer) {
        facts.isSeen = peer.state == .present
        if case .advertised(let name) = peer.origin { facts.name = name }
        // The addresses that the machine advertises now come before earlier ones.
        addresses = peer.addresses + addresses.filter { !peer.addresses.contains($0) }
    }

    private func dialled(over interfaces: InterfaceLook) async -> PeerLook {
        var look = self
        guard !addresses.isEmpty, facts.policy != .block else { return look }
        let outcome = await Dial.best(of: Array(addresses.prefix(Self.mostAddresses)))
        look.facts.connection = outcome.connection
        look.facts.vpn = outcome.own.flatMap { interfaces.vpn(with: $0) }
        // A link-local address is valid on one cable only, so the user can neither type nor compare it.
        look.facts.address = outcome.address.flatMap { $0.address.isLinkLocal ? nil : $0.description }
        look.answeredAt = outcome.connection == .answered ? outcome.address : nil
        return look
    }
}
