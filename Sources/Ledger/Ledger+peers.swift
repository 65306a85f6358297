import Database
import SaveRules
public import Vocabulary

extension Ledger {
    /// What is known about a peer; nil where nothing is.
    ///
    /// - Throws: ``LedgerError`` also where its entry can't be understood. Nothing may be let in then: it could be blocked.
    public func peer(_ id: PeerID) throws(LedgerError) -> KnownPeer? {
        try database.row("SELECT * FROM peers WHERE id = ?", SQLValue(id), read: KnownPeer.init)
    }

    /// Everybody, in the order of names.
    public func peers() throws(LedgerError) -> Listed<KnownPeer> {
        try database.rows("SELECT * FROM peers ORDER BY name, id", read: KnownPeer.init)
    }

    /// Everybody who was last heard under a name, whatever the case of its letters: a pinned one among them with another key
    /// than the one that uses the name now is what to warn of.
    public func keysFor(name: InstanceName) throws(LedgerError) -> Listed<KnownPeer> {
        try database.rows("SELECT * FROM peers WHERE name = ? ORDER BY id", SQLValue(name), read: KnownPeer.init)
    }

    /// Whom a person meant who typed a name or the beginning of an id. The whole id always means that peer, also where
    /// another one calls itself by it.
    public func find(_ typed: String) throws(LedgerError) -> PeerMatch {
        if let id = try? PeerID(typed) { return PeerMatch(try peer(id).map { [$0] } ?? []) }
        let prefix = typed.lowercased().filter { $0 != "-" }
        let isPrefix = !prefix.isEmpty && prefix.utf8.allSatisfy { Self.idLetters.contains($0) }
        // “{” comes right after “z”. Without a prefix the range is empty.
        let found = try database.rows(
            "SELECT * FROM peers WHERE name = ? OR (id >= ? AND id < ?) ORDER BY name, id LIMIT 20",
            .text(typed),
            .text(isPrefix ? prefix : "{"),
            .text(isPrefix ? prefix + "{" : "{"),
            read: KnownPeer.init
        )
        // “Nobody” would be wrong where there is somebody whose entry can't be understood.
        if found.values.isEmpty, found.unreadable > 0 { throw LedgerError(UnreadableValue(column: "peers")) }
        return PeerMatch(Self.meant(by: typed, among: found.values))
    }

    /// Whoever was let in once keeps its name, whatever strangers call themselves who were blocked.
    private static func meant(by typed: String, among found: [KnownPeer]) -> [KnownPeer] {
        let pinned = found.filter(\.isPinned)
        let isName = found.allSatisfy { $0.name?.text.lowercased() == typed.lowercased() }
        return isName && pinned.count == 1 ? pinned : found
    }

