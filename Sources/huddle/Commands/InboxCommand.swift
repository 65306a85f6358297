import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// `huddle inbox`: take messages and files from other machines.
enum InboxCommand {
    static let list = Flag("list", help: "list what has arrived, the newest last, and end")
    static let limit = Option("for", .duration, help: "the time after which to stop (default: until Ctrl-C)")

    static let row = Command<CommandAction>(
        "inbox",
        summary: "take messages and files of other machines",
        discussion: """
            Other machines find this one, ask to pair, and send messages, files, folders and streams. A paired machine \
            connects by itself. A new one is a question on this terminal; without a terminal, `huddle accept` answers \
            it. Nothing is overwritten: if a name is taken, the file becomes “name (2)”. If the daemon runs, the \
            command shows its events. Otherwise it runs the daemon until it ends.
            """,
        options: [list, limit, CallOptions.input] + AttachedDaemon.options + AskingOptions.all,
        examples: [
            Example("huddle inbox", "until Ctrl-C"),
            Example("huddle inbox --into ~/From-others --json", "for a program"),
            Example("huddle inbox --list", "everything that has arrived"),
            Example(
                "huddle inbox --address 127.0.0.1 --port 4242 --no-advertise --no-browse",
                "to try it on one machine"
            ),
        ],
        exitCodes: [.success, .failure, .usage, .noDaemon, .interrupted],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        if given[list] { return try await showList(given, console, signals) }
        let report = SessionReport(
            asJSON: given[LookingOptions.json],
            // A user at this terminal needs no desktop, and the line would separate an event from its question.
            silentAbout: ["no-desktop"],
            console
        )
        let canAsk = given[CallOptions.input] || Terminal.isInForeground && console.isTerminal
        let child: AttachedDaemon?
        if Daemon.connection(given) != nil {
            try AttachedDaemon.refuseOptions(given)
            child = nil
        } else {
            let started = try AttachedDaemon(given, console)
            guard let isReady = try await unlessSignalled(signals, { await started.isReady(given) }) else {
                await started.end(signals)
                return .success
            }
            guard isReady else { return await started.reportEnd() }
            child = started
        }
        let code: ExitCode?
        do {
            code = try await Daemon.follow(
                given,
                console,
                signals,
                report,
                canAsk: canAsk,
                orFor: given[limit],
                whileRuns: child
            )
        } catch {
            await child?.end(signals)
            throw error
        }
        if code == nil { await child?.end(signals) }
        return code ?? .success
    }

    /// Lists the messages and files that have arrived, the newest last. Then the daemon counts all of them as seen.
    private static func showList(
        _ given: GivenValues,
        _ console: Console,
        _ signals: Signals
    ) async throws -> ExitCode {
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        let code = try await Daemon.ask(given, console, signals) { daemon in
            let lines = try await daemon.events(Endpoint.inbox.request())
            var last: Int64?
            while let line = try await lines.next() {
                if case .inboxItem(let item) = line.event { last = item.number }
                try await report.tell(line)
            }
            guard let last else {
                if report.isForUser { await report.complain("nothing has arrived yet") }
                return .success
            }
            var body = GameBody()
            body.fields.set("seen", last)
            try await daemon.perform(Endpoint.markInbox.request(saying: body))
            return .success
        }
        return code ?? .interrupted
    }
}
