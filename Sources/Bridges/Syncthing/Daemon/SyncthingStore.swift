import Glibc
import Household
import LinuxPlatform
import SyncthingBridge
import Vocabulary

/// The files of the Syncthing bridge, in the daemon's own folder. All calls are made off the engine's thread.
struct SyncthingStore: Sendable {
    private static let file = AtomicFile(name("syncthing.json"), mode: .privateFile)
    /// The greatest size of a folder's state: 250,000 entries of the usual length on both sides.
    private static let memoryLimit = 512 << 20

    /// The daemon's own folder.
    let state: String

    init(in state: String) { self.state = state }

    /// The folder of states, and of blocks until a version has them.
    private var folder: String { "\(state)/syncthing" }

    private static func name(_ text: String) -> FileName {
        guard let name = try? FileName(text) else { preconditionFailure("the name is a file's") }
        return name
    }

    /// Reads the settings; nil if there are none.
    func load() async throws -> SyncthingSettings? {
        try await runBlocking("syncthing") { [state] in
            let bytes = try Self.read(Self.file, in: try Folder(at: state), SyncthingSettings.maximumByteCount)
            return try bytes.map { try SyncthingSettings($0) }
        }
    }

    func save(_ settings: SyncthingSettings) async throws {
        try await runBlocking("syncthing") { [state] in
            try Self.file.write(settings.bytes, in: try Folder(at: state), overwriting: .allowed)
        }
    }

    private static func read(_ file: AtomicFile, in folder: borrowing Folder, _ limit: Int) throws -> [UInt8]? {
        do {
            return try file.read(in: folder, limit: limit)
        } catch {
            guard error.number == ENOENT else { throw error }
            return nil
        }
    }

    // MARK: Folders

    /// A name for the files of a folder, which is shared with a device.
    static func key(_ share: SyncthingSettings.Share, with device: DeviceID) -> String {
        "\(share.game)-\(device.shortText)"
    }

    private static func memoryFile(_ key: String) -> AtomicFile {
        AtomicFile(name("\(key).index"), mode: .privateFile)
    }

    /// Reads the state of a folder; nil if there is none.
    /// - Throws: `ProtocolViolation` if the file is damaged
    func memory(_ key: String) async throws -> FolderMemory? {
        try await runBlocking("syncthing") { [folder] in
            try FolderPath.make(folder, mode: .privateFolder)
            let bytes = try Self.read(Self.memoryFile(key), in: try Folder(at: folder), Self.memoryLimit)
            return try bytes.map { try FolderMemory(decoding: $0) }
        }
    }

    func save(_ memory: FolderMemory, _ key: String) async throws {
        try await runBlocking("syncthing") { [folder] in
            try Self.memoryFile(key).write(memory.encoded, in: try Folder(at: folder), overwriting: .allowed)
        }
    }

    /// Removes the state of a folder that is no longer shared.
    func remove(_ key: String) async {
        _ = try? await runBlocking("syncthing") { [folder] in
            try Folder(at: folder).remove(Self.name("\(key).index"))
        }
    }

    /// The folder of blocks that a device has sent, until a version has them.
    func staging(_ key: String) -> String { "\(folder)/\(key).blocks" }

    /// Removes the blocks that a killed daemon has left. No version has them, so the device is asked for them again.
    func removeStaging(_ key: String) async {
        _ = try? await runBlocking("syncthing") { [folder] in
            try Folder(at: folder).removeEntry(Self.name("\(key).blocks"), .folder)
        }
    }
}
