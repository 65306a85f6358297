import Dispatch
import Foundation
import Glibc
import LinuxPlatform
import Vocabulary

/// A temporary folder for one file that comes. It goes with the last that holds this; what a program leaves that is killed, the next
/// program that receives something takes away.
final class ReceptionFolder: Sendable {
    /// Where it is.
    let path: String
    /// Of the folder itself. The kernel lets go for the dead. Nil where the file system has no locks; then nobody takes it away.
    private let lock: LockedFile?

    private static let prefix = "multipeer-connectivity-"

    /// One in the user's place for temporary things.
    static func make() throws -> ReceptionFolder {
        beginRemovingLeftovers
        // Between its making and its locking somebody who tidies up may take it for abandoned, and hardly ever does.
        return try (try? ReceptionFolder(in: NSTemporaryDirectory())) ?? ReceptionFolder(in: NSTemporaryDirectory())
    }

    init(in root: String) throws {
        path = "\(root)/\(Self.prefix)\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: FileMode.privateFolder.rawValue]
        )
        lock = try Self.locked(path)
        guard FileManager.default.fileExists(atPath: path) else { throw Self.taken }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    private static let taken = SystemError("flock", EWOULDBLOCK)

    private static func locked(_ path: String) throws(SystemError) -> LockedFile? {
        let number = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { throw SystemError("open", errno) }
        let descriptor = OwnedDescriptor(takingOwnershipOf: number)
        // In a place for everybody's things another user can make a folder of such a name, too.
        let ownership = try descriptor.ownership()
        guard ownership.isOurs, ownership.mode.rawValue & 0o022 == 0 else { throw taken }
        let lock: LockedFile?
        do throws(SystemError) {
            lock = try descriptor.lockedForWriting()
        } catch {
            return nil
        }
        guard let lock else { throw taken }
        return lock
    }

    /// Once in a program, beside everything else: there may be much to remove.
    private static let beginRemovingLeftovers: Void = {
        let root = NSTemporaryDirectory()
        DispatchQueue.global(qos: .utility).async { @Sendable in removeLeftovers(in: root) }
    }()

    /// Removes the folders of programs that are no more.
    static func removeLeftovers(in root: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        for name in names where name.hasPrefix(prefix) && UUID(uuidString: String(name.dropFirst(prefix.count))) != nil
        {
            let path = "\(root)/\(name)"
            // Whoever has the lock is at work; without locks nobody can tell.
            guard let held = try? locked(path) else { continue }
            try? FileManager.default.removeItem(atPath: path)
            _ = consume held
        }
    }
}
