import Ledger
import LinuxPlatform
public import SessionRules
import Transport
import Vocabulary

/// How well this machine knows one that invites. All but those that are welcome wait for a turn, and what is written down about them
/// is kept apart.
enum InviterStanding {
    /// Its key is not paired.
    case stranger
    /// It is paired, and its policy is to ask or to block. It costs no more than a stranger. The two policies are treated alike, or the
    /// time of an answer tells which it is.
    case paired
    /// It is let in without a question.
    case welcome
}

/// What strangers cause at a node, all of them together: questions to the person, notes and work.
@Engine
final class Strangers {
    /// How much time lies between two invitations of strangers that are looked at. Each asks the ledger several times.
    private static let pace = Duration.milliseconds(20)

    private unowned let node: Node
    private var allowance = StrangerAllowance<IPAddress>()
    private let began = ContinuousClock.now
    private var nextTurn = ContinuousClock.now
    private var waiting: [(link: Link, turn: Resumption<Void>)] = []
    private var pacing = MachineTimer()
    private var folding = MachineTimer()

    init(_ node: Node) {
        self.node = node
    }

    private var seconds: Int64 { (ContinuousClock.now - began).components.seconds }

    /// Waits until the invitation of a stranger is looked at. Each link has one that waits, and takes it along when it ends: otherwise a
    /// stranger that invites and hangs up again and again makes others wait for minutes.
    func turn(of link: Link) async throws {
        guard link.isOpen else { throw CancellationError() }
        if waiting.isEmpty, nextTurn <= .now { return nextTurn = .now + Self.pace }
        let turn = Resumption<Void>()
        waiting.append((link, turn))
        if waiting.count == 1 { awaitTurn() }
        try await turn.valueUnlessCancelled()
    }

    /// A link has ended: what came over it needs no turn.
    func isGone(_ link: Link) {
        for entry in waiting where entry.link === link { entry.turn.resume(with: .failure(CancellationError())) }
        waiting.removeAll { $0.link === link }
    }

    private func awaitTurn() {
        pacing.set(for: self, at: waiting.isEmpty ? nil : nextTurn) { $0.giveTurn() }
    }

    private func giveTurn() {
        nextTurn = .now + Self.pace
        if !waiting.isEmpty { waiting.removeFirst().turn.resume(with: .success(())) }
        awaitTurn()
    }

    // MARK: Questions

    /// What becomes of an invitation that is a question to the person.
    func judge(_ decision: Decision, _ link: Link) -> Decision {
        guard decision.verdict == .ask, !allowance.mayAsk(link.peer, from: address(of: link), at: seconds) else {
            return decision
        }
        return decision.silencedByCrowd
    }

    fileprivate var closing: StrangersClosing? { allowance.closing(at: seconds) }

    func asks(_ invitation: InvitationID, _ link: Link) {
        allowance.ask(invitation, of: link.peer, from: address(of: link), at: seconds)
    }

    func isShown(_ invitation: InvitationID) { allowance.isShown(invitation, at: seconds) }

    func isOver(_ invitation: InvitationID, _ end: StrangerAllowance<IPAddress>.End) {
        allowance.isOver(invitation, end)
    }

    /// A machine has all addresses of an IPv6 network at once.
    private func address(of link: Link) -> IPAddress {
        link.lane.remoteAddress?.address.network ?? .v4(0, 0, 0, 0)
    }

    func paired() { allowance.paired() }

    // MARK: Notes

    /// Writes something down about a stranger, or counts it where there is much.
    func note(_ word: String, about link: Link, _ details: [AuditEntry.Detail]) {
        switch allowance.note(from: link.lane.remoteAddress?.address, at: .now) {
        case .write: node.note(word, about: link.peer, details, of: .stranger)
        case .fold(let due): if let due { folding.set(for: self, at: due) { $0.writeFolded() } }
        }
    }

    /// Writes how many notes there were that were not written.
    func writeFolded() {
        guard let folded = allowance.takeFolded() else { return }
        let details: [AuditEntry.Detail] = [
            .init("count", "\(folded.count)"), .init("addresses", "\(folded.addressCount)"),
        ]
        node.note("strangers-more", about: nil, details, of: .stranger)
    }
}

extension Node {
    /// Why no stranger's invitation is a question to the person now; nil if one may be.
    public var strangersClosing: StrangersClosing? { strangers.closing }
}
