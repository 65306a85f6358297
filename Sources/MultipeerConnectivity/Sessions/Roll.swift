import Synchronization
import Vocabulary

/// Who is in a session, as any thread may ask, in the order in which they came.
final class Roll: Sendable {
    struct Entry {
        let peer: MCPeerID
        var state: MCSessionState
        /// Where messages go, also while the peer's connection comes back; nil before it was in.
        var outbox: Outbox?
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
