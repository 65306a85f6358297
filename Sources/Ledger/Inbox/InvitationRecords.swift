import Database
public import Vocabulary

extension Ledger {
    /// The waiting invitations.
    public nonisolated var invitations: InvitationRecords { InvitationRecords(self) }
}

/// The invitations that wait for the user to answer them.
public struct InvitationRecords: Sendable {
    private let ledger: Ledger

    fileprivate init(_ ledger: Ledger) { self.ledger = ledger }

    /// Stores an invitation for the user to answer. The caller must remove it later; see ``remove(_:)``.
    public func put(_ invitation: WaitingInvitation) async throws(LedgerError) {
        try await ledger.write(.casual) { database throws(LedgerError) in
            try database.run(
                """
                INSERT INTO invitations
                    (id, peer, name, session, session_name, context, code_need, came_at, patience_until)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
                """,
                SQLValue(invitation.id),
                SQLValue(invitation.peer),
                SQLValue(invitation.name),
                SQLValue(invitation.session),
                .text(invitation.sessionName.text),
                .bytes(invitation.context),
                .integer(invitation.codeNeed.rawValue),
                SQLValue(invitation.cameAt),
                SQLValue(invitation.patienceUntil)
            )
        }
    }

    /// The invitations that wait for the user, the oldest first, except those whose inviter no longer waits.
    public func waiting(at time: WallTime = .now) async throws(LedgerError) -> Listed<WaitingInvitation> {
        try await ledger.read { database throws(LedgerError) in
            try database.rows(
                "SELECT * FROM invitations WHERE patience_until > ? ORDER BY came_at, id",
                SQLValue(time),
                read: WaitingInvitation.init
            )
        }
    }

    /// Removes an invitation. Returns true if it was there.
    @discardableResult
    public func remove(_ id: InvitationID) async throws(LedgerError) -> Bool {
        try await ledger.write(.casual) { database throws(LedgerError) in
            let before = database.changeCount
            try database.run("DELETE FROM invitations WHERE id = ?", SQLValue(id))
            return database.changeCount != before
        }
    }

    /// Removes invitations whose inviters no longer wait, as after a crash of the program that stored them.
    public func removeExpired(at time: WallTime = .now) async throws(LedgerError) {
        try await ledger.write(.casual) { database throws(LedgerError) in
            try database.run("DELETE FROM invitations WHERE patience_until <= ?", SQLValue(time))
        }
    }
}
