import Foundation
import MultipeerConnectivity

/// Keeps who one is from one start of the program to the next, as apps on Apple's systems do: an archived peer, made anew when the name changes.
struct KeptPeer {
    let folder: String

    func peer(named name: String) throws -> MCPeerID {
        let file = URL(fileURLWithPath: folder).appendingPathComponent("peer.archive")
        if let data = try? Data(contentsOf: file), let peer = try? MCObjects.unarchive(MCPeerID.self, from: data),
            peer.displayName == name, peer.isOwn
        {
            return peer
        }
        let peer = MCPeerID(displayName: name)
        try FileManager.default.createDirectory(at: URL(fileURLWithPath: folder), withIntermediateDirectories: true)
        try MCObjects.archive(peer).write(to: file, options: .atomic)
        return peer
    }
}
