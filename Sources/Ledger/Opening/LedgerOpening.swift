import Database
import Glibc
import LinuxPlatform
import Vocabulary

/// One opening of a folder's ledger. The caller holds the lock, so no other program opens it meanwhile.
struct LedgerOpening {
    let folder: LedgerFolder
    /// The lock that every program holds while the ledger is open.
    let bell: FileLock
    /// The size up to which the whole ledger is checked.
    var wholeByteCount = 16 << 20

    /// Opens an intact database with the current schema, and says what happened to the existing one.
    func open() throws(LedgerError) -> (LedgerDatabase, Ledger.Opening) {
        guard SQLiteLibrary.version >= 3_037_000 else {
            throw LedgerError(
                "ledger.old-sqlite",
                "this SQLite is too old for the ledger",
                nextStep: "install libsqlite3 3.37 or newer"
            )
        }
        // An earlier opening could not put the copy in the place of a missing ledger: a new ledger must not overwrite
        // that copy.
        if folder.isEmpty, LedgerCopy(folder: folder).isThere {
            return try startFresh(
                because: LedgerDatabase.Damage(description: "there is nothing in it, and a copy of it")
            )
        }
        let isFresh = try folder.makeFile() || folder.isEmpty
        do {
            let database = try ready()
            if !isFresh { LedgerCopy(folder: folder).update(from: database) }
            try share()
            return (database, isFresh ? .fresh : .opened)
        } catch let damage as LedgerDatabase.Damage {
            return try startFresh(because: damage)
        } catch let error as LedgerError {
            throw error
        } catch {
            preconditionFailure("opening fails in two ways, not with \(error)")
        }
    }

    private func startFresh(because damage: LedgerDatabase.Damage) throws(LedgerError) -> (
        LedgerDatabase, Ledger.Opening
    ) {
        // Another program that has the ledger open would lose the changes that it confirms from now on. A program that
        // is just ending gets time to do so.
        guard bell.take(.alone, within: Self.patience) else {
            throw LedgerError(
                LedgerError.damagedCode,
                "the ledger is damaged and another program has it open",
                nextStep: "end all huddle programs and start again: it is set aside then and a new one begun",
                cause: damage
            )
        }
        let place = try folder.setAside() ?? folder.lastSetAside
        folder.clearSuspicion()
        if let database = try copied() {
            try share()
            return (database, .restored(place))
        }
        _ = try folder.makeFile()
        do {
            let database = try ready()
            try share()
            // If nothing else was moved aside, the damaged copy was.
            return (database, (place ?? folder.lastSetAside).map { .setAside($0) } ?? .fresh)
        } catch let error as LedgerError {
            throw error
        } catch {
            throw LedgerError(
                "ledger.failed",
                "a new ledger came out damaged",
                nextStep: "check its disk (`dmesg`), then try again",
                cause: error
            )
        }
    }

    /// Opens the copy as the ledger; nil if there is none or it is damaged. A damaged copy is moved aside as well.
    private func copied() throws(LedgerError) -> LedgerDatabase? {
        guard try LedgerCopy(folder: folder).takeThePlace() else { return nil }
        do {
            return try ready()
        } catch let error as LedgerError {
            throw error
        } catch {
            _ = try folder.setAside()
            return nil
        }
    }

    private static let patience = Duration.seconds(2)

    /// Takes the shared lock: from now on no program moves the ledger aside.
    private func share() throws(LedgerError) {
        guard bell.take(.shared) else {
            throw LedgerError(
                LedgerError.lockedCode,
                "another program keeps the ledger locked",
                nextStep: "end the other huddle program, then try again"
            )
        }
    }

    /// - Throws: `LedgerDatabase.Damage` if the file is no intact ledger, `LedgerError` if that is unknown or it can't
    ///   be used
    private func ready() throws -> LedgerDatabase {
        guard !folder.hasLostItsContents else {
            throw LedgerDatabase.Damage(description: "it is empty and its log is not")
        }
        do {
            let database = try LedgerDatabase(at: folder.path(of: LedgerFolder.fileName))
            try database.makeReady(isReadWhole: folder.isSuspect || folder.isNoLargerThan(wholeByteCount))
            folder.clearSuspicion()
            return database
        } catch let error as LedgerError {
            guard speaksOfDamage(error) else { throw error }
            throw LedgerDatabase.Damage(description: error.failure?.description ?? "a value in it can't be understood")
        }
    }

    /// Returns true if an error means damage. Before any other use of the ledger, a statement that fails without an
    /// outer reason shows that the file is damaged.
    private func speaksOfDamage(_ error: LedgerError) -> Bool {
        guard let failure = error.failure else { return error.code == LedgerError.unreadableCode }
        if failure.isDamage || failure.isMismatch { return true }
        // SQLite can't open a folder in the file's place. It may read a file with the header of a future format, but
        // not write it.
        if failure.systemNumber == EISDIR { return true }
        return failure.speaksOfTheFileItself && folder.isWritable
    }
}
