import CommandTable
import FoundationEssentials
import LinuxPlatform
import Vocabulary

/// What a command does: it gets what was read, a terminal to speak to and the signals, and answers with an exit code.
typealias CommandAction = @Sendable (GivenValues, Console, Signals) async throws -> ExitCode

/// The `huddle` command: it reads the command line and hands over.
@main
enum HuddleProgram {
    static let table = ProgramTable(
        Command<CommandAction>(
            group: "huddle",
            summary: "keep game saves in step across the machines of one household",
            discussion: """
                Today huddle finds other machines on the local network and makes this one known to them. Sessions, \
                messages and saves come next.
                """,
            examples: [
                Example("huddle browse", "see who is there"),
                Example("huddle advertise Deck", "be seen by others as Deck"),
            ],
            exitCodes: [.success, .failure, .usage, .noAvahi],
            subcommands: [AdvertiseCommand.row, BrowseCommand.row]
        ),
        version: "0.1.0"
    )

    static func main() {
        Program.run { signals in
            let console = Console()
            do {
                let words = Array(CommandLine.arguments.dropFirst())
                let environment = ProcessInfo.processInfo.environment
                switch try table.read(words, environment: environment, width: console.width) {
                case .show(let text):
                    try await console.print(text, terminator: "")
                    return CInt(ExitCode.success.number)
                case .perform(let action, let given):
                    return CInt(try await action(given, console, signals).number)
                }
            } catch let error as UsageError {
                await console.complain(error.description)
                return CInt(ExitCode.usage.number)
            } catch Console.Failure.readerHasGone {
                // Whoever reads our output has seen enough, as in “huddle browse | head”.
                return CInt(ExitCode.success.number)
            } catch {
                await console.complain("\(error)")
                return CInt(ExitCode.failure.number)
            }
        }
    }
}
