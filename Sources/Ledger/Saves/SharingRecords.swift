import Database
public import SaveRules
public import Vocabulary

extension Ledger {
    /// The sharing of save sets with peers.
    public nonisolated var sharing: SharingRecords { SharingRecords(self) }
}

/// The peers that save sets are shared with, and the sets that peers offer.
public struct SharingRecords: Sendable {
    private let ledger: Ledger

    fileprivate init(_ ledger: Ledger) { self.ledger = ledger }

    /// The number of sets that one peer may offer. The oldest offer is deleted.
    public static let offerLimit = 256
    /// The bytes of all offers of one peer. The oldest offers are deleted, and a larger offer is not stored.
    public static let offerByteLimit = 256 << 10
    /// The bytes of the offers of all peers. The peer with the most bytes loses its oldest offers.
    public static let allOffersByteLimit = 4 << 20

    /// The peers that a set is shared with, by ascending id.
    public func sharers(of set: SaveSetID) async throws(LedgerError) -> Listed<PeerID> {
        try await ledger.read { database throws(LedgerError) in
            try database.rows("SELECT peer FROM save_sharers WHERE save_set = ? ORDER BY peer", SQLValue(set)) {
                row throws(UnreadableValue) in try row.peer("peer")
            }
        }
    }

    /// The peers from which the user has revoked a set.
    public func withdrawals(of set: SaveSetID) async throws(LedgerError) -> Listed<PeerID> {
        try await ledger.read { database throws(LedgerError) in try database.withdrawals(of: set) }
    }

    /// Shares a set with a peer, or revokes it, which lasts until the user shares it again.
    public func share(_ set: SaveSetID, with peer: PeerID, _ isShared: Bool = true) async throws(LedgerError) {
        let statements: [StaticString] =
            isShared
            ? [
                "INSERT INTO save_sharers (save_set, peer) VALUES (?, ?) ON CONFLICT DO NOTHING",
                "DELETE FROM save_withdrawals WHERE save_set = ? AND peer = ?",
            ]
            : [
                "INSERT INTO save_withdrawals (save_set, peer) VALUES (?, ?) ON CONFLICT DO NOTHING",
                "DELETE FROM save_sharers WHERE save_set = ? AND peer = ?",
            ]
        try await ledger.write(.promised, isCopied: true) { database throws(LedgerError) in
            for statement in statements { try database.run(statement, SQLValue(set), SQLValue(peer)) }
        }
    }

    /// The newest versions that each sharer last reported. Leaves out machines that never took part.
    public func named(of set: SaveSetID) async throws(LedgerError) -> [PeerID: [SnapshotID]] {
        try await ledger.read { database throws(LedgerError) in
            let rows = try database.rows(
                "SELECT peer, heads FROM save_sharers WHERE save_set = ? AND heads IS NOT NULL",
                SQLValue(set)
            ) { row throws(UnreadableValue) in (try row.peer("peer"), try row.optionalBytes("heads") ?? []) }
            return Dictionary(rows.values.map { ($0, SnapshotID.list(in: $1) ?? []) }) { first, _ in first }
        }
    }

    /// Stores the newest versions that a sharer reports; nil if it no longer takes part. The machine repeats this at
    /// each connection, so a power cut may lose it.
    public func noteNamed(_ heads: [SnapshotID]?, by peer: PeerID, of set: SaveSetID) async throws(LedgerError) {
        try await ledger.write(.casual) { database throws(LedgerError) in
            try database.run(
                "UPDATE save_sharers SET heads = ? WHERE save_set = ? AND peer = ?",
                .bytes(heads.map { $0.flatMap(\.bytes) }),
                SQLValue(set),
                SQLValue(peer)
            )
        }
    }

    /// Shares a set with a peer that another sharer has named. This needs a pinned peer with the policy `accept`, from
    /// which the user has not revoked the set. Another machine's word never overrides a decision of the user.
    ///
    /// - Returns: true if the set is shared with the peer now
    public func introduce(_ peer: PeerID, to set: SaveSetID) async throws(LedgerError) -> Bool {
        try await ledger.write(.promised, isCopied: true) { database throws(LedgerError) in
            let known = try database.peer(peer)
            guard known?.isPinned == true, known?.policy == .accept,
                try !database.withdrawals(of: set).values.contains(peer)
            else { return false }
            try database.run(
                "INSERT INTO save_sharers (save_set, peer) VALUES (?, ?) ON CONFLICT DO NOTHING",
                SQLValue(set),
                SQLValue(peer)
            )
            return true
        }
    }

