package import Ledger
import Vocabulary

/// Finds the machine that the user means, among those that this machine has heard of.
package struct MachineLookup {
    /// The machines that the network shows, under the names that they give themselves.
    package typealias Seen = @Sendable () async -> [PeerTag]

    private let ledger: Ledger

    package init(_ ledger: Ledger) {
        self.ledger = ledger
    }

    /// Finds a known peer, or one that waits for an answer. A whole ID counts even if no machine with it was seen.
    package func find(_ typed: String) async throws -> PeerTag {
        switch try await ledger.find(typed) {
        case .one(let known): return PeerTag(known.id, known.name)
        case .several(let known): throw HouseholdError.ambiguousPeer(typed, known.map(\.id))
        case .none: break
        }
        if let waiting = try await invitation(from: typed) { return PeerTag(waiting.peer, waiting.name) }
        if let id = try? PeerID(typed) { return PeerTag(id, nil) }
        throw HouseholdError.neverMet(typed, near: try await knownNames)
    }

    /// Finds a known peer, one that waits for an answer, or a stranger that is only seen.
    ///
    /// Any machine can announce any name. So a paired machine counts before others of its name. If several others have
    /// the name, none counts.
    package func find(_ typed: String, orSeen seen: Seen) async throws -> NamedPeer {
        let match = try await ledger.find(typed)
        if case .several(let known) = match { throw HouseholdError.ambiguousPeer(typed, known.map(\.id)) }
        if (try? PeerID(typed)) != nil { return NamedPeer(try await find(typed)) }
        var meant: [PeerID: NamedPeer] = [:]
        if case .one(let known) = match {
            meant[known.id] = NamedPeer(PeerTag(known.id, known.name), isPinned: known.isPinned)
            if let pinned = meant[known.id], pinned.isPinned { return pinned }
        }
        if let waiting = try await invitation(from: typed) {
            meant[waiting.peer] = meant[waiting.peer] ?? NamedPeer(PeerTag(waiting.peer, waiting.name))
        }
        let there = await seen()
        for tag in there where PeerWords.mean(typed, name: tag.name?.text ?? "", id: tag.id) {
            guard meant[tag.id] == nil else { continue }
            let known = try await ledger.peer(tag.id)
            let isPinned = known?.isPinned ?? false
            meant[tag.id] = NamedPeer(PeerTag(tag.id, known?.name ?? tag.name), isPinned: isPinned, isProven: false)
        }
        guard meant.count < 2 else { throw HouseholdError.ambiguousPeer(typed, meant.keys.sorted()) }
        if let one = meant.values.first {
            try await requireUnmistakable(typed, one.tag.id, among: there)
            return one
        }
        throw HouseholdError.neverSeen(typed, near: try await knownNames + there.compactMap(\.name))
    }

    private var knownNames: [InstanceName] {
        get async throws { try await ledger.peers().values.compactMap(\.name) }
    }

    /// The newest invitation from that peer that waits for the user.
    package func invitation(from typed: String) async throws -> WaitingInvitation? {
        let all = try await ledger.invitations.waiting().values
        let meant = all.filter { waiting in
            PeerWords.mean(typed, name: waiting.name?.text ?? "", id: waiting.peer)
        }
        let peers = Set(meant.map(\.peer))
        guard peers.count < 2 else { throw HouseholdError.ambiguousPeer(typed, peers.sorted()) }
        if let one = peers.first {
            try await requireUnmistakable(typed, one, among: all.map { PeerTag($0.peer, $0.name) })
        }
        return meant.last
    }

    /// Throws if the user may have mistaken the typed name for that of another machine. A pinned peer is exempt: it is
    /// meant even if another looks like it.
    private func requireUnmistakable(_ typed: String, _ meant: PeerID, among others: [PeerTag]) async throws {
        guard let name = try? InstanceName(typed), !PeerWords.isID(typed, of: meant) else { return }
        let known = try await ledger.peers().values.filter(\.isPinned).map { PeerTag($0.id, $0.name) }
        let alike = (known + others).filter { $0.id != meant && $0.name?.looksLike(name) == true }
        guard alike.isEmpty else { throw HouseholdError.mistakablePeer(typed, [meant] + alike.map(\.id)) }
    }
}
