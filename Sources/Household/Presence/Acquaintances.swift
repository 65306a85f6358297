package import Ledger
import Vocabulary

/// Finds whom a person means among those that this machine has heard of.
package struct Acquaintances {
    private let ledger: Ledger

    package init(_ ledger: Ledger) {
        self.ledger = ledger
    }

    /// A known peer, or one that waits to be let in. A whole id counts even if nobody has been seen with it.
    package func find(_ typed: String) async throws -> PeerTag {
        switch try await ledger.find(typed) {
        case .one(let known): return PeerTag(known.id, known.name)
        case .several(let known): throw HouseholdError.ambiguousPeer(typed, known.map(\.id))
        case .none: break
        }
        if let waiting = try await invitation(from: typed) { return PeerTag(waiting.peer, waiting.name) }
        if let id = try? PeerID(typed) { return PeerTag(id, nil) }
        throw HouseholdError.neverMet(typed)
    }

    /// The newest invitation from that peer that waits for a person.
    package func invitation(from typed: String) async throws -> WaitingInvitation? {
        let meant = try await ledger.waitingInvitations().values.filter { waiting in
            PeerWords.mean(typed, name: waiting.name?.text ?? "", id: waiting.peer)
        }
        let peers = Set(meant.map(\.peer))
        guard peers.count < 2 else { throw HouseholdError.ambiguousPeer(typed, peers.sorted()) }
        return meant.last
    }
}
