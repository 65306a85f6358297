import CLinux
import Glibc

/// The service manager that started this program, such as systemd, and the messages to it. Without a service manager,
/// all of it does nothing.
///
/// - SeeAlso: sd_notify(3), sd_listen_fds(3) and systemd.journal-fields(7), which describe the protocol without
///   systemd's own library.
public struct Supervisor: Sendable {
    /// A message to the service manager.
    public enum Notice: Sendable, Hashable {
        /// The program accepts connections.
        case ready
        /// The program reloads its configuration; ``ready`` ends that.
        case reloading
        /// The program is shutting down.
        case stopping
        /// The program is not stuck.
        case alive
        /// A status text for `systemctl status`.
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
    /// The number of the first socket that the service manager opened for this program.
    private static let firstSocket: CInt = 3

    /// The interval in which the service manager wants to hear that the program is not stuck.
    public let watchdog: Duration?
    /// True if standard error goes to the journal, so that fields can be sent beside it.
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

    /// Sends messages to the service manager. Nothing waits for an answer.
    public func tell(_ notice: [Notice]) {
        guard let notices else { return }
        var lines = notice.map(\.line)
        if notice.contains(.reloading) {
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            lines.append("MONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1000)")
        }
        // If the service manager has gone away, the service continues all the same.
        try? UnixSocket.sendDatagram(Array(lines.joined(separator: "\n").utf8), to: notices)
    }

    /// A copy of the one listening socket that the service manager opened; nil if there is none.
    public func listeningSocket() -> OwnedDescriptor? {
        guard socketCount == 1 else { return nil }
        let copy = fcntl(Self.firstSocket, F_DUPFD_CLOEXEC, Self.firstSocket)
        guard copy >= 0 else { return nil }
        _ = fcntl(copy, F_SETFL, fcntl(copy, F_GETFL) | O_NONBLOCK)
        return OwnedDescriptor(takingOwnershipOf: copy)
    }

    /// The path of that socket; nil if there is none, or if it is no file.
    public var listeningPath: String? { socketCount == 1 ? UnixSocket.path(of: Self.firstSocket) : nil }

    /// Writes an entry to the journal.
    ///
    /// - Parameter fields: names in capitals, and their values
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
