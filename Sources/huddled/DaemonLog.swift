import Glibc
import Household
import LinuxPlatform
import Vocabulary

/// What the daemon writes down about itself: to the journal with fields where it has one, else as lines. Never what messages and files
/// hold, never codes, never keys.
struct DaemonLog: Sendable {
    /// As syslog numbers them.
    enum Weight: Int {
        case error = 3
        case warning = 4
        case notice = 5
        case information = 6
    }

    /// How many lines wait for whoever reads them.
    private static let room = 256
    /// How long the last ones may keep the daemon from ending.
    private static let patience = Duration.seconds(1)

    private let supervisor: Supervisor
    private let lines = LineWriter(
        named: "log",
        room: room,
        missing: { "huddled: warning: \($0) lines are missing here, as nobody read what was before them\n" }
    ) { line in
        // Nobody is left to tell where standard error is closed.
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

    /// Behind the last line: waits until it is written, for a moment.
    func end() async { await lines.finish(within: Self.patience) }

    func write(_ news: SessionNews) {
        guard let line = LogLine(news) else { return }
        write(
            news.isTrouble == true ? .warning : .information,
            line,
            event: news.event,
            peer: (news.peer ?? news.offerInfo?.machine)?.id,
            code: news.message == nil ? nil : news.reason
        )
    }
}
