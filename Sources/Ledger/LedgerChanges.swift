import Database
import LinuxPlatform
import Vocabulary

/// A sequence with an element each time another program, or another ``Ledger`` of this one, has changed something. It
/// is for one reader, which then reads what matters to it. Several changes may give one element. Changes through the
/// same ledger give none.
///
/// Nothing polls: after a write each ledger touches a file beside the database, and the kernel wakes the programs that
/// watch that file. SQLite's data version shows if the change is another ledger's.
public final class LedgerChanges: Sendable, AsyncSequence {
    private let ledger: Ledger
    private let watch: FileWatch
    private let version: Int64

    /// Starts the watch before it reads the version, so that no change after the version is missed.
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

    /// The watched files. The log is one of them, because not every program touches the bell: `sqlite3` only closes the
    /// log, and so does a program that was killed before.
    private static func watched() -> Set<FileName> {
        Set([LedgerFolder.bellName, LedgerFolder.fileName + "-wal"].compactMap { try? FileName($0) })
    }

    /// Iterates over the changes since the sequence was made.
    public func makeAsyncIterator() -> Iterator { Iterator(ledger: ledger, watch: watch, known: version) }

    /// An iterator over the changes.
    public struct Iterator: AsyncIteratorProtocol {
        let ledger: Ledger
        let watch: FileWatch
        var known: Int64

        /// Waits for the next change; nil if the waiting task is cancelled. Throws if the ledger can't be read.
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
    /// A sequence of the changes by others from now on; see ``LedgerChanges``.
    public func changes() throws(LedgerError) -> LedgerChanges { try LedgerChanges(of: self) }

    /// A number that changes when another connection has written.
    func changeVersion() throws(LedgerError) -> Int64 {
        try database.row("PRAGMA data_version") { row throws(UnreadableValue) in try row.integer("data_version") } ?? 0
    }
}
