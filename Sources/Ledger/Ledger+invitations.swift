import Database
public import Vocabulary

extension Ledger {
    /// Stores an invitation for the user to answer. The caller must remove it later; see ``removeInvitation(_:)``.
    public func putBefore(_ invitation: WaitingInvitation) throws(LedgerError) {
        try write(.casual) { database throws(LedgerError) in
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
    public func waitingInvitations(at time: WallTime = .now) throws(LedgerError) -> Listed<WaitingInvitation> {
        try database.rows(
            "SELECT * FROM invitations WHERE patience_until > ? ORDER BY came_at, id",
            SQLValue(time),
            read: WaitingInvitation.init
        )
    }

    /// Removes an invitation. Returns true if it was there.
    @discardableResult
    public func removeInvitation(_ id: InvitationID) throws(LedgerError) -> Bool {
        try write(.casual) { database throws(LedgerError) in
            let before = database.changeCount
            try database.run("DELETE FROM invitations WHERE id = ?", SQLValue(id))
            return database.changeCount != before
        }
    }

    /// Removes invitations whose inviters no longer wait, as after a crash of the program that stored them.
    public func removeExpiredInvitations(at time: WallTime = .now) throws(LedgerError) {
        try write(.casual) { database throws(LedgerError) in
            try database.run("DELETE FROM invitations WHERE patience_until <= ?", SQLValue(time))
        }
    }
}
