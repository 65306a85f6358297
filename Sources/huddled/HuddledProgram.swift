import CommandTable
import Household
import Ledger
import LinuxPlatform
import Vocabulary

/// The work of the program after its command line is read. It returns an exit code.
typealias DaemonAction = @Sendable (GivenValues, Signals) async -> ExitCode

/// The `huddled` daemon: it reads the command line, and runs.
@main
enum HuddledProgram {
    static let table = ProgramTable(
        Command<DaemonAction>(
            "huddled",
            summary: "keep game saves in sync across the machines of one household",
            discussion: """
                The daemon connects with paired machines, syncs games, takes messages and files, and answers `huddle` \
                and other programs of this user on a socket. Its settings are in ~/.config/huddle/config.json5; the \
                environment goes before the file, and options before both. SIGTERM and Ctrl-C end it in order. SIGHUP \
                makes it read its settings again; if they are wrong, or if its inbox or port is not available, nothing \
                changes.
                """,
            options: DaemonOptions.all,
            examples: [
                Example("huddled", "until Ctrl-C"),
                Example("systemctl --user enable --now huddled", "now and after each start"),
                Example("huddled --state /tmp/other --name Other", "a second machine on this one, to try things"),
            ],
            exitCodes: [.success, .usage, .failure, .wrongConfiguration],
            action: run
        ),
        version: Release.version,
        manualSection: 8
    )

    static func main() {
        Program.hideMemory()
        Program.makePrivateFiles()
        FreedMemory.shareHeaps()
        DescriptorLimit.raise()
        Program.run { signals in
            do {
                let environment = ProgramLaunch.ownEnvironment
                switch try table.read(typed: ProgramLaunch.ownWords, environment: environment) {
                case .show(let text):
                    _ = Terminal.write(text, to: .output)
                    return CInt(ExitCode.success.number)
                case .perform(let action, let given): return CInt(await action(given, signals).number)
                }
            } catch {
                let lines = PassedOnError(error).lines.map { "\(LogLine($0))\n" }
                _ = Terminal.write(lines.joined(), to: .errors)
                return CInt(ExitCode.usage.number)
            }
        }
    }

    private static func run(_ given: GivenValues, _ signals: Signals) async -> ExitCode {
        let supervisor = Supervisor(ProgramLaunch.ownEnvironment)
        let log = DaemonLog(by: supervisor)
        let code = await live(given, signals, supervisor, log)
        await log.end()
        return code
    }

    private static func live(
        _ given: GivenValues,
        _ signals: Signals,
        _ supervisor: Supervisor,
        _ log: DaemonLog
    ) async -> ExitCode {
        let began = WallTime.now
        do {
            while case .reload = try await Daemon(given, supervisor, log, since: began).run(signals) {
                log.write(.notice, "reading the settings again")
            }
            log.write(.notice, "ended in order")
            return .success
        } catch {
            log.write(.error, "\(error)")
            return error is ConfigurationFault ? .wrongConfiguration : .failure
        }
    }
}

extension ExitCode {
    static let failure = ExitCode(1, "the daemon failed; the last line of the log says why")
    /// The code `EX_CONFIG`, as in systemd's own programs: a restart would not help.
    static let wrongConfiguration = ExitCode(78, "the settings have a fault; the log says where")
}
