import Foundation
import MultipeerConnectivity
import Vocabulary

/// Stores the player's peer between runs, as apps on Apple's systems do: an archived peer, replaced when the name
/// changes.
struct KeptPeer {
    let folder: GameFolder

    func peer(named name: String) throws -> MCPeerID {
        if let bytes = try folder.read(Self.file),
            let peer = try? MCObjects.unarchive(MCPeerID.self, from: Data(bytes)), peer.displayName == name, peer.isOwn
        {
            return peer
        }
        let peer = MCPeerID(displayName: name)
        _ = try folder.write(Array(MCObjects.archive(peer)), to: Self.file)
        return peer
    }

    private static let file = GameFolder.name("peer.archive")
}
