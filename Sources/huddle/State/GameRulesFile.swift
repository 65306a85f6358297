import CommandTable
import GameState
import SecureArchive
import Vocabulary

/// What is known about the game of a save: what a file of rules says, over what is known without one.
enum GameRulesFile {
    static let option = Option(
        "rules",
        .file,
        help: "a file that says how saves of this game become one, and what one says; see docs/reference/merge-rules.md"
    )

    /// The rules of the file that was given; nil where none was.
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
