import LinuxPlatform
import Discovery
import Ledger
import Session
import Vocabulary

/// The machines whose names the user may mistake for another's: this one, the known ones and the seen ones.
@Engine
struct SimilarNames {
    let node: Node

    /// The same peer, with a mark if its name can be mistaken for that of one of these machines.
    func mark(_ peer: PeerTag) async -> PeerTag {
        let known = (try? await node.ledger.peers().values) ?? []
        let remembered = known.filter { $0.isPinned || $0.policy != nil }.map { PeerTag($0.id, $0.name) }
        let seen: [PeerTag] = await node.foundPeers().compactMap { found, id in
            guard let id, case .advertised(let name) = found.origin else { return nil }
            return PeerTag(id, name)
        }
        return peer.marked(among: [PeerTag(node.id, node.configuration.name)] + remembered + seen)
    }
}
