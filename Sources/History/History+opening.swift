import Glibc
import LinuxPlatform
import SaveRules
import Synchronization
import Vocabulary

extension History {
    private static let lockName = IndexFile.fileName("lock")
    static let sealName = IndexFile.fileName("seal")
    private static let newSealName = IndexFile.fileName("seal.new")
    /// How many files a history may have: packs for 64 TiB.
    static let fileLimit = 1_000_000

    /// Opens the history in a folder, which is made where there is none, and makes good what a crash or a power cut left: what was written and
    /// never promised is cut off where it is not whole.
    ///
    /// Where nothing can be read any more, that is set aside, and a new history begins: ``setAside`` says where.
    ///
    /// - Parameters:
    ///   - path: the folder; nobody but its owner may enter it
    ///   - access: what for
    /// - Throws: `history.busy` while somebody else writes
    public static func open(at path: String, for access: Access = .writing) throws(HistoryError) -> History {
        try open(at: path, for: access, by: .kernel, packLimit: WriterState.usualPackLimit)
    }

    package static func open(
        at path: String,
        for access: Access = .writing,
        by calls: StoreCalls = .kernel,
        packLimit: UInt64 = WriterState.usualPackLimit
    ) throws(HistoryError) -> History {
        let folder = try folder(at: path, access)
        let lock = access == .writing ? try locked(folder, path) : nil
        let opening = try begin(in: folder, at: path, access, calls)
        let history = History(folder, lock, opening, access, calls, packLimit: packLimit)
        try history.writer.withLock { writer throws(HistoryError) in try history.load(&writer) }
        return history
    }

    private static func folder(at path: String, _ access: Access) throws(HistoryError) -> Folder {
        try explaining { () throws(SystemError) in
            do throws(SystemError) {
                return try Folder(at: path)
            } catch let error where error.number == ENOENT && access == .writing {
                try retrying("mkdir", on: path) { mkdir(path, 0o700) }
                let folder = try Folder(at: path)
                try folder.setMode(.privateFolder)
                // What is promised within must not be lost with the folder itself.
                try Folder(at: "\(path)/..").sync()
                return folder
            }
        }
    }

    private static func locked(_ folder: borrowing Folder, _ path: String) throws(HistoryError) -> LockedFile {
        let file = try explaining { () throws(SystemError) in try folder.openOrCreate(lockName).lockedForWriting() }
        guard let file else { throw .busy(path) }
        return file
    }

    /// The numbers of all packs, ascending.
    static func packs(in folder: borrowing Folder) throws(HistoryError) -> [UInt32] {
        let entries = try explaining { () throws(SystemError) in try folder.entries(limit: fileLimit) }
        return entries.compactMap { entry in
            guard entry.kind == .file, let name = entry.name else { return nil }
            return PackFile.number(of: name)
        }.sorted()
    }

    // MARK: The seal

    /// What an opening begins with.
    struct Opening {
        let seal: PackSeal
        var setAside: String?
    }

    /// The seal stands in a file of its own, in every pack and in the index, so that no single damage can make the whole unreadable.
    private static func begin(
        in folder: borrowing Folder,
        at path: String,
        _ access: Access,
        _ calls: StoreCalls
    ) throws(HistoryError) -> Opening {
        if let seal = try seal(in: sealName, ofPack: 0, folder) { return Opening(seal: seal) }
        let packs = try packs(in: folder)
        var found: PackSeal?
        for number in packs where found == nil { found = try seal(in: PackFile.name(number), ofPack: number, folder) }
        if found == nil { found = try explaining { () throws(SystemError) in try IndexFile.seal(in: folder) } }
        var opening = Opening(seal: found ?? PackSeal.random())
        // Packs without any seal can't be read; a new one beside them would only hide that.
        if found == nil, try hasContents(packs, folder) {
            guard access == .writing else { throw .unreadable() }
            opening.setAside = try explaining { () throws(SystemError) in
                "\(path)/\(try setAside(packs, in: folder).text)"
            }
        }
        if access == .writing {
            try explaining { () throws(SystemError) in try write(opening.seal, in: folder, calls) }
        }
        return opening
    }

    /// Moves all that there is into a folder that no earlier damage has made. What is interrupted is gone on with by the next opening.
    private static func setAside(_ packs: [UInt32], in folder: borrowing Folder) throws(SystemError) -> FileName {
        var number = 1
        while try folder.holds(IndexFile.fileName("damaged-\(number)")) { number += 1 }
        let name = IndexFile.fileName("damaged-\(number)")
        let aside = try folder.createFolder(name)
        // The packs come last: without them nothing would be set aside any more.
        for file in [sealName, IndexFile.fileName(IndexFile.name)] where try folder.holds(file) {
            try folder.rename(file, to: file, in: aside, overwriting: .forbidden)
        }
        for file in packs.map(PackFile.name) { try folder.rename(file, to: file, in: aside, overwriting: .forbidden) }
        try aside.sync()
        try folder.sync()
        return name
    }

    private static func seal(
        in name: FileName,
        ofPack number: UInt32,
        _ folder: borrowing Folder
    ) throws(HistoryError) -> PackSeal? {
        let head = try explaining { () throws(SystemError) -> [UInt8]? in
            do throws(SystemError) {
                return try PackFile(number, try folder.open(name)).read(PackSeal.fileByteCount, at: 0)
            } catch let error where error.number == ENOENT {
                return nil
            }
        }
        guard let head else { return nil }
        let result = head.withUnsafeBytes { bytes -> Result<PackSeal, PackSeal.HeadFault> in
            do throws(PackSeal.HeadFault) {
                return .success(try PackSeal(head: bytes, ofPack: number))
            } catch {
                return .failure(error)
            }
        }
        if case .failure(.newerForm) = result { throw .newerForm() }
        return try? result.get()
    }

    /// Whether there is more in the packs than a crash while the first was made would leave.
    private static func hasContents(_ packs: [UInt32], _ folder: borrowing Folder) throws(HistoryError) -> Bool {
        for number in packs {
            let size = try explaining { () throws(SystemError) in try folder.facts(of: PackFile.name(number)).size }
            if size > PackSeal.fileByteCount { return true }
        }
        return false
    }

    static func write(_ seal: PackSeal, in folder: borrowing Folder, _ calls: StoreCalls) throws(SystemError) {
        try? calls.remove(folder, newSealName)
        let file = try calls.create(folder, newSealName)
        var failure: SystemError?
        seal.head(ofPack: 0).withUnsafeBytes { bytes in
            do throws(SystemError) { try calls.write(file, bytes, 0) } catch { failure = error }
        }
        if let failure { throw failure }
        try calls.sync(file)
        try calls.rename(folder, newSealName, sealName)
        try calls.syncFolder(folder)
    }
}
