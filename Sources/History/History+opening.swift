import Glibc
import LinuxPlatform
import SaveRules
import Synchronization
import Vocabulary

extension History {
    private static let lockName = IndexFile.fileName("lock")
    static let sealName = IndexFile.fileName("seal")
    private static let newSealName = IndexFile.fileName("seal.new")
    /// The greatest number of files in a history: packs for 64 TiB.
    static let fileLimit = 1_000_000

    /// Opens the history in a folder, creates the folder if there is none, and recovers from a crash or power cut:
    /// records that were never confirmed are cut off if they are not whole.
    ///
    /// If nothing can be read, moves the files aside and begins a new history: ``setAside`` has the path.
    ///
    /// - Parameters:
    ///   - path: the folder; only its owner may enter it
    ///   - access: reading, or reading and writing
    /// - Throws: `history.busy` while another program writes
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
                // The new folder must survive a power cut, too, before anything in it is confirmed.
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

    /// The seal and the result of recovering it.
    struct Opening {
        let seal: PackSeal
        var setAside: String?
    }

    /// Finds the seal. It is in a file of its own, in every pack and in the index, so that no single damage makes the
    /// whole history unreadable.
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
        // Packs whose seal is lost can't be read. A new seal beside them would only hide that.
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

    /// Moves all files into a new folder `damaged-N`. If this is interrupted, the next opening continues.
    private static func setAside(_ packs: [UInt32], in folder: borrowing Folder) throws(SystemError) -> FileName {
        var number = 1
        while try folder.holds(IndexFile.fileName("damaged-\(number)")) { number += 1 }
        let name = IndexFile.fileName("damaged-\(number)")
        let aside = try folder.createFolder(name)
        // The packs move last: once they are gone, the next opening would not continue moving the rest.
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

    /// True if the packs hold more than a crash would leave while the first pack is made.
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