    // MARK: Offers

    /// The sets that peers offer and that this machine has not joined, the oldest first.
    public func offeredSets() async throws(LedgerError) -> Listed<OfferedSet> {
        try await ledger.read { database throws(LedgerError) in try database.offeredSets() }
    }

    /// The sets that this machine has left. Reads no offer.
    /// - Parameter own: this machine's id, under which the offers of left sets are stored
    public func leftSets(by own: PeerID) async throws(LedgerError) -> Set<SaveSetID> {
        try await ledger.read { database throws(LedgerError) in
            let rows = try database.rows("SELECT save_set FROM save_offers WHERE peer = ?", SQLValue(own)) {
                row throws(UnreadableValue) -> SaveSetID in try row.id("save_set")
            }
            return Set(rows.values)
        }
    }

    /// The description of a set that this machine has left; nil if it has not.
    public func left(_ set: SaveSetID, by own: PeerID) async throws(LedgerError) -> OfferedSet? {
        try await ledger.read { database throws(LedgerError) in
            try database.rows(
                "SELECT * FROM save_offers WHERE peer = ? AND save_set = ?",
                SQLValue(own),
                SQLValue(set),
                read: OfferedSet.init
            ).values.first
        }
    }

    /// Deletes offers beyond the limits: an earlier version of the program stored more.
    /// - Parameter own: this machine's id; the sets that it has left have no limit
    public func trimOffers(besides own: PeerID) async throws(LedgerError) {
        try await ledger.write(.promised) { database throws(LedgerError) in
            let peers = try database.rows("SELECT DISTINCT peer FROM save_offers WHERE peer <> ?", SQLValue(own)) {
                row throws(UnreadableValue) in try row.peer("peer")
            }
            for peer in peers.values { try database.trimOffers(of: peer) }
            try database.trimOffers(besides: own)
        }
    }

    /// The result of storing an offer.
    public enum OfferNote: Sendable { case new, known, tooLarge }

    /// Stores a peer's offer.
    /// - Parameter own: this machine's id; the sets that it has left have no limit
    public func noteOffer(
        _ offer: SaveOffer,
        from peer: PeerID,
        to own: PeerID,
        at time: WallTime = .now
    ) async throws(LedgerError) -> OfferNote {
        guard SaveMessage.offer(offer).encoded.count <= Self.offerByteLimit else { return .tooLarge }
        return try await ledger.write(.promised) { database throws(LedgerError) in
            let known = try database.row(
                "SELECT number FROM save_offers WHERE peer = ? AND save_set = ?",
                SQLValue(peer),
                SQLValue(offer.set)
            ) { row throws(UnreadableValue) in try row.integer("number") }
            try database.put(offer, of: peer, at: time)
            try database.trimOffers(of: peer)
            try database.trimOffers(besides: own)
            return known == nil ? .new : .known
        }
    }

    /// Stores the description of a set that this machine has left. There is no limit to their number.
    /// - Parameters:
    ///   - own: this machine's id, under which the offers of left sets are stored
    ///   - folder: the set's folder here
    public func noteLeft(
        _ offer: SaveOffer,
        by own: PeerID,
        in folder: String?,
        for audience: SaveSetEntry.Audience? = nil,
        at time: WallTime = .now
    ) async throws(LedgerError) {
        try await ledger.write(.promised, isCopied: true) { database throws(LedgerError) in
            try database.put(offer, of: own, in: folder, for: audience, at: time)
        }
    }

    /// Forgets a set that this machine has left, and the peers from which it was revoked.
    /// - Parameter own: this machine's id, under which the offers of left sets are stored
    public func forgetLeft(_ set: SaveSetID, by own: PeerID) async throws(LedgerError) {
        try await ledger.write(.promised, isCopied: true) { database throws(LedgerError) in
            for statement: StaticString in [
                "DELETE FROM save_offers WHERE save_set = ?1 AND peer = ?2",
                "DELETE FROM save_withdrawals WHERE save_set = ?1 AND ?2 IS NOT NULL",
            ] {
                try database.run(statement, SQLValue(set), SQLValue(own))
            }
        }
    }

