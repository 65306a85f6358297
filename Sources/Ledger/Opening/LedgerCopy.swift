import Database
import Glibc
import LinuxPlatform
import Vocabulary

/// A small ledger beside the ledger, with what only a person could say again: which machines are known and how each is met, which
/// save sets there are, where they lie, who has part in them, and which were left. It takes the place of a ledger that was damaged.
///
/// What arrived, who waits, what was noted and which versions are known is not in it, nor what a folder shows: that would soon be wrong.
/// It is written after each change of what it holds, and says how many changes there had been.
struct LedgerCopy {
    let folder: LedgerFolder

    private static let file = AtomicFile(LedgerFolder.known(LedgerFolder.copyName))
    private static let maximumByteCount = 256 << 20

    /// Counts a change of what is copied, in the transaction that makes it.
    static func count(in database: LedgerDatabase) throws(LedgerError) {
        try database.run(
            """
            INSERT INTO settings (word, value) VALUES ('copied-changes', '1')
            ON CONFLICT (word) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT)
            """
        )
    }

    /// Writes what the ledger holds now. Whatever hinders that, what was changed is in the ledger; the next change tries again, and so does
    /// the next opening.
    func write(from database: LedgerDatabase) {
        // While this one could write nobody else does, so that the latest copy is of the latest change.
        try? database.transaction(.casual) { () throws(LedgerError) in
            let bytes = try image()
            do throws(SystemError) {
                try Self.file.write(bytes, in: Folder(at: folder.path), overwriting: .allowed)
            } catch {
                throw LedgerFolder.refusal(error)
            }
        }
    }

    /// Writes it where it lacks the latest change, as after a crash.
    func bringUpToDate(from database: LedgerDatabase) {
        guard let wanted = try? Self.changes(in: database), wanted != (try? changesInCopy()) else { return }
        write(from: database)
    }

    /// Whether there is one.
    var isThere: Bool { access(folder.path(of: LedgerFolder.copyName), F_OK) == 0 }

    /// Puts it in the place of a ledger that is not there any more. Answers whether there was one.
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

    /// None were counted in a ledger of an older program.
    private static func changes(in database: LedgerDatabase) throws(LedgerError) -> String {
        try database.row("SELECT value FROM settings WHERE word = 'copied-changes'") { row throws(UnreadableValue) in
            try row.text("value")
        } ?? "0"
    }
}
