import CommandTable
import Control
import FoundationEssentials
import Glibc
import Household
import LinuxPlatform
import Vocabulary

/// `huddle config`: the daemon's settings.
enum ConfigCommand {
    static let path = Argument(optional: "FILE", .file, help: "the file (default: ~/.config/huddle/config.json5)")

    static let row = Command<CommandAction>(
        group: "config",
        summary: "show and check the daemon's settings",
        examples: [
            Example(
                "mkdir -p ~/.config/huddle && huddle config template > ~/.config/huddle/config.json5",
                "all settings, each explained"
            ),
            Example("huddle config show", "each setting, and where it comes from"),
            Example("huddle config check", "faults, before the daemon reads the file"),
        ],
        subcommands: [template, check, show]
    )

    private static let template = Command<CommandAction>(
        "template",
        summary: "print a file with all settings, each explained and with its default",
        examples: [Example("huddle config template", "all settings")],
        exitCodes: [.success]
    ) { _, console, _ in
        try await console.print(DaemonConfiguration.template, terminator: "")
        return .success
    }

    private static let check = Command<CommandAction>(
        "check",
        summary: "check the daemon's file for faults",
        arguments: [path],
        examples: [Example("huddle config check", "the file that the daemon reads")],
        exitCodes: [.success, .failure, .usage],
        action: check
    )

    private static let show = Command<CommandAction>(
        "show",
        summary: "show each setting of the daemon, and where it comes from",
        options: AskingOptions.all,
        examples: [
            Example("huddle config show", "each setting with its value and its source"),
            Example("huddle config show --json", "for a script"),
        ],
        exitCodes: [.success, .failure, .usage, .noDaemon, .interrupted],
        action: show
    )

    private static func show(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        try await Daemon.show(Endpoint.settings.request(), given, console, signals)
    }

    private static func check(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let places = Places(ProcessInfo.processInfo.environment)
        let named = given[path] ?? places.namedConfiguration
        let file = named ?? places.configuration
        let shown = PrintableText(file, limit: 4096)
        do {
            _ = try DaemonConfiguration(try ConfigurationFile(at: file).bytes(), from: file)
        } catch let error as SystemError where error.number == ENOENT && named == nil {
            try await console.say("there is no \(PrintableText(shortPath: file)), so the defaults count")
            return .success
        } catch let error as SystemError {
            throw CommandError(
                "configuration.unreadable",
                "\(shown) can't be read (\(error))",
                nextStep: "check the path"
            )
        }
        try await console.say("\(shown) has no faults; `systemctl --user reload huddled` applies it")
        return .success
    }
}
