import Synchronization
import Vocabulary

/// The members of a session in the order in which they joined, readable from any thread.
final class PeerRoster: Sendable {
    struct Entry {
        let peer: MCPeerID
        var state: MCSessionState
        /// Queue of outgoing messages, also during a reconnection; nil before it joined.
        var sendQueue: SendQueue?
    }

    private let entries = Mutex<[Entry]>([])

    var connected: [MCPeerID] {
        entries.withLock { entries in entries.filter { $0.state == .connected }.map(\.peer) }
    }

    func entry(_ peer: MCPeerID) -> Entry? {
        entries.withLock { entries in entries.first { $0.peer.id == peer.id } }
    }

    func set(_ entry: Entry) {
        entries.withLock { entries in
            guard let place = entries.firstIndex(where: { $0.peer.id == entry.peer.id }) else {
                return entries.append(entry)
            }
            entries[place] = entry
        }
    }

    func remove(_ peer: MCPeerID) {
        entries.withLock { entries in entries.removeAll { $0.peer.id == peer.id } }
    }
}
