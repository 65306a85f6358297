import Foundation
import Glibc
import LinuxPlatform
import Synchronization
import Transport
import Vocabulary

/// Where a local peer keeps its things: while it lasts only as long as the program in a temporary folder, and from its first
/// archiving on in the app's own.
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

    /// The folder for what is remembered of others, made if it is not there.
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
        // An archive without its key is still one's name; whoever reads it is somebody new then, and no call could tell more.
        _ = try? identity.keep(in: keptPath)
    }

    private var keptPath: String { "\(root)/\(id)" }

    /// Where keys are kept. Tests put a folder of their own in its place.
    @TaskLocal static var keptRoot = appRoot

    /// One folder for each app, called like its program.
    private static let appRoot: String = {
        let environment = ProcessInfo.processInfo.environment
        func folder(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        // Foundation asks for the account's home, whatever the environment says.
        let state = folder("XDG_STATE_HOME") ?? "\(folder("HOME") ?? NSHomeDirectory())/.local/state"
        let program = ProcessInfo.processInfo.processName.replacingOccurrences(of: "/", with: "-")
        return "\(state)/multipeer-connectivity/\(program)"
    }()

    /// Looked for each time: what lies idle in a place for everybody's things may be tidied away.
    private static var temporaryRoot: String? {
        let environment = ProcessInfo.processInfo.environment
        let runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.isEmpty ? nil : $0 }
        return ownFolder(
            runtime.map { "\($0)/multipeer-connectivity" }
                ?? "\(FileManager.default.temporaryDirectory.path)/multipeer-connectivity-\(getuid())"
        )
    }

    /// The folder of that path, made if it is not there; nil where it is another's, or others may write in it: in a place for everybody's things another user
    /// can make a folder of any name.
    static func ownFolder(_ path: String) -> String? {
        try? makePrivateFolder(path)
        let number = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let ownership = try? OwnedDescriptor(takingOwnershipOf: number).ownership()
        guard let ownership, ownership.isOurs, ownership.mode.rawValue & 0o022 == 0 else { return nil }
        return path
    }

    /// Where there is no folder to have it in.
    private static func placeOfItsOwn(_ name: String) -> String {
        "\(FileManager.default.temporaryDirectory.path)/multipeer-connectivity-peer-\(name)"
    }

    /// Fails where something of that name is there.
    private static func makePrivateFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: FileMode.privateFolder.rawValue]
        )
    }

    /// What programs left that ended without tidying up.
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
