import Database
import Glibc
import LinuxPlatform
import Vocabulary

/// Opens the ledger of a folder while nobody else opens it.
struct LedgerOpening {
    let folder: LedgerFolder
    /// What everybody holds who has the ledger open.
    let bell: FileLock
    /// Up to which size all of it is looked through.
    var wholeByteCount = 16 << 20

    /// A sound database in today's form, and what became of the one that was there.
    func open() throws(LedgerError) -> (LedgerDatabase, Ledger.Opening) {
        guard SQLiteLibrary.version >= 3_037_000 else {
            throw LedgerError(
                "ledger.old-sqlite",
                "this SQLite is too old for the ledger",
                nextStep: "install libsqlite3 3.37 or newer"
            )
        }
        // Somebody was hindered from putting the copy in the place of a ledger that is gone: it must not be written over by a new one.
        if folder.isEmpty, LedgerCopy(folder: folder).isThere {
            return try beginAnew(
                because: LedgerDatabase.Damage(description: "there is nothing in it, and a copy of it")
            )
        }
        let isFresh = try folder.makeFile() || folder.isEmpty
        do {
            let database = try ready()
            if !isFresh { LedgerCopy(folder: folder).bringUpToDate(from: database) }
            try share()
            return (database, isFresh ? .fresh : .opened)
        } catch let damage as LedgerDatabase.Damage {
            return try beginAnew(because: damage)
        } catch let error as LedgerError {
            throw error
        } catch {
            preconditionFailure("opening fails in two ways, not with \(error)")
        }
    }

    private func beginAnew(because damage: LedgerDatabase.Damage) throws(LedgerError) -> (
        LedgerDatabase, Ledger.Opening
    ) {
        // Taken away from under another program, what that one promises from now on would be lost. One that is just ending
        // gets the time to do so.
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
            // Where nothing else was set aside, the damaged copy was.
            return (database, (place ?? folder.lastSetAside).map { .setAside($0) } ?? .fresh)
        } catch let error as LedgerError {
            throw error
        } catch {
            throw LedgerError(
                "ledger.failed",
                "a new ledger came out damaged",
                nextStep: "look at the disk that it lies on (`dmesg`), then try again",
                cause: error
            )
        }
    }

    /// What the copy knows; nil where there is none, or a damaged one, which is set aside as well.
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

    /// From now on nobody sets it aside.
    private func share() throws(LedgerError) {
        guard bell.take(.shared) else {
            throw LedgerError(
                LedgerError.lockedCode,
                "another program keeps the ledger locked",
                nextStep: "end the other huddle program, then try again"
            )
        }
    }

    /// - Throws: `LedgerDatabase.Damage` where the file is not a sound ledger, `LedgerError` where it can't be told or used
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

    /// Before anything has been asked of the ledger, a statement that fails for no outer reason tells of the file.
    private func speaksOfDamage(_ error: LedgerError) -> Bool {
        guard let failure = error.failure else { return error.code == LedgerError.unreadableCode }
        if failure.isDamage || failure.isMismatch { return true }
        // A folder in its place can't be opened, for a file that isn't one; a header of a kind to come may be read and not
        // written.
        if failure.systemNumber == EISDIR { return true }
        return failure.speaksOfTheFileItself && folder.isWritable
    }
}
