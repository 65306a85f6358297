import Glibc
import LinuxPlatform
import Vocabulary

/// The file system that a game's folder was on at the last scan. It is stored, so that it is known after a restart.
struct KnownDisk {
    /// Nil if it was not read from the notes yet, or is unknown.
    private var disk: UInt64?

    private static let file: AtomicFile = {
        guard let name = try? FileName("disk") else { preconditionFailure("letters are a valid name") }
        return AtomicFile(name)
    }()

    /// True if a folder is on another file system than at the last scan, as far as both are known. A game
    /// that replaces the folder does so on the same file system. A mount point without its disk, or with another disk,
    /// is on another one.
    ///
    /// - Parameter sameNumber: true if the folder has the same inode number; this decides if the file system has no
    ///   other identity than its device
    mutating func isElsewhere(
        _ root: borrowing Folder,
        sameNumber: Bool,
        _ notes: borrowing Folder
    ) throws(SystemError) -> Bool {
        guard let before = try before(notes) else { return false }
        let now = try FileSystem(of: root)
        return now.lastingID != before && !(sameNumber && now.isKnownByDevice)
    }

    /// The file system of the last scan; nil if it is unknown, or another folder was chosen since.
    mutating func before(_ notes: borrowing Folder) throws(SystemError) -> UInt64? {
        if let disk { return disk }
        do throws(SystemError) {
            let bytes = try Self.file.read(in: notes, limit: 64)
            disk = String(validating: bytes, as: UTF8.self).flatMap { UInt64($0, radix: 16) }
        } catch {
            guard error.number == ENOENT || error.number == EFBIG else { throw error }
        }
        return disk
    }

    /// Notes the file system of a folder that was scanned.
    mutating func note(_ root: borrowing Folder, _ notes: borrowing Folder) throws(SystemError) {
        let now = try FileSystem(of: root).lastingID
        guard disk != now else { return }
        disk = now
        // If it can't be stored, the check after the next start is skipped.
        try? Self.file.write(Array(String(now, radix: 16).utf8), in: notes, overwriting: .allowed)
    }

    /// Forgets the file system, because another folder was chosen.
    mutating func forget(_ notes: borrowing Folder) throws(SystemError) {
        disk = nil
        do throws(SystemError) { try notes.remove(Self.file.name) } catch {
            if error.number != ENOENT { throw error }
        }
    }
}
