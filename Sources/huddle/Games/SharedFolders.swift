import CommandTable
import Control
import Games
import Glibc
import Household
import LinuxPlatform

/// The folders that this machine keeps in sync, as the daemon reports them.
struct SharedFolders: Sendable {
    private let folders: [String: String]

    /// Asks the daemon for the folders; nil if none runs, or it does not respond.
    static func ask(_ given: GivenValues) async -> SharedFolders? {
        guard let daemon = Daemon.connection(given) else { return nil }
        guard let sets = try? await sets(at: daemon) else { return nil }
        // A disk may delay the resolution of a path.
        let resolved = try? await runBlocking("shared") {
            Dictionary(sets.map { (real($0.path), $0.name) }, uniquingKeysWith: { first, _ in first })
        }
        return resolved.map { SharedFolders(folders: $0) }
    }

    @Engine
    private static func sets(at daemon: ControlConnection) async throws -> [(path: String, name: String)] {
        var sets: [(path: String, name: String)] = []
        let lines = try await daemon.events(Endpoint.games.request())
        while let line = try await lines.next() {
            if let game = line.game { sets.append((game.path, game.name)) }
        }
        if let failure = lines.failure { throw failure }
        return sets
    }

    /// Returns the name under which a game is kept in sync; nil if none of its folders is.
    func name(of game: FoundGame) -> String? {
        (game.places.map(\.real) + (game.sharedPlace.map { [$0.real] } ?? [])).lazy.compactMap { folders[$0] }.first
    }

    private static func real(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
