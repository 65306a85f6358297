import Database
import LinuxPlatform
import Vocabulary

/// One element each time another program, or another ``Ledger`` of this one, has changed something. Made for one reader, who
/// then looks for what matters to it; several changes may come as one. What is written through the same ledger is not told.
///
/// Nothing ticks meanwhile: each ledger touches a file beside the database after it has written, and the kernel wakes those
/// who watch that file. Whether it was somebody else, SQLite knows.
public final class LedgerChanges: Sendable, AsyncSequence {
    private let ledger: Ledger
    private let watch: FileWatch
    private let version: Int64

    /// The watch comes first: what is written after the version has been asked for is noticed.
    init(of ledger: isolated Ledger) throws(LedgerError) {
        self.ledger = ledger
        do throws(SystemError) {
            watch = try FileWatch(of: Self.watched(), in: ledger.folder.path, on: ledger.loop)
        } catch {
            throw LedgerError(
                "ledger.cannot-watch",
                "changes by other programs can't be noticed",
                nextStep:
                    "raise `fs.inotify.max_user_watches` and `fs.inotify.max_user_instances`, or end other programs",
                cause: error
            )
        }
        version = try ledger.changeVersion()
    }

    /// The log as well: it is closed by programs that know nothing of the bell, such as `sqlite3`, and by those that were
    /// killed before they could touch it.
    private static func watched() -> Set<FileName> {
        Set([LedgerFolder.bellName, LedgerFolder.fileName + "-wal"].compactMap { try? FileName($0) })
    }

    /// Iterates over the changes since the sequence was made.
    public func makeAsyncIterator() -> Iterator { Iterator(ledger: ledger, watch: watch, known: version) }

    /// Hands out one change after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let ledger: Ledger
        let watch: FileWatch
        var known: Int64

        /// Waits for the next change; nil when the waiting task is cancelled. It fails where the ledger can't be read.
        public mutating func next() async throws -> Void? {
            while true {
                do { try await watch.changed() } catch is CancellationError { return nil }
                try await ledger.requireOwnFile()
                let version = try await ledger.changeVersion()
                guard version != known else { continue }
                known = version
                return ()
            }
        }
    }
}

extension Ledger {
    /// What others change from now on; see ``LedgerChanges``.
    public func changes() throws(LedgerError) -> LedgerChanges { try LedgerChanges(of: self) }

    /// A number that differs from an earlier one where somebody else has written in between.
    func changeVersion() throws(LedgerError) -> Int64 {
        try database.row("PRAGMA data_version") { row throws(UnreadableValue) in try row.integer("data_version") } ?? 0
    }
}
