import Database
public import Vocabulary

extension Ledger {
    /// Reads a peer; nil if it is unknown.
    ///
    /// - Throws: ``LedgerError`` also if its entry can't be understood. The caller must not accept the peer then: it
    ///   could be blocked.
    public func peer(_ id: PeerID) throws(LedgerError) -> KnownPeer? {
        try database.peer(id)
    }

    /// All known peers, sorted by name.
    public func peers() throws(LedgerError) -> Listed<KnownPeer> {
        try database.rows("SELECT * FROM peers ORDER BY name, id", read: KnownPeer.init)
    }

    /// The peers that last used a name, in upper or lower case. If one of them is pinned and has another key than the
    /// machine that uses the name now, the caller must warn of that.
    public func keysFor(name: InstanceName) throws(LedgerError) -> Listed<KnownPeer> {
        try database.rows("SELECT * FROM peers WHERE name = ? ORDER BY id", SQLValue(name), read: KnownPeer.init)
    }

    /// Finds the peer that the user means by a name or the beginning of an id. A whole id always means that peer, even
    /// if another peer has the id as its name.
    public func find(_ typed: String) throws(LedgerError) -> PeerMatch {
        if let id = try? PeerID(typed) { return PeerMatch(try peer(id).map { [$0] } ?? []) }
        let prefix = typed.lowercased().filter { $0 != "-" }
        let isPrefix = !prefix.isEmpty && prefix.utf8.allSatisfy { Self.idLetters.contains($0) }
        // “{” follows “z”. Without a prefix the range is empty.
        let found = try database.rows(
            "SELECT * FROM peers WHERE name = ? OR (id >= ? AND id < ?) ORDER BY name, id LIMIT 20",
            .text(typed),
            .text(isPrefix ? prefix : "{"),
            .text(isPrefix ? prefix + "{" : "{"),
            read: KnownPeer.init
        )
        // `none` would be wrong if there may be a matching peer whose entry can't be understood.
        if found.values.isEmpty, found.unreadable > 0 { throw LedgerError(UnreadableValue(column: "peers")) }
        return PeerMatch(Self.meant(by: typed, among: found.values))
    }

    /// Chooses the peers that the user means. A paired peer keeps its name, even if blocked machines use the same one.
    private static func meant(by typed: String, among found: [KnownPeer]) -> [KnownPeer] {
        let pinned = found.filter(\.isPinned)
        let isName = found.allSatisfy { $0.name?.text.lowercased() == typed.lowercased() }
        return isName && pinned.count == 1 ? pinned : found
    }

    private static let idLetters = Set("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// Pins a key: the machine with this key is this peer from now on.
    ///
    /// - Parameters:
    ///   - permissions: the actions that are allowed to it; nil keeps the stored ones, or allows everything to a new
    ///     peer
    ///   - note: the way in which it was paired; nil keeps the stored note
    public func pin(
        _ id: PeerID,
        name: InstanceName? = nil,
        permissions: Permissions? = nil,
        note: Label? = nil,
        at time: WallTime = .now
    ) throws(LedgerError) {
        try change(id, name: name, isPairedHere: true) { peer in
            peer.pinnedSince = peer.pinnedSince ?? time
            peer.permissions = permissions ?? peer.permissions
            peer.note = note ?? peer.note
        }
    }

    /// Removes the pin. The policy and the rest stay.
    public func unpin(_ id: PeerID) throws(LedgerError) {
        try write(.promised, isCopied: true) { database throws(LedgerError) in
            try database.run("UPDATE peers SET pinned_since = NULL WHERE id = ?", SQLValue(id))
        }
    }

    /// Sets the policy for a peer's invitations; nil for the default. A block keeps the earlier policy for
    /// ``unblock(_:)``.
    public func setPolicy(_ policy: Policy?, for id: PeerID, name: InstanceName? = nil) throws(LedgerError) {
        try change(id, name: name) { peer in
            if policy != .block { peer.policyBeforeBlock = nil }
            if policy == .block, peer.policy != .block { peer.policyBeforeBlock = peer.policy }
            peer.policy = policy
        }
    }

    /// Restores the policy that a blocked peer had before, nil for the default, and returns it.
    public func unblock(_ id: PeerID) throws(LedgerError) -> Policy? {
        let policy = try peer(id)?.policyBeforeBlock
        try setPolicy(policy, for: id)
        return policy
    }

    /// Sets the actions that are allowed to a peer.
    public func setPermissions(_ permissions: Permissions, for id: PeerID) throws(LedgerError) {
        try change(id, name: nil) { $0.permissions = permissions }
    }

    /// Notes that a peer is online, if it is known. Unknown machines are not noted, so that they can't fill the ledger.
    /// Returns true if the peer is known.
    @discardableResult
    public func saw(
        _ id: PeerID,
        as name: InstanceName? = nil,
        at address: HostAndPort? = nil,
        time: WallTime = .now
    ) throws(LedgerError) -> Bool {
        try write(.casual) { database throws(LedgerError) in
            guard var peer = try database.peer(id) else { return false }
            peer.name = name ?? peer.name
            peer.lastSeen = time
            if let address {
                peer.addresses = [address] + peer.addresses.filter { $0 != address }.prefix(KnownPeer.addressLimit - 1)
            }
            try database.put(peer)
            return true
        }
    }

    /// Deletes a peer's entry. Its wrong codes stay counted, and its items stay in the inbox. Returns true if there was
    /// an entry.
    @discardableResult
    public func forget(_ id: PeerID) throws(LedgerError) -> Bool {
        try write(.promised, isCopied: true) { database throws(LedgerError) in
            // A later peer with the same key gets no set by itself, apart from those of the whole household.
            for statement: StaticString in [
                "DELETE FROM save_sharers WHERE peer = ?", "DELETE FROM save_offers WHERE peer = ?",
            ] {
                try database.run(statement, SQLValue(id))
            }
            try database.forgetAsFellow(id)
            try database.noteForgotten(id)
            let before = database.changeCount
            try database.run("DELETE FROM peers WHERE id = ?", SQLValue(id))
            return database.changeCount != before
        }
    }

    private func change(
        _ id: PeerID,
        name: InstanceName?,
        isPairedHere: Bool = false,
        _ change: (inout KnownPeer) -> Void
    ) throws(LedgerError) {
        try write(.promised, isCopied: true) { database throws(LedgerError) in
            var peer = try database.peer(id) ?? KnownPeer(id: id)
            peer.name = name ?? peer.name
            change(&peer)
            try database.put(peer)
            if isPairedHere { try database.notePairedHere(id) }
        }
    }
}
