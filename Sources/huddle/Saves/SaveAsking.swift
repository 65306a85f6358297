import CommandTable
import Control
import Household
import LinuxPlatform
import Session
import Vocabulary

/// Asks the daemon about save sets. Without one there is nobody to ask: a set is watched all the time or not at all.
enum SaveAsking {
    static let exitCodes: [ExitCode] = [.success, .failure, .usage, .unreachable, .noDaemon, .interrupted]

    static let set = Argument(
        "SET",
        .text.named("SET"),
        help: "the name of a save set, as `huddle saves list` shows it"
    )

    /// A set and a version of it, typed as one word.
    static func version(_ typed: String) throws(CommandError) -> (set: String, version: String) {
        let parts = typed.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw CommandError(
                "command.no-version",
                "“\(PrintableText(typed, limit: 200))” does not say which version",
                nextStep: "write it like celeste@12; `huddle history celeste` lists them"
            )
        }
        return (String(parts[0]), String(parts[1]))
    }

    /// Prints what is answered.
    static func follow(
        _ question: ControlQuestion,
        _ given: GivenValues,
        _ console: Console,
        _ signals: Signals,
        ifNothing sentence: String? = nil,
        ifInterrupted farewell: String? = nil
    ) async throws -> ExitCode {
        guard let daemon = Counterpart.daemon(given, telling: console) else { throw CommandError.noDaemon }
        let asJSON = given[LookingOptions.json]
        let report = SessionReport(asJSON: asJSON, console)
        let outcome = NodeHost.Outcome()
        try await untilSignalled(signals) { group in
            group.addTask { try await console.readerLeaves() }
            group.addTask {
                outcome.set(try await print(question, by: daemon, report, console, asJSON ? nil : sentence))
                throw CancellationError()
            }
        }
        if let code = outcome.code { return code }
        if let farewell { await console.complain(farewell) }
        return .interrupted
    }

    @Engine
    private static func print(
        _ question: ControlQuestion,
        by daemon: ControlConnection,
        _ report: SessionReport,
        _ console: Console,
        _ otherwise: String?
    ) async throws -> ExitCode {
        let lines = try await daemon.news(question)
        var isEmpty = true
        while let news = try await lines.next() {
            isEmpty = false
            try await report.tell(news)
        }
        if isEmpty, let otherwise { try await console.print(otherwise) }
        return lines.failure.map { ExitCode(of: $0) } ?? .success
    }
}

/// What is said to the daemon: only what was given.
struct SaveBody: JSONShape {
    var fields = JSONFields()
}
