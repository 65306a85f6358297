import Glibc
import LinuxPlatform
import SaveRules
import Vocabulary

/// The opening of a history's folder: its lock, its seal, and the new beginning if nothing of it can be read.
struct HistoryOpening {
    let store: HistoryStore
    /// The path of an unreadable older history that was moved aside; nil if there was none.
    let setAside: String?

    private static let lockName = IndexFile.fileName("lock")
    private static let sealName = IndexFile.fileName("seal")
    private static let newSealName = IndexFile.fileName("seal.new")

    init(
        _ path: String,
        _ access: HistoryAccess,
        _ calls: StoreCalls,
        packLimit: UInt64
    ) throws(HistoryError) {
        let folder = try Self.folder(at: path, access)
        let lock = access == .writing ? try Self.locked(folder, path) : nil
        let found = try Self.foundSeal(in: folder, at: path, access, calls)
        setAside = found.setAside
        store = HistoryStore(folder, lock, found.seal, access, calls, packLimit: packLimit)
    }

    private static func folder(at path: String, _ access: HistoryAccess) throws(HistoryError) -> Folder {
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

    // MARK: The seal

    /// Finds the seal. It is in a file of its own, in every pack and in the index, so that no single damage makes the
    /// whole history unreadable.
    private static func foundSeal(
        in folder: borrowing Folder,
        at path: String,
        _ access: HistoryAccess,
        _ calls: StoreCalls
    ) throws(HistoryError) -> (seal: PackSeal, setAside: String?) {
        if let seal = try seal(in: sealName, ofPack: 0, folder) { return (seal, nil) }
        let packs = try PackFile.numbers(in: folder)
        var found: PackSeal?
        for number in packs where found == nil { found = try seal(in: PackFile.name(number), ofPack: number, folder) }
        if found == nil { found = try explaining { () throws(SystemError) in try IndexFile.seal(in: folder) } }
        var asidePath: String?
        // Packs whose seal is lost can't be read. A new seal beside them would only hide that.
        if found == nil, try hasContents(packs, folder) {
            guard access == .writing else { throw .unreadable() }
            asidePath = try explaining { () throws(SystemError) in
                "\(path)/\(try setAside(packs, in: folder).text)"
            }
        }
        let chosen = found ?? PackSeal.random()
        if access == .writing {
            try explaining { () throws(SystemError) in try write(chosen, in: folder, calls) }
        }
        return (chosen, asidePath)
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

    private static func write(_ seal: PackSeal, in folder: borrowing Folder, _ calls: StoreCalls) throws(SystemError) {
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
