import Glibc
import LinuxPlatform
import Vocabulary

/// The file of the settings, in the daemon's own folder. All calls are made off the engine's thread.
struct RetroArchStore: Sendable {
    private static let file: AtomicFile = {
        guard let name = try? FileName("retroarch.json") else { preconditionFailure("the name is a file's") }
        return AtomicFile(name, mode: .privateFile)
    }()

    private let state: String

    /// - Parameter state: the daemon's own folder
    init(in state: String) { self.state = state }

    /// The folder of files that devices send, until a version has them.
    var uploads: String { "\(state)/retroarch" }

    /// Reads the settings; nil if there are none.
    func load() async throws -> RetroArchSettings? {
        try await runBlocking("retroarch") { [state] in
            let folder = try Folder(at: state)
            do {
                return try RetroArchSettings(
                    try Self.file.read(in: folder, limit: RetroArchSettings.maximumByteCount)
                )
            } catch let error as SystemError where error.number == ENOENT {
                return nil
            }
        }
    }

    func save(_ settings: RetroArchSettings) async throws {
        try await runBlocking("retroarch") { [state] in
            try Self.file.write(settings.bytes, in: try Folder(at: state), overwriting: .allowed)
        }
    }

    /// Removes the uploads of a daemon that was killed. No version has them, so the devices are asked for them again.
    func removeUploads() async {
        _ = try? await runBlocking("retroarch") { [uploads] in
            let place = try Folder(at: uploads)
            for entry in try place.entries(limit: 100_000) {
                if let name = entry.name { try place.removeEntry(name, entry.kind) }
            }
        }
    }
}
