import CommandTable
import Control
import LinuxPlatform

/// The commands of one bridge that send a single request each, such as `huddle retroarch block phone`.
struct BridgeCommands: Sendable {
    /// The name of the bridge, as the user types it and as the daemon's paths have it.
    let bridge: String
    private let exitCodes: [ExitCode] = [.success, .failure, .usage, .noDaemon, .interrupted]

    func path(_ rest: [String]) -> [String] { ["v1", bridge] + rest }

    /// Creates a command that sends one request and prints the response.
    ///
    /// - Parameters:
    ///   - example: the words after the name, and their effect
    ///   - rest: the path below that of the bridge
    func command(
        _ name: String,
        _ summary: String,
        _ method: String,
        _ arguments: [any DeclaredArgument] = [],
        example: (words: String, effect: String),
        _ rest: @escaping @Sendable (GivenValues) -> [String]
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
            try await Daemon.show(APIRequest(method, path(rest(given))), given, console, signals)
        }
    }
}
