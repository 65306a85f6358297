import Glibc
import LinuxPlatform
import Vocabulary

/// The folder that the ledger lies in, and the files beside it.
struct LedgerFolder: Sendable {
    static let fileName = "ledger.sqlite"

    /// Locked by whoever is opening, so that checking, creating and setting aside happen one at a time.
    static let lockName = "ledger.lock"

    /// Held by every program that has the ledger open, and touched after each change; see ``LedgerChanges``.
    static let bellName = "ledger.bell"

    /// What only a person could say again, once more; see ``LedgerCopy``.
    static let copyName = "ledger.copy"

    /// There once a reader has met with damage in the ledger, until all of it was looked through.
    private static let suspicionName = "ledger.suspect"

    let path: String

    /// Makes the folder where there is none, and looks whether others could change what is in it.
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

    /// Opens one of the files beside the database, and makes it where there is none.
    func openCompanion(_ name: String) throws(LedgerError) -> OwnedDescriptor {
        do throws(SystemError) {
            return try Folder(at: path).openOrCreate(Self.known(name))
        } catch {
            throw Self.refusal(error)
        }
    }

    /// Makes the database's file, empty, for its owner alone. Answers whether there was none.
    func makeFile() throws(LedgerError) -> Bool {
        do throws(SystemError) {
            _ = try Folder(at: path).create(Self.known(Self.fileName))
            return true
        } catch let error where error.number == EEXIST {
            // By its path: opening and closing the file would drop the locks that SQLite has on it in this process.
            chmod(path(of: Self.fileName), FileMode.privateFile.rawValue)
            return false
        } catch {
            throw Self.refusal(error)
        }
    }

    /// Whether there is nothing, in the file or in its log. A single byte is nothing to SQLite too.
    var isEmpty: Bool {
        (size(of: Self.fileName) ?? 0) <= 1 && (size(of: Self.fileName + "-wal") ?? 0) == 0
    }

    /// Whether the file is empty although SQLite has written to its log.
    var hasLostItsContents: Bool {
        (size(of: Self.fileName) ?? 0) <= 1 && (size(of: Self.fileName + "-wal") ?? 0) > 0
    }

    /// Whether the file, by its mode and its disk, may be written.
    var isWritable: Bool { access(path(of: Self.fileName), W_OK) == 0 && access(path, W_OK) == 0 }

    /// Whether somebody has met with damage that an opening does not look for by itself.
    var isSuspect: Bool { size(of: Self.suspicionName) != nil }

    /// Whether the database, its log left out, is no larger than that.
    func isNoLargerThan(_ byteCount: Int) -> Bool { (size(of: Self.fileName) ?? 0) <= byteCount }

    /// Has the next opening look through all of it, if the disk takes that.
    func suspect() { _ = try? openCompanion(Self.suspicionName) }

    /// All of it was looked through, or set aside.
    func clearSuspicion() {
        guard isSuspect else { return }
        _ = unlink(path(of: Self.suspicionName))
    }

    /// Which file lies there.
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
    /// Gives the database and its log other names, next to where they were. What is damaged may still be worth something.
    ///
    /// The log goes first: killed in between, the next opening finds the damaged file again, and nothing has been deleted.
    ///
    /// - Returns: where they are now; nil where there was nothing
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

    /// Where what was set aside the last time is; nil where nothing is.
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
        nextStep: "end huddle and start it anew"
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
