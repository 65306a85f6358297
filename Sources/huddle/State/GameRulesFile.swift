import CommandTable
import GameState
import SecureArchive
import Vocabulary

/// The file with a user's rules for the saves of a game.
enum GameRulesFile {
    static let option = Option(
        "rules",
        .file,
        help: "a file of rules for merging and summing up saves of this game; see docs/reference/merge-rules.md"
    )

    /// Reads the rules from the file that the user gave; nil without one.
    static func rules(_ given: GivenValues) async throws -> GameRules? {
        guard let path = given[option] else { return nil }
        let file = StateFile(path: path)
        let bytes: [UInt8]
        do {
            bytes = try await file.read(limit: GameRules.byteLimit)
        } catch let error as ArchiveError {
            throw StateError(.badRules, "\(file.shown): \(error.message)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw StateError(.badRules, "\(file.shown) is not UTF-8")
        }
        do {
            return try GameRules(parsing: text)
        } catch {
            throw CommandError(error.code, "\(file.shown): \(error.message)", nextStep: error.nextStep)
        }
    }
}
