import Database
import Glibc
import LinuxPlatform
import Vocabulary

/// A small copy beside the ledger, with the facts that only the user could enter again. These are the known machines
/// and their addresses, and the save sets with their folders and sharers, including left ones. It replaces a ledger
/// that was damaged.
///
/// The copy has no inbox, waiting invitations, audit log, known versions or applied snapshots, because those would soon
/// be outdated. It is written after each change of its data, and holds the number of these changes.
struct LedgerCopy {
    let folder: LedgerFolder

    private static let file = AtomicFile(LedgerFolder.known(LedgerFolder.copyName))
    private static let maximumByteCount = 256 << 20

    /// Counts a change of copied data, in the transaction of that change.
    static func count(in database: LedgerDatabase) throws(LedgerError) {
        try database.run(
            """
            INSERT INTO settings (word, value) VALUES ('copied-changes', '1')
            ON CONFLICT (word) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT)
            """
        )
    }

    /// Writes the current data to the copy. A failure is ignored, because the change is in the ledger: the next change
    /// tries again, and so does the next opening.
    func write(from database: LedgerDatabase) {
        // During this transaction no other program writes, so that the latest copy has the latest change.
        try? database.transaction(.casual) { () throws(LedgerError) in
            let bytes = try image()
            do throws(SystemError) {
                try Self.file.write(bytes, in: Folder(at: folder.path), overwriting: .allowed)
            } catch {
                throw LedgerFolder.refusal(error)
            }
        }
    }

    /// Writes the copy if it misses the latest change, as after a crash.
    func update(from database: LedgerDatabase) {
        guard let wanted = try? Self.changes(in: database), wanted != (try? changesInCopy()) else { return }
        write(from: database)
    }

    /// True if there is a copy.
    var isThere: Bool { access(folder.path(of: LedgerFolder.copyName), F_OK) == 0 }

    /// Puts the copy in the place of a missing ledger. Returns true if there was a copy.
    func takeThePlace() throws(LedgerError) -> Bool {
        do throws(SystemError) {
            let there = try Folder(at: folder.path)
            let bytes = try Self.file.read(in: there, limit: Self.maximumByteCount)
            let ledger = AtomicFile(LedgerFolder.known(LedgerFolder.fileName))
            try ledger.write(bytes, in: there, overwriting: .forbidden)
            return true
        } catch let error where error.number == ENOENT {
            return false
        } catch {
            throw LedgerFolder.refusal(error)
        }
    }

    private func image() throws(LedgerError) -> [UInt8] {
        let copy = try LedgerDatabase(at: ":memory:")
        for step in Schema.steps { try copy.execute(step) }
        try copy.run("ATTACH ? AS whole", .text(folder.path(of: LedgerFolder.fileName)))
        try copy.execute(
            """
            INSERT INTO main.peers SELECT * FROM whole.peers;
            INSERT INTO main.settings SELECT * FROM whole.settings;
            INSERT INTO main.save_sets SELECT * FROM whole.save_sets;
            INSERT INTO main.save_sharers SELECT * FROM whole.save_sharers;
            INSERT INTO main.save_withdrawals SELECT * FROM whole.save_withdrawals;
            INSERT INTO main.household_statements SELECT * FROM whole.household_statements;
            INSERT INTO main.household_pairings SELECT * FROM whole.household_pairings;
            INSERT INTO main.household_forgotten SELECT * FROM whole.household_forgotten;
            -- Those that this machine has left: it is no peer of its own. What others offer, they offer again.
            INSERT INTO main.save_offers SELECT * FROM whole.save_offers WHERE peer NOT IN (SELECT id FROM whole.peers);
            UPDATE main.save_sets SET applied = NULL, heads = NULL;
            DETACH whole;
            """
        )
        return try copy.image()
    }

    private func changesInCopy() throws(LedgerError) -> String {
        try Self.changes(in: LedgerDatabase(at: folder.path(of: LedgerFolder.copyName)))
    }

    /// The number of counted changes: 0 in a ledger of an older program.
    private static func changes(in database: LedgerDatabase) throws(LedgerError) -> String {
        try database.row("SELECT value FROM settings WHERE word = 'copied-changes'") { row throws(UnreadableValue) in
            try row.text("value")
        } ?? "0"
    }
}
