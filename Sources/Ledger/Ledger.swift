import Database
package import LinuxPlatform
import Vocabulary

/// What a machine remembers about its peers: who they are, what they may do, what waits for a person, what arrived.
///
/// It is one SQLite database on an event loop of its own, so that no disk holds up anything else. Several programs of one
/// user may have it open at once. A call returns once what it wrote is safe: what a promise depends on (pins, policy,
/// counters, what arrived) survives a power cut, the rest at least the end of the program at any instant.
public actor Ledger {
    /// What was found when it was opened.
    public enum Opening: Hashable, Sendable {
        /// There was none; this is a new one.
        case fresh
        /// It was there and is sound.
        case opened
        /// It was damaged and lies at this path now, or was gone; this one was made of the copy of it, and knows the same peers and save sets.
        case restored(String?)
        /// It was damaged and lies at this path now; this is a new one that knows nobody.
        case setAside(String)
    }

    /// What was found when it was opened.
    public nonisolated let opening: Opening

    package nonisolated let loop: EventLoop
    nonisolated let auditLimit: Int
    nonisolated let folder: LedgerFolder
    let database: LedgerDatabase
    private let bell: FileLock
    /// Which file it was when it was opened.
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

    /// Everything of the ledger happens on its own thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Opens the ledger of a folder, and makes both where there are none: a file for its owner alone, checked from end to
    /// end, in today's form.
    ///
    /// A damaged one is renamed to `ledger.sqlite.damaged-1` (or the next free number), never deleted. What only a person could say again
    /// comes from `ledger.copy`, where that is there and sound.
    ///
    /// - Parameters:
    ///   - auditLimit: how many audit entries are kept
    ///   - wholeByteCount: up to which size it is checked from end to end; of a larger one the known versions are left out, unless somebody
    ///     met with damage in it. 16 MiB hold some 25,000 versions
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
        // Held until here, though nothing uses it any more.
        withExtendedLifetime(lock) {}
        let ledger = try opened.get()
        if let damage = ledger.damage {
            try await ledger.note("ledger-damaged", [.init("outcome", damage.code.description)])
        }
        return ledger
    }

    /// What to tell of a ledger that was damaged when it was opened; nil where it was not.
    public nonisolated var damage: LedgerError? {
        switch opening {
        case .fresh, .opened: nil
        case .restored(let place): .restored(place)
        case .setAside(let place): .setAside(place)
        }
    }

    /// How long an opening waits for others that are opening, and how often it looks. There is no call that waits for a lock
    /// and a deadline at once.
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

    /// Whatever is written to a file that another has taken the place of, nobody will ever read.
    func requireOwnFile() throws(LedgerError) {
        guard folder.file == file else { throw LedgerFolder.replaced }
    }

    /// All of what `body` writes, or nothing; those who wait for changes are told afterwards.
    /// - Parameter isCopied: whether it is about something that the copy holds as well
    func write<Value>(
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
