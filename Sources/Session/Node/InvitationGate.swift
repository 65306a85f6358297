import Ledger
import LinuxPlatform
import SessionRules
import Transport
import Vocabulary

/// The relation of this machine to an inviter. All inviters except welcome ones wait for a turn, and their audit
/// entries are separate.
enum InviterStanding {
    /// Its key is not paired.
    case stranger
    /// It is paired, and its policy is to ask or to block. It costs as little as a stranger. The two policies get the
    /// same treatment: otherwise the time of an answer would show which one it is.
    case paired
    /// Its invitations are accepted without a question.
    case welcome
}

/// The work that all strangers together cause at a node: questions to the user, audit entries, lookups. A stranger is a
/// machine that is not paired.
@Engine
final class InvitationGate {
    /// The time between two invitations of strangers that are considered. Each of them reads the store several times.
    private static let pace = Duration.milliseconds(20)
    /// The time from a turn to the receipt. The lookups and the decision take less.
    private static let decisionTime = Duration.milliseconds(5)

    private let writer: StoreWriter
    private var allowance = StrangerAllowance<IPAddress>()
    private let began = ContinuousClock.now
    private var nextTurn = ContinuousClock.now
    private var waiting: [(link: Link, turn: Resumption<Void>)] = []
    private var pacing = MachineTimer()
    private var folding = MachineTimer()

    init(_ writer: StoreWriter) {
        self.writer = writer
    }

    private var seconds: Int64 { (ContinuousClock.now - began).components.seconds }

    /// Waits for the turn of a stranger's invitation. Each link has one that waits, which ends with the link. Otherwise
    /// a stranger that invites and hangs up again and again would make others wait for minutes.
    ///
    /// - Returns: the moment for the receipt
    func awaitTurn(of link: Link) async throws -> ContinuousClock.Instant {
        guard link.isOpen else { throw CancellationError() }
        if waiting.isEmpty, nextTurn <= .now {
            nextTurn = .now + Self.pace
        } else {
            let turn = Resumption<Void>()
            waiting.append((link, turn))
            if waiting.count == 1 { scheduleTurn() }
            try await turn.valueUnlessCancelled()
        }
        return nextTurn - Self.pace + Self.decisionTime
    }

    /// Ends the wait of a link that is lost.
    func remove(_ link: Link) {
        for entry in waiting where entry.link === link { entry.turn.resume(with: .failure(CancellationError())) }
        waiting.removeAll { $0.link === link }
    }

    private func scheduleTurn() {
        pacing.set(for: self, at: waiting.isEmpty ? nil : nextTurn) { $0.giveTurn() }
    }

    private func giveTurn() {
        nextTurn = .now + Self.pace
        if !waiting.isEmpty { waiting.removeFirst().turn.resume(with: .success(())) }
        scheduleTurn()
    }

    // MARK: Questions

    /// Limits a decision to ask the user.
    func judge(_ decision: Decision, _ link: Link) -> Decision {
        guard decision.verdict == .ask, !allowance.mayAsk(link.peer, from: address(of: link), at: seconds) else {
            return decision
        }
        return decision.silencedByCrowd
    }

    /// The reason why no stranger's invitation is shown to the user now; nil if one may be.
    var closing: StrangersClosing? { allowance.closing(at: seconds) }

    func noteQuestion(_ invitation: InvitationID, _ link: Link) {
        allowance.ask(invitation, of: link.peer, from: address(of: link), at: seconds)
    }

    func noteShown(_ invitation: InvitationID) { allowance.isShown(invitation, at: seconds) }

    func noteEnd(of invitation: InvitationID, _ end: StrangerAllowance<IPAddress>.End) {
        allowance.isOver(invitation, end)
    }

    /// The network of the other machine's address: a machine has all addresses of an IPv6 network at once.
    private func address(of link: Link) -> IPAddress {
        link.channel.remoteAddress?.address.network ?? .v4(0, 0, 0, 0)
    }

    func notePairing() { allowance.paired() }

    // MARK: Audit

    /// Adds an audit entry about a stranger, or only counts it if there are many.
    func note(_ word: String, about link: Link, _ details: [AuditEntry.Detail]) {
        switch allowance.note(from: link.channel.remoteAddress?.address, at: .now) {
        case .write: writer.note(word, about: link.peer, details, of: .stranger)
        case .fold(let due): if let due { folding.set(for: self, at: due) { $0.writeFolded() } }
        }
    }

    /// Adds an entry with the number of entries that were only counted.
    func writeFolded() {
        guard let folded = allowance.takeFolded() else { return }
        let details: [AuditEntry.Detail] = [
            .init("count", "\(folded.count)"), .init("addresses", "\(folded.addressCount)"),
        ]
        writer.note("strangers-more", about: nil, details, of: .stranger)
    }
}
