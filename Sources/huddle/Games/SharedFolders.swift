import CommandTable
import Control
import Games
import Glibc
import Household
import LinuxPlatform

/// The folders that this machine keeps in sync, as the daemon says.
struct SharedFolders: Sendable {
    private let folders: [String: String]

    /// Nil where no daemon runs, or it does not say.
    static func ask(_ given: GivenValues) async -> SharedFolders? {
        guard let daemon = Daemon.connection(given) else { return nil }
        guard let sets = try? await sets(at: daemon) else { return nil }
        return SharedFolders(folders: sets)
    }

    @Engine
    private static func sets(at daemon: ControlConnection) async throws -> [String: String] {
        var folders: [String: String] = [:]
        let lines = try await daemon.news(ControlQuestion("GET", ["v1", "saves"]))
        while let news = try await lines.next() {
            if news.event == "save-set", let path = news.path { folders[real(path)] = news.name ?? "" }
        }
        if let failure = lines.failure { throw failure }
        return folders
    }

    /// The name under which a game is kept in sync; nil where none of its folders is.
    func name(of game: FoundGame) -> String? {
        game.places.lazy.compactMap { folders[Self.real($0.path)] }.first
    }

    private static func real(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
