import Glibc
import Household
import LinuxPlatform
import Vocabulary

/// The daemon's log: entries with fields if there is a journal, otherwise lines. It never has the contents of messages
/// and files, codes or keys.
struct DaemonLog: Sendable {
    /// The priorities of syslog.
    enum Weight: Int {
        case error = 3
        case warning = 4
        case notice = 5
        case information = 6
    }

    /// The number of lines that wait for the reader of standard error at most.
    private static let room = 256
    /// The longest time that the last lines may delay the end of the daemon.
    private static let patience = Duration.seconds(1)

    private let supervisor: Supervisor
    private let lines = LineWriter(
        named: "log",
        room: room,
        missing: { "huddled: warning: \($0) lines are missing here: standard error was not read\n" }
    ) { line in
        // If standard error is closed, no reader waits for the line.
        _ = Terminal.write(line, to: .errors)
    }

    init(by supervisor: Supervisor) {
        self.supervisor = supervisor
    }

    func write(_ weight: Weight, _ text: String, event: String = "huddled", code: String? = nil) {
        write(weight, LogLine(text), event: event, code: code)
    }

    func write(
        _ weight: Weight,
        _ line: LogLine,
        event: String,
        peer: PeerID? = nil,
        code: String? = nil
    ) {
        if supervisor.logsToJournal {
            let fields: KeyValuePairs = [
                "MESSAGE": line.description, "PRIORITY": "\(weight.rawValue)",
                "SYSLOG_IDENTIFIER": "huddled",
                "HUDDLE_EVENT": event, "HUDDLE_PEER": peer?.description ?? "",
                "HUDDLE_CODE": code.map { LogLine($0).description } ?? "",
            ]
            if (try? supervisor.log(fields)) != nil { return }
        }
        let word = weight == .error ? "error: " : weight == .warning ? "warning: " : ""
        lines("huddled: \(word)\(line)\n")
    }

    /// Writes each line of an event's sentence as an entry of its own.
    func writeLines(of line: DaemonLine) {
        for text in (line.sentence ?? "").split(separator: "\n") { write(.notice, String(text), event: line.name) }
    }

    /// Waits until the last line is written, but at most one second.
    func end() async { await lines.finish(within: Self.patience) }

    func write(_ line: DaemonLine) {
        guard let text = LogLine(line) else { return }
        write(
            line.isTrouble ? .warning : .information,
            text,
            event: line.name,
            peer: line.event.peer?.id,
            code: line.event.errorCode
        )
    }
}
