import CLinux
import Glibc

/// Whoever started this program as a service, such as systemd, and what is said to it. Where nobody did, all of it does nothing.
///
/// - SeeAlso: sd_notify(3), sd_listen_fds(3) and systemd.journal-fields(7), which say how without systemd's own library.
public struct Supervisor: Sendable {
    /// What a service manager is told.
    public enum Notice: Sendable, Hashable {
        /// Others can come.
        case ready
        /// The configuration is being read anew; ``ready`` ends it.
        case reloading
        /// It ends in order.
        case stopping
        /// It is not stuck.
        case alive
        /// How it is, for `systemctl status`.
        case status(String)

        fileprivate var line: String {
            switch self {
            case .ready: "READY=1"
            case .reloading: "RELOADING=1"
            case .stopping: "STOPPING=1"
            case .alive: "WATCHDOG=1"
            case .status(let text): "STATUS=\(text.replacing("\n", with: " "))"
            }
        }
    }

    private static let journal = "/run/systemd/journal/socket"
    /// Where sockets begin that were opened for us.
    private static let firstSocket: CInt = 3

    /// How often it wants to hear that we are not stuck.
    public let watchdog: Duration?
    /// Whether what is written to standard error goes to the journal, so that fields can be sent beside it.
    public let logsToJournal: Bool
    private let notices: String?
    private let socketCount: CInt

    /// - Parameter environment: the program's own
    public init(_ environment: [String: String]) {
        let own = String(getpid())
        notices = environment["NOTIFY_SOCKET"]
        let isWatched = (environment["WATCHDOG_PID"] ?? own) == own
        watchdog = isWatched ? environment["WATCHDOG_USEC"].flatMap { Int64($0) }.map { .microseconds($0) } : nil
        socketCount = environment["LISTEN_PID"] == own ? environment["LISTEN_FDS"].flatMap { CInt($0) } ?? 0 : 0
        logsToJournal = environment["JOURNAL_STREAM"].map { $0 == Self.identityOfErrors } ?? false
    }

    /// Tells it something. Nobody waits for an answer.
    public func tell(_ notice: [Notice]) {
        guard let notices else { return }
        var lines = notice.map(\.line)
        if notice.contains(.reloading) {
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            lines.append("MONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1000)")
        }
        // Where it has gone away, the service goes on all the same.
        try? UnixSocket.sendDatagram(Array(lines.joined(separator: "\n").utf8), to: notices)
    }

    /// A copy of the one listening socket that was opened for us; nil where none was.
    public func listeningSocket() -> OwnedDescriptor? {
        guard socketCount == 1 else { return nil }
        let copy = fcntl(Self.firstSocket, F_DUPFD_CLOEXEC, Self.firstSocket)
        guard copy >= 0 else { return nil }
        _ = fcntl(copy, F_SETFL, fcntl(copy, F_GETFL) | O_NONBLOCK)
        return OwnedDescriptor(takingOwnershipOf: copy)
    }

    /// Where that socket is; nil where there is none, or it is no file.
    public var listeningPath: String? { socketCount == 1 ? UnixSocket.path(of: Self.firstSocket) : nil }

    /// Writes an entry of the journal.
    ///
    /// - Parameter fields: names in capitals, and what they say
    public func log(_ fields: KeyValuePairs<String, String>) throws(SystemError) {
        var bytes: [UInt8] = []
        for (name, value) in fields {
            bytes += Array(name.utf8)
            if value.utf8.contains(UInt8(ascii: "\n")) {
                let count = UInt64(value.utf8.count)
                bytes.append(UInt8(ascii: "\n"))
                bytes += (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
            } else {
                bytes.append(UInt8(ascii: "="))
            }
            bytes += Array(value.utf8)
            bytes.append(UInt8(ascii: "\n"))
        }
        try UnixSocket.sendDatagram(bytes, to: Self.journal)
    }

    private static var identityOfErrors: String? {
        var facts = stat()
        guard fstat(STDERR_FILENO, &facts) == 0 else { return nil }
        return "\(facts.st_dev):\(facts.st_ino)"
    }
}
