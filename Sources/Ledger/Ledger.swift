import Database
package import LinuxPlatform
import Vocabulary

/// The stored knowledge of this machine about its peers and save sets: keys, permissions, waiting invitations, the
/// inbox and the audit log.
///
/// It is one SQLite database on an event loop of its own, so that no slow disk blocks other work. Several programs of
/// one user may have it open at once. A call returns once its change is safe. Changes that a promise depends on (pins,
/// policy, counters, the inbox) survive a power cut; the others survive at least a crash of the program.
public actor Ledger {
    /// The result of opening the ledger.
    public enum Opening: Hashable, Sendable {
        /// There was no ledger; this is a new one.
        case fresh
        /// The ledger was there and is intact.
        case opened
        /// The ledger was damaged and moved to this path, or was missing (nil). This one is made from its copy, and has
        /// the same peers and save sets.
        case restored(String?)
        /// The ledger was damaged and moved to this path. This one is new and has no peers.
        case setAside(String)
    }

    /// The result of opening this ledger.
    public nonisolated let opening: Opening

    package nonisolated let loop: EventLoop
    nonisolated let auditLimit: Int
    nonisolated let folder: LedgerFolder
    let database: LedgerDatabase
    private let bell: FileLock
    /// The identity of the database file when it was opened.
    private let file: FileIdentity?

    private init(
        _ database: sending LedgerDatabase,
        _ opening: Opening,
        _ folder: LedgerFolder,
        _ bell: FileLock,
        _ loop: EventLoop,
        _ auditLimit: Int
    ) {
        self.database = database
        self.opening = opening
        self.folder = folder
        self.bell = bell
        self.loop = loop
        self.auditLimit = auditLimit
        file = folder.file
    }

    /// The executor of the ledger's own thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Opens the ledger of a folder, and creates both if there are none. The file is private to its owner. It is
    /// checked, and migrated to the current schema.
    ///
    /// A damaged ledger is renamed to `ledger.sqlite.damaged-1` (or the next free number), never deleted. Facts that
    /// only the user could enter again are restored from `ledger.copy`, if that is there and intact.
    ///
    /// - Parameters:
    ///   - auditLimit: the number of kept audit entries
    ///   - wholeByteCount: the size up to which the whole file is checked. The check of a larger one leaves out the
    ///     known versions, unless a reader has found damage in it. 16 MiB hold some 25,000 versions
    public static func open(
        at folderPath: String,
        auditLimit: Int = Ledger.auditLimit,
        wholeByteCount: Int = 16 << 20
    ) async throws(LedgerError) -> Ledger {
        let loop: EventLoop
        do throws(SystemError) {
            loop = try EventLoop(ifPossible: "ledger")
        } catch {
            throw LedgerFolder.refusal(error)
        }
        let folder = try LedgerFolder(at: folderPath)
        let lock = try FileLock(folder.openCompanion(LedgerFolder.lockName))
        try await take(lock, on: loop)
        let opened = await loop.performing { @Sendable () -> Result<Ledger, LedgerError> in
            do throws(LedgerError) {
                let bell = FileLock(try folder.openCompanion(LedgerFolder.bellName))
                let (database, opening) = try LedgerOpening(
                    folder: folder,
                    bell: bell,
                    wholeByteCount: wholeByteCount
                ).open()
                return .success(Ledger(database, opening, folder, bell, loop, auditLimit))
            } catch {
                return .failure(error)
            }
        }
        // Keeps the lock until here.
        withExtendedLifetime(lock) {}
        let ledger = try opened.get()
        if let damage = ledger.damage {
            try await ledger.note("ledger-damaged", [.init("outcome", damage.code.description)])
        }
        return ledger
    }

    /// The error to show if the ledger was damaged when it was opened; nil if it was not.
    public nonisolated var damage: LedgerError? {
        switch opening {
        case .fresh, .opened: nil
        case .restored(let place): .restored(place)
        case .setAside(let place): .setAside(place)
        }
    }

    /// The time that an opening waits for another one, and the step between two attempts. No call waits for a lock with
    /// a deadline.
    private static let openingPatience = (limit: Duration.seconds(10), step: Duration.milliseconds(20))

    private static func take(_ lock: FileLock, on loop: EventLoop) async throws(LedgerError) {
        let deadline = ContinuousClock.Instant.current + openingPatience.limit
        while !lock.take(.alone) {
            guard ContinuousClock.Instant.current < deadline, (try? await loop.sleep(for: openingPatience.step)) != nil
            else {
                throw LedgerError(
                    LedgerError.lockedCode,
                    "another program is opening the ledger and does not finish",
                    nextStep: "end the other huddle program, then try again"
                )
            }
        }
    }

    /// Throws if another file has replaced the ledger's: no program would ever read what is written to the old one.
    func requireOwnFile() throws(LedgerError) {
        guard folder.file == file else { throw LedgerFolder.replaced }
    }

    /// Runs `body` on the ledger's thread.
    func read<Value: Sendable>(
        _ body: (LedgerDatabase) throws(LedgerError) -> Value
    ) throws(LedgerError) -> Value {
        try body(database)
    }

    /// Runs `body` in a transaction. Afterwards programs that watch for changes are woken.
    /// - Parameter isCopied: true if the change is to data that the copy holds as well
    func write<Value: Sendable>(
        _ durability: Durability,
        isCopied: Bool = false,
        _ body: (LedgerDatabase) throws(LedgerError) -> Value
    ) throws(LedgerError) -> Value {
        let before = database.changeCount
        let value: Value
        do throws(LedgerError) {
            value = try database.transaction(durability) { () throws(LedgerError) in
                let value = try body(database)
                if isCopied, database.changeCount != before { try LedgerCopy.count(in: database) }
                return value
            }
        } catch {
            if error.failure?.isDamage == true { folder.suspect() }
            throw error
        }
        guard database.changeCount != before else { return value }
        if isCopied { LedgerCopy(folder: folder).write(from: database) }
        bell.touch()
        return value
    }
}
