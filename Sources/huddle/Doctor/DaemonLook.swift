import CommandTable
import Control
import Diagnosis
import Glibc
import Household
import LinuxPlatform
import Session
import Vocabulary

/// Who is there for others on this machine.
struct DaemonLook: Sendable {
    let facts: DaemonFacts
    /// What the daemon says of itself.
    let status: SessionNews?

    private static let patience: Duration = .seconds(3)

    var peer: PeerID? { status?.peer?.id }
    var port: UInt16? { status?.port }
    var inbox: String? { status?.path }
    var arrivals: Int? { status?.counts?["links_accepted_total"] }

    static func look(_ given: GivenValues) async -> DaemonLook {
        let folder = StateFolder.path(given)
        let holder = HouseholdPresence.holder(in: folder)
        guard let daemon = Counterpart.daemon(given) else {
            let isThere = holder.map { kill($0.process, 0) == 0 || errno == EPERM } ?? false
            guard let holder, isThere else { return DaemonLook(.nobody) }
            return DaemonLook(holder.socket == nil ? .command(words: "\(holder)") : .silent(words: "\(holder)"))
        }
        guard let status = await status(of: daemon) else {
            return DaemonLook(.silent(words: holder.map { "\($0)" } ?? "its socket is there"))
        }
        let words = holder.map { "\($0)" } ?? "huddled answers"
        return DaemonLook(.daemon(version: status.version ?? "?", words: words), status)
    }

    private init(_ presence: DaemonFacts.Presence, _ status: SessionNews? = nil) {
        let hasSystemd = access("/run/systemd/system", F_OK) == 0
        facts = DaemonFacts(version: Release.version, presence: presence, hasSystemd: hasSystemd)
        self.status = status
    }

    private static func status(of daemon: ControlConnection) async -> SessionNews? {
        try? await EventLoop.shared.withDeadline(patience, "huddled") {
            try await daemon.news(ControlQuestion("GET", ["v1", "status"])).next()
        }
    }
}
