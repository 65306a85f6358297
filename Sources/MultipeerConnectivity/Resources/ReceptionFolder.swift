import Dispatch
import Foundation
import Glibc
import LinuxPlatform
import Vocabulary

/// A temporary folder for one received file. It is removed with the last reference. The next program that receives a
/// file removes the folder of a program that was killed.
final class ReceptionFolder: Sendable {
    let path: String
    /// Lock of the folder itself, which the kernel releases when the process ends. Nil if the file system has no locks;
    /// then no program removes the folder.
    private let lock: LockedFile?

    private static let prefix = "multipeer-connectivity-"

    /// Creates a folder in the user's temporary place.
    static func make() throws -> ReceptionFolder {
        beginRemovingLeftovers
        // Between creation and locking, a cleaning program may take it for abandoned; so one retry.
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
        // In a shared temporary place another user can create a folder of this name, too.
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

    /// Runs once per program, in the background: there may be much to remove.
    private static let beginRemovingLeftovers: Void = {
        let root = NSTemporaryDirectory()
        DispatchQueue.global(qos: .utility).async { @Sendable in removeLeftovers(in: root) }
    }()

    /// Removes folders of programs that have ended.
    static func removeLeftovers(in root: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        for name in names where name.hasPrefix(prefix) && UUID(uuidString: String(name.dropFirst(prefix.count))) != nil
        {
            let path = "\(root)/\(name)"
            // A locked folder is in use; without locks this can't be known.
            guard let held = try? locked(path) else { continue }
            try? FileManager.default.removeItem(atPath: path)
            _ = consume held
        }
    }
}
