import CommandTable
import Control
import Glibc
import Diagnosis
import Household
import LinuxPlatform
import SaveRules
import Vocabulary

/// The daemon of this machine, as the doctor sees it.
struct DaemonLook: Sendable {
    private(set) var facts: DaemonFacts
    /// The status that the daemon reports.
    let status: StatusInfo?
    /// The versions and clocks that other machines report.
    private(set) var accounts: [MachineInfo] = []
    /// The games that are shared here.
    private(set) var games: [GameInfo] = []
    /// The games that other machines offer, or that this machine has left.
    private(set) var offers: [OfferInfo] = []

    private static let patience: Duration = .seconds(3)
    /// The daemon asks each peer before it lists them. A peer that is announced but offline takes some seconds.
    private static let peerPatience: Duration = .seconds(20)
    private static let mostPeers = 32

    var peer: PeerID? { status?.machine.id }
    var port: UInt16? { status?.port }
    var inbox: String? { status?.inbox }
    var arrivals: Int? { status?.counts["links_accepted_total"] }

    static func look(_ given: GivenValues) async -> DaemonLook {
        let folder = StateFolder.path(given)
        let holder = HouseholdPresence.holder(in: folder)
        guard let daemon = Daemon.connection(given) else {
            guard let holder, holder.runs else { return DaemonLook(.noDaemon) }
            return DaemonLook(.silent(words: "\(holder)"))
        }
        guard let status = await status(of: daemon) else {
            return DaemonLook(.silent(words: holder.map { "\($0)" } ?? "its socket is there"))
        }
        let words = holder.map { "\($0)" } ?? "huddled answers"
        var look = DaemonLook(.daemon(version: status.version, words: words), status)
        let saves = await saves(of: daemon)
        (look.games, look.offers) = (saves.compactMap(\.game), saves.compactMap(\.offer))
        do {
            look.accounts = try await accounts(at: daemon)
        } catch let error as SystemError where error.number == ETIMEDOUT {
            look.facts.peersSilentWithin = peerPatience
        } catch {
            // The daemon has just ended, as it does for a reload.
        }
        return look
    }

    private init(_ presence: DaemonFacts.Presence, _ status: StatusInfo? = nil) {
        facts = DaemonFacts(version: Release.version, presence: presence, hasSystemd: Systemd.runs)
        self.status = status
    }

    private static func accounts(at daemon: ControlConnection) async throws -> [MachineInfo] {
        try await EventLoop.shared.withDeadline(peerPatience, "huddled") {
            var answers: [MachineInfo] = []
            let lines = try await daemon.events(Endpoint.peers.request())
            while answers.count < mostPeers, let line = try await lines.next() {
                guard let machine = line.machine else { continue }
                if machine.version != nil || machine.secondsAhead != nil { answers.append(machine) }
            }
            return answers
        }
    }

    private static func saves(of daemon: ControlConnection) async -> [DaemonLine] {
        let answers = try? await EventLoop.shared.withDeadline(patience, "huddled") {
            try await daemon.all(Endpoint.games.request())
        }
        return answers ?? []
    }

    private static func status(of daemon: ControlConnection) async -> StatusInfo? {
        try? await EventLoop.shared.withDeadline(patience, "huddled") {
            try await daemon.events(Endpoint.status.request()).next()?.status
        }
    }
}
