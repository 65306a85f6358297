import Database
public import SaveRules
public import Vocabulary

extension Ledger {
    /// The last claim of the peer that plays a set; nil if no peer is known to play.
    public func keptClaim(of set: SaveSetID) throws(LedgerError) -> KeptClaim? {
        try database.rows(
            "SELECT * FROM save_leases WHERE save_set = ?",
            SQLValue(set),
            read: KeptClaim.init
        ).values.first
    }

    /// Stores the last claim of the peer that plays a set, for the next start of the program; nil deletes it. Does
    /// nothing for a set that is not here.
    public func keep(
        _ claim: LeaseClaim?,
        of set: SaveSetID,
        heardAt time: WallTime = .now
    ) throws(LedgerError) {
        // The claim is only advisory, so the call does not wait for the disk.
        try write(.casual) { database throws(LedgerError) in
            guard let claim else {
                return try database.run("DELETE FROM save_leases WHERE save_set = ?", SQLValue(set))
            }
            try database.run(
                """
                INSERT INTO save_leases (save_set, peer, term, played_seconds, heard_at)
                SELECT id, ?, ?, ?, ? FROM save_sets WHERE id = ?
                ON CONFLICT (save_set) DO UPDATE SET peer = excluded.peer, term = excluded.term,
                    played_seconds = excluded.played_seconds, heard_at = excluded.heard_at
                """,
                SQLValue(claim.peer),
                .integer(Int64(bitPattern: claim.term)),
                .integer(claim.played.components.seconds),
                SQLValue(time),
                SQLValue(set)
            )
        }
    }
}
