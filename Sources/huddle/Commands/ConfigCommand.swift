import CommandTable
import Control
import FoundationEssentials
import Glibc
import Household
import Ledger
import LinuxPlatform
import Vocabulary

/// `huddle config`: what the daemon is to be like.
enum ConfigCommand {
    static let path = Argument(optional: "FILE", .file, help: "else ~/.config/huddle/config.json5")

    static let row = Command<CommandAction>(
        group: "config",
        summary: "see what the daemon can be told, and whether its file is right",
        examples: [
            Example(
                "mkdir -p ~/.config/huddle && huddle config template > ~/.config/huddle/config.json5",
                "all settings, each explained"
            ),
            Example("huddle config show", "what holds, and where each of it comes from"),
            Example("huddle config check", "what is wrong, before the daemon is told to read it anew"),
        ],
        subcommands: [template, check, show]
    )

    private static let template = Command<CommandAction>(
        "template",
        summary: "print a file with all settings, each explained and left as it is",
        examples: [Example("huddle config template", "to read, or to begin with")],
        exitCodes: [.success]
    ) { _, console, _ in
        try await console.print(DaemonConfiguration.template, terminator: "")
        return .success
    }

    private static let check = Command<CommandAction>(
        "check",
        summary: "say whether the daemon's file is right, and what is wrong with it",
        arguments: [path],
        examples: [Example("huddle config check", "the one that the daemon reads")],
        exitCodes: [.success, .failure, .usage],
        action: check
    )

    private static let show = Command<CommandAction>(
        "show",
        summary: "show what holds for the daemon, and whether an option, the environment, its file or nobody says so",
        discussion:
            "Where the daemon runs, it says so itself; else this is what it would be if it were started from here.",
        options: NodeOptions.keeping,
        examples: [
            Example("huddle config show", "each setting with its value and who says so"),
            Example("huddle config show --json", "for a script"),
        ],
        exitCodes: [.success, .failure, .usage, .noDaemon, .interrupted],
        action: show
    )

    private static func show(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        guard Counterpart.daemon(given) == nil else {
            let code = try await Counterpart.run(given, console, signals) { asked in
                let lines = try await asked.news(ControlQuestion("GET", ["v1", "settings"]))
                while let news = try await lines.next() { try await report.tell(news) }
                return .success
            }
            return code ?? .interrupted
        }
        await report.complain("no huddled runs here; started from here, it would be like this")
        for news in try await settingsFromHere(given).news { try await report.tell(news) }
        return .success
    }

    private static func settingsFromHere(_ given: GivenValues) async throws -> EffectiveSettings {
        let settings = try DaemonSettings(huddledFromHere: given)
        let isKept = access("\(settings.state)/ledger.sqlite", F_OK) == 0
        return settings.effective(kept: isKept ? try await StateFolder.ledger(given).displayName() : nil)
    }

    private static func check(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let places = Places(ProcessInfo.processInfo.environment)
        let named = given[path] ?? places.namedConfiguration
        let file = named ?? places.configuration
        let shown = PrintableText(file, limit: 4096)
        do {
            _ = try DaemonConfiguration(try ConfigurationFile(at: file).bytes(), from: file)
        } catch let error as SystemError where error.number == ENOENT && named == nil {
            try await console.print("there is no \(shown), so all is as it is without")
            return .success
        } catch let error as SystemError {
            throw CommandError(
                "configuration.unreadable",
                "\(shown) can't be read (\(error))",
                nextStep: "check the path"
            )
        }
        try await console.print("\(shown) is right; `systemctl --user reload huddled` has it read")
        return .success
    }
}
