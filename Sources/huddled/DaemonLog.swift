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

    func write(_ weight: Weight, _ text: String, event: String = "huddled", peer: PeerID? = nil, code: String? = nil) {
        if supervisor.logsToJournal {
            let fields: KeyValuePairs = [
                "MESSAGE": text, "PRIORITY": "\(weight.rawValue)", "SYSLOG_IDENTIFIER": "huddled",
                "HUDDLE_EVENT": event, "HUDDLE_PEER": peer?.description ?? "", "HUDDLE_CODE": code ?? "",
            ]
            if (try? supervisor.log(fields)) != nil { return }
        }
        let word = weight == .error ? "error: " : weight == .warning ? "warning: " : ""
        lines("huddled: \(word)\(text)\n")
    }

    /// Behind the last line: waits until it is written, for a moment.
    func end() async { await lines.finish(within: Self.patience) }

    func write(_ news: SessionNews) {
        guard let text = Self.text(of: news) else { return }
        let code = news.message == nil ? nil : news.reason
        write(
            news.isTrouble == true ? .warning : .information,
            code.map { "\(text) (\($0))" } ?? text,
            event: news.event,
            peer: news.peer?.id,
            code: code
        )
    }

    /// A line about it; nil for what nobody needs to know afterwards.
    static func text(of news: SessionNews) -> String? {
        let peer = news.peer?.full ?? "?"
        switch news.event {
        case "progress": return nil
        case "message":
            let count = news.text?.utf8.count ?? (news.base64?.utf8.count ?? 0) / 4 * 3
            return "\(peer) sent a message (\(SizeText.of(UInt64(count))))"
        case "joined", "away", "returned", "left":
            // “left (left)” says nothing more.
            let reason = news.reason.flatMap { $0 == news.event ? nil : " (\($0))" }
            return "\(peer): \(news.event)\(reason ?? "")"
        default: return news.sentence?.replacing("\n", with: "; ")
        }
    }
}
