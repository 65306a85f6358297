import CommandTable
import Control
import LinuxPlatform

/// The commands of one bridge that send a single request each, such as `huddle retroarch block phone`.
struct BridgeCommands: Sendable {
    /// The name of the bridge, as the user types it.
    let bridge: String
    private let exitCodes: [ExitCode] = [.success, .failure, .usage, .noDaemon, .interrupted]

    /// Creates a command that sends one request and prints the response.
    ///
    /// - Parameter example: the words after the name, and their effect
    func command(
        _ name: String,
        _ summary: String,
        _ arguments: [any DeclaredArgument] = [],
        example: (words: String, effect: String),
        _ request: @escaping @Sendable (GivenValues) -> APIRequest
    ) -> Command<CommandAction> {
        let line = "huddle \(bridge) \(name)" + (example.words.isEmpty ? "" : " " + example.words)
        return Command<CommandAction>(
            name,
            summary: summary,
            arguments: arguments,
            options: AskingOptions.all,
            examples: [Example(line, example.effect)],
            exitCodes: exitCodes
        ) { given, console, signals in
            try await Daemon.show(request(given), given, console, signals)
        }
    }
}
