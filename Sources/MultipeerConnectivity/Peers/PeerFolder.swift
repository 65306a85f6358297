import Foundation
import Glibc
import LinuxPlatform
import Synchronization
import Transport
import Vocabulary

/// The storage of a local peer: a temporary folder at first, and the app's own folder after the first archiving.
final class PeerFolder: Sendable {
    private let id: PeerID
    private let root = PeerFolder.keptRoot
    private let temporary = Mutex<String?>(nil)

    init(of id: PeerID) {
        self.id = id
    }

    deinit {
        guard let path = temporary.withLock({ $0 }) else { return }
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The folder for data about other peers, created if it is missing.
    func path() throws -> String {
        if FileManager.default.fileExists(atPath: keptPath) { return keptPath }
        return try temporary.withLock { temporary in
            if let temporary { return temporary }
            Self.removeLeftovers
            let name = "\(getpid())-\(UUID().uuidString)"
            let path = Self.temporaryRoot.map { "\($0)/\(name)" } ?? Self.placeOfItsOwn(name)
            try Self.makePrivateFolder(path)
            temporary = path
            return path
        }
    }

    func keptIdentity() -> Identity? { try? Identity.load(in: keptPath) }

    func keep(_ identity: Identity) {
        // If storing fails, the archive still has the name, and its reader becomes a new peer. No call could report the
        // error.
        _ = try? identity.keep(in: keptPath)
    }

    private var keptPath: String { "\(root)/\(id)" }

    /// The folder of keys. Tests replace it.
    @TaskLocal static var keptRoot = appRoot

    /// One folder for each app, named after its program.
    private static let appRoot: String = {
        let environment = ProcessInfo.processInfo.environment
        func folder(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        // Foundation uses the account's home, no matter what the environment says.
        let state = folder("XDG_STATE_HOME") ?? "\(folder("HOME") ?? NSHomeDirectory())/.local/state"
        let program = ProcessInfo.processInfo.processName.replacingOccurrences(of: "/", with: "-")
        return "\(state)/multipeer-connectivity/\(program)"
    }()

    /// Found again each time, as a cleaner may remove idle folders in a shared temporary place.
    private static var temporaryRoot: String? {
        let environment = ProcessInfo.processInfo.environment
        let runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.isEmpty ? nil : $0 }
        return ownFolder(
            runtime.map { "\($0)/multipeer-connectivity" }
                ?? "\(FileManager.default.temporaryDirectory.path)/multipeer-connectivity-\(getuid())"
        )
    }

    /// The folder at that path, created if it is missing; nil if it belongs to another user, or others may write to it.
    /// In a shared temporary place another user can create a folder of any name.
    static func ownFolder(_ path: String) -> String? {
        try? makePrivateFolder(path)
        let number = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let ownership = try? OwnedDescriptor(takingOwnershipOf: number).ownership()
        guard let ownership, ownership.isOurs, ownership.mode.rawValue & 0o022 == 0 else { return nil }
        return path
    }

    /// A folder in the temporary place, for a peer without a shared folder.
    private static func placeOfItsOwn(_ name: String) -> String {
        "\(FileManager.default.temporaryDirectory.path)/multipeer-connectivity-peer-\(name)"
    }

    /// Fails if the name is taken.
    private static func makePrivateFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: FileMode.privateFolder.rawValue]
        )
    }

    /// Removes folders of programs that ended without cleaning up.
    private static let removeLeftovers: Void = {
        guard let temporaryRoot else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: temporaryRoot)) ?? []
        for name in names {
            guard let process = name.split(separator: "-").first.flatMap({ pid_t($0) }) else { continue }
            if kill(process, 0) != 0, errno == ESRCH {
                try? FileManager.default.removeItem(atPath: "\(temporaryRoot)/\(name)")
            }
        }
    }()
}
