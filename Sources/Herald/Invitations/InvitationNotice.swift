import Desktop
import Household
import Session
import SessionRules
import Vocabulary

/// How somebody who asks to come in is put before the person on the desktop, and what the buttons mean: what `huddle accept`, `decline`
/// and `block` do.
struct InvitationNotice: Sendable {
    private static let accept = DesktopNotice.Button("accept", "Accept")
    private static let decline = DesktopNotice.Button("decline", "Decline")
    private static let block = DesktopNotice.Button("block", "Block")

    let invitation: InvitationID
    let peer: PeerTag
    private let session: String
    private let code: PairingCode?

    /// Nil for what is no invitation.
    init?(_ news: SessionNews) {
        guard news.event == "invited", let peer = news.peer,
            let invitation = news.invitation.flatMap({ InvitationID(hexadecimal: $0) })
        else { return nil }
        (self.invitation, self.peer) = (invitation, peer)
        session = "\(PrintableText(news.session ?? ""))"
        code = news.code.flatMap { PairingCode(typed: $0) }
    }

    var shown: DesktopNotice {
        var lines = ["\(peer.full) asks to come in (“\(session)”)."]
        if let code { lines.append("Accept only if its screen shows the same code: \(code)") }
        return DesktopNotice(
            "Another machine asks to come in",
            lines.joined(separator: "\n"),
            buttons: [Self.accept, Self.decline, Self.block],
            withoutButtons: "Answer with: huddle accept \(peer.id.short)"
        )
    }

    /// What pressing it says to the household.
    @Engine
    func answer(_ button: DesktopNotice.Button, in household: Household) async throws {
        switch button {
        case Self.accept: try await household.answer(invitation, .accept(typed: nil), always: true)
        case Self.block: try await household.answer(invitation, .block)
        default: try await household.answer(invitation, .decline)
        }
    }
}