    /// Forgets a peer's offer of a set; nil for the offers of all peers.
    public func removeOffer(of set: SaveSetID, from peer: PeerID? = nil) async throws(LedgerError) {
        try await ledger.write(.promised, isCopied: true) { database throws(LedgerError) in
            try database.run(
                "DELETE FROM save_offers WHERE save_set = ?1 AND (?2 IS NULL OR peer = ?2)",
                SQLValue(set),
                SQLValue(peer)
            )
        }
    }
}

extension LedgerDatabase {
    fileprivate func withdrawals(of set: SaveSetID) throws(LedgerError) -> Listed<PeerID> {
        try rows("SELECT peer FROM save_withdrawals WHERE save_set = ? ORDER BY peer", SQLValue(set)) {
            row throws(UnreadableValue) in try row.peer("peer")
        }
    }

    fileprivate func offeredSets() throws(LedgerError) -> Listed<OfferedSet> {
        try rows("SELECT * FROM save_offers ORDER BY number", read: OfferedSet.init)
    }

    /// Deletes the oldest offers of a peer beyond its limits.
    fileprivate func trimOffers(of peer: PeerID) throws(LedgerError) {
        try run(
            """
            DELETE FROM save_offers WHERE peer = ?1 AND number NOT IN
                (SELECT number FROM
                    (SELECT number, row_number() OVER newest AS place, sum(length(offer)) OVER newest AS bytes
                    FROM save_offers WHERE peer = ?1 WINDOW newest AS (ORDER BY number DESC))
                WHERE place <= ?2 AND bytes <= ?3)
            """,
            SQLValue(peer),
            .integer(Int64(SharingRecords.offerLimit)),
            .integer(Int64(SharingRecords.offerByteLimit))
        )
    }

    /// Deletes offers until all peers together are within their limit. The peer with the most bytes loses its oldest
    /// one first, so a peer with few bytes keeps its offers, however many others there are.
    fileprivate func trimOffers(besides own: PeerID) throws(LedgerError) {
        while true {
            let all = try row(
                "SELECT coalesce(sum(length(offer)), 0) AS bytes FROM save_offers WHERE peer <> ?",
                SQLValue(own)
            ) { row throws(UnreadableValue) in try row.integer("bytes") }
            guard let all, all > Int64(SharingRecords.allOffersByteLimit) else { return }
            try run(
                """
                DELETE FROM save_offers WHERE number =
                    (SELECT min(number) FROM save_offers WHERE peer =
                        (SELECT peer FROM save_offers WHERE peer <> ? GROUP BY peer
                        ORDER BY sum(length(offer)) DESC, peer LIMIT 1))
                """,
                SQLValue(own)
            )
        }
    }

    fileprivate func put(
        _ offer: SaveOffer,
        of peer: PeerID,
        in folder: String? = nil,
        for audience: SaveSetEntry.Audience? = nil,
        at time: WallTime
    ) throws(LedgerError) {
        try run(
            """
            INSERT INTO save_offers (peer, save_set, offer, came_at, folder, audience) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (peer, save_set) DO UPDATE
            SET offer = excluded.offer, folder = excluded.folder, audience = excluded.audience
            """,
            SQLValue(peer),
            SQLValue(offer.set),
            .bytes(SaveMessage.offer(offer).encoded),
            SQLValue(time),
            SQLValue(folder),
            SQLValue(audience?.rawValue)
        )
    }

    /// Removes the peer from the offers of sets that this machine has left, so that joining one again does not share
    /// it.
    func forgetAsFellow(_ id: PeerID) throws(LedgerError) {
        let named = try rows("SELECT * FROM save_offers") { row throws(UnreadableValue) -> OfferedSet? in
            let offered = try OfferedSet(row)
            return offered.offer.fellows.contains(id) ? offered : nil
        }
        for case let offered? in named.values {
            let offer = offered.offer.without(fellow: id)
            try run(
                "UPDATE save_offers SET offer = ? WHERE peer = ? AND save_set = ?",
                .bytes(SaveMessage.offer(offer).encoded),
                SQLValue(offered.peer),
                SQLValue(offer.set)
            )
        }
    }
}
