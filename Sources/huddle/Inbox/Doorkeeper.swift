import Ledger
import LinuxPlatform
import Session
import SessionRules
import Vocabulary

/// Puts those who ask to come in before the person, and remembers what was said.
@Engine
final class Doorkeeper {
    let questions: Questions
    private(set) var names: [PeerID: InstanceName] = [:]
    private let node: Node
    private let report: SessionReport
    private let asks: Bool
    /// Whom the person has just let in for good.
    private var welcome: Set<PeerID> = []
    private var asked: [InvitationID: PeerTag] = [:]

    init(_ node: Node, _ report: SessionReport, asks: Bool) {
        self.node = node
        self.report = report
        self.asks = asks
        questions = Questions(report)
    }

    func ask(_ invitation: ReceivedInvitation) async throws {
        let peer = PeerTag(invitation.peer, invitation.name)
        names[peer.id] = invitation.name
        asked[invitation.id] = peer
        if asks {
            questions.expectAnswer(
                to: Questions.Question(invitation: invitation.id, text: Self.question(invitation)) {
                    [unowned self] line in await self.take(line, for: invitation, peer)
                }
            )
        }
        let hint = asks ? "" : "; answer with: \(Self.answerLine(invitation))"
        let sentence = "\(peer.full) asks to come in (“\(invitation.sessionName)”)\(hint)"
        try await report.tell(
            SessionNews("invited", peer, sentence) {
                ($0.session, $0.code) = (invitation.sessionName.text, invitation.code?.digits)
            }
        )
        if asks { try await questions.show(invitation.id) }
    }

    func isOver(_ invitation: InvitationID, _ reason: PartingReason) async throws {
        try await questions.takeBack(invitation)
        guard let peer = asked.removeValue(forKey: invitation) else { return }
        welcome.remove(peer.id)
        let sentence = reason == .declined ? nil : "\(peer.full) is not in: \(SessionError.explanation(reason))"
        try await report.tell(SessionNews("invitation-over", peer, sentence) { $0.reason = reason.word })
    }

    /// A peer is in, by policy or because the person said so.
    func letIn(_ id: PeerID, _ session: Session) async throws {
        let peer = PeerTag(id, session.name(of: id) ?? names[id])
        names[id] = peer.name
        for (invitation, other) in asked where other.id == id {
            asked[invitation] = nil
            try await questions.takeBack(invitation)
            try await report.tell(SessionNews("let-in", peer, "\(peer.full) is in"))
        }
        if welcome.remove(id) != nil {
            try await node.setPolicy(.accept, for: id)
            try await report.tell(
                SessionNews("policy", peer, "from now on it comes in without a question; `huddle policy` changes that")
                {
                    $0.kind = Policy.accept.rawValue
                }
            )
        }
    }

    private func take(_ line: String, for invitation: ReceivedInvitation, _ peer: PeerTag) async -> Bool {
        do {
            switch PersonalAnswer(line) {
            case .yes:
                welcome.insert(peer.id)
                try await node.answer(invitation.id, .accept(typed: nil))
            case .once: try await node.answer(invitation.id, .accept(typed: nil))
            case .code(let code) where invitation.code != nil:
                welcome.insert(peer.id)
                try await node.answer(invitation.id, .accept(typed: code))
            case .no: try await node.answer(invitation.id, .decline)
            case .block: try await node.answer(invitation.id, .block)
            case .code, .unclear: return false
            }
        } catch {
            await report.complain("\(error)")
        }
        return true
    }

    private static func question(_ invitation: ReceivedInvitation) -> String {
        let choices = "[y]es, always / [o]nce / [n]o / [b]lock"
        guard let code = invitation.code else { return "Let it in? \(choices): " }
        return "Is \(code) on its screen? \(choices), or type its code: "
    }

    private static func answerLine(_ invitation: ReceivedInvitation) -> String {
        let code = invitation.code == nil ? "" : " CODE"
        let hint = invitation.code.map { ", where its screen must show \($0)" } ?? ""
        return "huddle accept \(invitation.peer.short)\(code)\(hint)"
    }
}
