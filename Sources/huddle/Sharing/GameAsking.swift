import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// The parts that the commands about shared games share.
enum GameAsking {
    static let exitCodes: [ExitCode] = [.success, .failure, .usage, .unreachable, .noDaemon, .interrupted]

    static let game = Argument(
        "GAME",
        .text.named("GAME"),
        help: "the name of a shared game, as `huddle list` shows it"
    )
    static let anyGame = Argument(optional: "GAME", .text.named("GAME"), help: "which game (default: all)")
    static let version = Argument("GAME@VERSION", .text.named("GAME@VERSION"), help: "a version, as in celeste@12")

    /// Splits a game and its version, which the user types as one word.
    static func version(_ typed: String) throws(CommandError) -> (game: String, version: String) {
        let parts = typed.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw CommandError(
                ErrorCode(.invalid, "command.no-version"),
                "“\(PrintableText(typed, limit: 200))” names no version",
                nextStep: "write it like celeste@12; `huddle history celeste` lists them"
            )
        }
        return (String(parts[0]), String(parts[1]))
    }
}

extension ControlConnection {
    /// Reads all lines of a response that ends by itself.
    @Engine
    func all(_ request: APIRequest) async throws -> [DaemonLine] {
        var answers: [DaemonLine] = []
        let lines = try await events(request)
        while let line = try await lines.next() { answers.append(line) }
        if let failure = lines.failure { throw failure }
        return answers
    }
}

/// The body of a request about games, with the fields that the user gave.
struct GameBody: JSONShape {
    var fields = JSONFields()
}
