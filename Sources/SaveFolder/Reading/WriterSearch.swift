import LinuxPlatform
import SaveRules
import Vocabulary

/// Searches for programs that have files open for writing: by leases, which the kernel only grants without a writer,
/// and by `/proc` for files without lease support and for the names of the programs.
struct WriterSearch {
    private var held: Set<FileIdentity> = []
    private var doubtful: Set<FileIdentity> = []
    private var leases = RetriedLease()

    /// Checks one file.
    mutating func look(at name: FileName, in folder: borrowing Folder) throws(SystemError) {
        let identity = try folder.facts(of: name).identity
        let answer = try leases.take(.writersAway) { () throws(SystemError) in try folder.open(name) }
        switch answer {
        case .held: return
        case .inUse: held.insert(identity)
        case .unavailable: doubtful.insert(identity)
        }
    }

    /// Checks the files of a game. A missing file is skipped.
    mutating func look(
        at files: some Sequence<SavePath>,
        in root: borrowing Folder
    ) throws(SystemError) {
        var folders = FolderCursor()
        for path in files {
            do throws(SystemError) {
                let around = try folders.folder(around: path, in: root)
                try look(at: path.name, in: around.folder)
            } catch let error where DiskTrouble(error) == .notFound || DiskTrouble(error) == .noPermission {
                continue
            }
        }
    }

    /// The programs that have one of the files open for writing.
    func result() -> Occupancy {
        guard !held.isEmpty || !doubtful.isEmpty else { return .free }
        let writers = FileWriter.all(of: held.union(doubtful))
        return held.isEmpty && writers.isEmpty ? .free : .occupied(writers)
    }
}
