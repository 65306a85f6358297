import Glibc
import LinuxPlatform
import Vocabulary

/// The folder of the ledger, and the files beside it.
struct LedgerFolder: Sendable {
    static let fileName = "ledger.sqlite"

    /// The lock of a program that opens the ledger, so that checks, creation and moving aside happen one at a time.
    static let lockName = "ledger.lock"

    /// The lock that every program holds while the ledger is open. It is touched after each change; see
    /// ``LedgerChanges``.
    static let bellName = "ledger.bell"

    /// The copy of facts that only the user could enter again; see ``LedgerCopy``.
    static let copyName = "ledger.copy"

    /// The mark that a reader has found damage in the ledger. It stays until the whole ledger is checked.
    private static let suspicionName = "ledger.suspect"

    let path: String

    /// Creates the folder if there is none. Throws if other users may change its contents.
    init(at path: String) throws(LedgerError) {
        self.path = path
        do throws(SystemError) {
            try Self.makeFolders(path)
        } catch {
            throw Self.refusal(error)
        }
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw Self.refusal(SystemError("stat", on: path)) }
        guard facts.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            throw LedgerError(
                "ledger.folder-open-to-others",
                "others may change what is in the folder “\(PrintableText(path))”",
                nextStep: "take that right away with `chmod go-w`, or choose another folder"
            )
        }
    }

    func path(of name: String) -> String { "\(path)/\(name)" }

    /// Opens a file beside the database, and creates it if there is none.
    func openCompanion(_ name: String) throws(LedgerError) -> OwnedDescriptor {
        do throws(SystemError) {
            return try Folder(at: path).openOrCreate(Self.known(name))
        } catch {
            throw Self.refusal(error)
        }
    }

    /// Creates the database's file, empty and private to its owner. Returns true if there was none.
    func makeFile() throws(LedgerError) -> Bool {
        do throws(SystemError) {
            _ = try Folder(at: path).create(Self.known(Self.fileName))
            return true
        } catch let error where error.number == EEXIST {
            // By its path: opening and closing the file would drop the locks that SQLite holds on it in this process.
            chmod(path(of: Self.fileName), FileMode.privateFile.rawValue)
            return false
        } catch {
            throw Self.refusal(error)
        }
    }

    /// True if the file and its log are empty. SQLite treats a file of one byte as empty, too.
    var isEmpty: Bool {
        (size(of: Self.fileName) ?? 0) <= 1 && (size(of: Self.fileName + "-wal") ?? 0) == 0
    }

    /// True if the file is empty although SQLite has written to its log.
    var hasLostItsContents: Bool {
        (size(of: Self.fileName) ?? 0) <= 1 && (size(of: Self.fileName + "-wal") ?? 0) > 0
    }

    /// True if the modes and the disk allow writing.
    var isWritable: Bool { access(path(of: Self.fileName), W_OK) == 0 && access(path, W_OK) == 0 }

    /// True if a reader has found damage that an opening does not look for by itself.
    var isSuspect: Bool { size(of: Self.suspicionName) != nil }

    /// Returns true if the database without its log has at most `byteCount` bytes.
    func isNoLargerThan(_ byteCount: Int) -> Bool { (size(of: Self.fileName) ?? 0) <= byteCount }

    /// Makes the next opening check the whole ledger, if the mark can be written.
    func suspect() { _ = try? openCompanion(Self.suspicionName) }

    /// Removes the mark after the whole ledger was checked or moved aside.
    func clearSuspicion() {
        guard isSuspect else { return }
        _ = unlink(path(of: Self.suspicionName))
    }

    /// The identity of the database file; nil if there is none.
    var file: FileIdentity? { try? FileFacts(at: path(of: Self.fileName)).identity }

    private func size(of name: String) -> Int? {
        var facts = stat()
        return stat(path(of: name), &facts) == 0 ? Int(facts.st_size) : nil
    }

    private static func makeFolders(_ path: String) throws(SystemError) {
        guard mkdir(path, FileMode.privateFolder.rawValue) != 0 else { return }
        switch errno {
        case EEXIST: return
        case ENOENT: break
        default: throw SystemError("mkdir", on: path)
        }
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw SystemError("mkdir", ENOENT, on: path)
        }
        try makeFolders(String(path[..<slash]))
        try retrying("mkdir", on: path) { mkdir(path, FileMode.privateFolder.rawValue) }
    }
}

extension LedgerFolder {
    /// Renames the database and its log beside their old place, because a damaged ledger may still be of use.
    ///
    /// The log goes first: if the program is killed in between, the next opening finds the damaged file again, and
    /// nothing has been deleted.
    ///
    /// - Returns: the new path; nil if there was nothing
    func setAside() throws(LedgerError) -> String? {
        do throws(SystemError) {
            let folder = try Folder(at: path)
            let place = asideName(firstFreeNumber)
            var isMoved = false
            for ending in Self.endings {
                do throws(SystemError) {
                    try folder.rename(
                        Self.known(Self.fileName + ending),
                        to: Self.known(place + ending),
                        overwriting: .forbidden
                    )
                    isMoved = true
                } catch let error where error.number == ENOENT {
                    continue
                }
            }
            try folder.sync()
            return isMoved ? path(of: place) : nil
        } catch {
            throw Self.refusal(error)
        }
    }

    /// The path of the database that was moved aside last; nil if there is none.
    var lastSetAside: String? {
        let number = firstFreeNumber - 1
        return number > 0 ? path(of: asideName(number)) : nil
    }

    private static let endings = ["-wal", "-shm", "-journal", ""]

    private func asideName(_ number: Int) -> String { "\(Self.fileName).damaged-\(number)" }

    private var firstFreeNumber: Int {
        var number = 1
        var facts = stat()
        while !Self.endings.allSatisfy({ lstat(path(of: asideName(number) + $0), &facts) != 0 }) { number += 1 }
        return number
    }

    static func known(_ name: String) -> FileName {
        guard let name = try? FileName(name) else { preconditionFailure("the ledger's own names are file names") }
        return name
    }

    static let replaced = LedgerError(
        "ledger.replaced",
        "another file has taken the ledger's place",
        nextStep: "restart huddle"
    )

    static func refusal(_ error: SystemError) -> LedgerError {
        switch error.number {
        case ENOSPC, EDQUOT:
            LedgerError(
                LedgerError.diskFullCode,
                "there is no space left for the ledger",
                nextStep: "make room on that disk, then try again",
                cause: error
            )
        case EROFS, EACCES, EPERM:
            LedgerError(
                LedgerError.readOnlyCode,
                "the ledger's folder can't be written",
                nextStep: "see to it that it belongs to you and that the disk is not mounted read-only",
                cause: error
            )
        default:
            LedgerError(
                LedgerError.cannotOpenCode,
                "the ledger's folder can't be used",
                nextStep: "see to it that it is a folder and belongs to you, or choose another one",
                cause: error
            )
        }
    }
}
