import Digests
import LinuxPlatform
import SaveRules
import SaveSync

/// The MD5 of each file of a version, which RetroArch wants. What was calculated is remembered by the pieces of a file.
@Engine final class FileHashes {
    private static let mostRemembered = 20_000

    private let games: any BridgedGames
    private var known: [[PieceReference]: String] = [:]

    init(_ games: any BridgedGames) { self.games = games }

    /// The MD5 of each file.
    func all(of manifest: Manifest) async throws -> [SavePath: String] {
        guard manifest.entries.count <= DeviceManifest.maximumFileCount else {
            throw DeviceRequest.Refusal(507, "the game has more than \(DeviceManifest.maximumFileCount) files")
        }
        var hashes: [SavePath: String] = [:]
        for entry in manifest.entries {
            guard let file = entry.file else { continue }
            hashes[entry.path] = try await hash(of: file.pieces)
        }
        return hashes
    }

    private func hash(of pieces: [PieceReference]) async throws -> String {
        if let known = known[pieces] { return known }
        var stream = MD5Stream()
        for piece in pieces { stream.update(try await games.bytes(of: piece.id)) }
        let hash = MD5Stream.text(of: stream.finish())
        if known.count >= Self.mostRemembered { known.removeAll() }
        known[pieces] = hash
        return hash
    }

    func forget() { known = [:] }
}
