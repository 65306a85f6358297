import LinuxPlatform
import SaveRules
import Vocabulary

/// Finds out who has files open for writing: by leases, which the kernel grants where nobody has, and by `/proc` for a file without
/// leases and for saying who it is.
struct WriterSearch {
    private var held: Set<FileIdentity> = []
    private var doubtful: Set<FileIdentity> = []
    private var leases = PatientLease()

    /// Looks at one file.
    mutating func look(at name: FileName, in folder: borrowing Folder) throws(SystemError) {
        let identity = try folder.facts(of: name).identity
        let answer = try leases.take(.writersAway) { () throws(SystemError) in try folder.open(name) }
        switch answer {
        case .held: return
        case .inUse: held.insert(identity)
        case .unavailable: doubtful.insert(identity)
        }
    }

    /// Looks at the files of a set. What is not there any more is looked at by nobody.
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

    /// Whether somebody has one of the files open for writing, and who.
    func result() -> Occupancy {
        guard !held.isEmpty || !doubtful.isEmpty else { return .free }
        let writers = FileWriter.all(of: held.union(doubtful))
        return held.isEmpty && writers.isEmpty ? .free : .occupied(writers)
    }
}