    private static let idLetters = Set("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// Lets a key in for good: whoever has it is this peer from now on.
    ///
    /// - Parameters:
    ///   - permissions: what it may do; nil leaves what was there, everything for a new one
    ///   - note: how it was let in; nil leaves what was there
    public func pin(
        _ id: PeerID,
        name: InstanceName? = nil,
        permissions: Permissions? = nil,
        note: Label? = nil,
        at time: WallTime = .now
    ) throws(LedgerError) {
        try change(id, name: name) { peer in
            peer.pinnedSince = peer.pinnedSince ?? time
            peer.permissions = permissions ?? peer.permissions
            peer.note = note ?? peer.note
        }
    }

    /// Takes the pin away; the policy and the rest stay.
    public func unpin(_ id: PeerID) throws(LedgerError) {
        try write(.promised, isCopied: true) { database throws(LedgerError) in
            try database.run("UPDATE peers SET pinned_since = NULL WHERE id = ?", SQLValue(id))
        }
    }

    /// Says what becomes of a peer's invitations; nil for the default. A block keeps the policy from before.
    public func setPolicy(_ policy: Policy?, for id: PeerID, name: InstanceName? = nil) throws(LedgerError) {
        try change(id, name: name) { peer in
            if policy != .block { peer.policyBeforeBlock = nil }
            if policy == .block, peer.policy != .block { peer.policyBeforeBlock = peer.policy }
            peer.policy = policy
        }
    }

    /// Gives a blocked peer the policy that it had before, nil for the default, and returns that.
    public func unblock(_ id: PeerID) throws(LedgerError) -> Policy? {
        let policy = try peer(id)?.policyBeforeBlock
        try setPolicy(policy, for: id)
        return policy
    }

    /// Says what a peer may do.
    public func setPermissions(_ permissions: Permissions, for id: PeerID) throws(LedgerError) {
        try change(id, name: nil) { $0.permissions = permissions }
    }

    /// Notes that a peer was there. Only known ones are noted, so that strangers can't fill the ledger; answers whether it is.
    @discardableResult
    public func saw(
        _ id: PeerID,
        as name: InstanceName? = nil,
        at address: HostAndPort? = nil,
        time: WallTime = .now
    ) throws(LedgerError) -> Bool {
        try write(.casual) { database throws(LedgerError) in
            guard var peer = try self.peer(id) else { return false }
            peer.name = name ?? peer.name
            peer.lastSeen = time
            if let address {
                peer.addresses = [address] + peer.addresses.filter { $0 != address }.prefix(KnownPeer.addressLimit - 1)
            }
            try put(peer)
            return true
        }
    }

    /// Removes everything known about a peer. Its wrong codes stay counted and what it sent stays in the inbox. Answers
    /// whether there was anything.
    @discardableResult
    public func forget(_ id: PeerID) throws(LedgerError) -> Bool {
        try write(.promised, isCopied: true) { database throws(LedgerError) in
            // Whoever is met anew under the same key has part in nothing until it is let have it again.
            for statement: StaticString in [
                "DELETE FROM save_sharers WHERE peer = ?", "DELETE FROM save_offers WHERE peer = ?",
            ] {
                try database.run(statement, SQLValue(id))
            }
            try forgetAsFellow(id)
            let before = database.changeCount
            try database.run("DELETE FROM peers WHERE id = ?", SQLValue(id))
            return database.changeCount != before
        }
    }

    /// Nor has it part in what was left here, once that is joined again.
    private func forgetAsFellow(_ id: PeerID) throws(LedgerError) {
        for offered in try offeredSets().values where offered.offer.fellows.contains(id) {
            let offer = offered.offer.without(fellow: id)
            try database.run(
                "UPDATE save_offers SET offer = ? WHERE peer = ? AND save_set = ?",
                .bytes(SaveMessage.offer(offer).encoded),
                SQLValue(offered.peer),
                SQLValue(offer.set)
            )
        }
    }

    private func change(
        _ id: PeerID,
        name: InstanceName?,
        _ change: (inout KnownPeer) -> Void
    ) throws(LedgerError) {
        try write(.promised, isCopied: true) { database throws(LedgerError) in
            var peer = try self.peer(id) ?? KnownPeer(id: id)
            peer.name = name ?? peer.name
            change(&peer)
            try put(peer)
        }
    }

    private func put(_ peer: KnownPeer) throws(LedgerError) {
        try database.run(
            """
            INSERT INTO peers (id, name, pinned_since, policy, policy_before_block, permissions, last_seen, addresses, note)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, pinned_since = excluded.pinned_since,
                policy = excluded.policy, policy_before_block = excluded.policy_before_block, permissions = excluded.permissions, last_seen = excluded.last_seen,
                addresses = excluded.addresses, note = excluded.note
            """,
            SQLValue(peer.id),
            SQLValue(peer.name),
            SQLValue(peer.pinnedSince),
            SQLValue(peer.policy),
            SQLValue(peer.policyBeforeBlock),
            .integer(Int64(peer.permissions.rawValue)),
            SQLValue(peer.lastSeen),
            peer.addressColumn,
            SQLValue(peer.note)
        )
    }
}
