import Ledger
import Vocabulary

/// Finds whom a person means among those that this machine has heard of.
struct Acquaintances {
    let ledger: Ledger

    /// A known peer, or one that waits to be let in. A whole id counts even if nobody has been seen with it.
    func find(_ typed: String) async throws -> PeerTag {
        switch try await ledger.find(typed) {
        case .one(let known): return PeerTag(known.id, known.name)
        case .several(let known): throw CommandError.ambiguousPeer(typed, known.map(\.id))
        case .none: break
        }
        if let waiting = try await invitation(from: typed) { return PeerTag(waiting.peer, waiting.name) }
        if let id = try? PeerID(typed) { return PeerTag(id, nil) }
        throw CommandError.unknownPeer(typed)
    }

    /// The newest invitation from that peer that waits for a person.
    func invitation(from typed: String) async throws -> WaitingInvitation? {
        let meant = try await ledger.waitingInvitations().values.filter { waiting in
            PeerWords.mean(typed, name: waiting.name?.text ?? "", id: waiting.peer)
        }
        let peers = Set(meant.map(\.peer))
        guard peers.count < 2 else { throw CommandError.ambiguousPeer(typed, peers.sorted()) }
        return meant.last
    }
}
