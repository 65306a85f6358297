import LinuxPlatform
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
    private let needsCode: Bool

    /// Nil for what is no invitation.
    init?(_ news: SessionNews) {
        guard news.event == "invited", let peer = news.peer,
            let invitation = news.invitation.flatMap({ InvitationID(hexadecimal: $0) })
        else { return nil }
        (self.invitation, self.peer) = (invitation, peer)
        session = "\(PrintableText(news.session ?? ""))"
        needsCode = news.needsCode == true
    }

    var shown: DesktopNotice {
        let question = "\(peer.full) asks to come in (“\(session)”)."
        let command = "huddle accept \(peer.id.short)"
        return DesktopNotice(
            "Another machine asks to come in",
            needsCode ? "\(question)\nTo let it in, run \(command) CODE, with the code that it shows." : question,
            // A button can't hold a code, and without it nothing proves who asks.
            buttons: (needsCode ? [] : [Self.accept]) + [Self.decline, Self.block],
            withoutButtons: needsCode ? nil : "Answer with: \(command)"
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
