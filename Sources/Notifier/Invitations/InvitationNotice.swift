import LinuxPlatform
import Desktop
import Household
import Session
import SessionRules
import Vocabulary

/// The desktop notice of an invitation. Its buttons do the same as `huddle accept`, `decline` and `block`.
struct InvitationNotice: Sendable {
    private static let accept = DesktopNotice.Button("accept", "Accept")
    private static let decline = DesktopNotice.Button("decline", "Decline")
    private static let block = DesktopNotice.Button("block", "Block")

    let invitation: InvitationID
    let peer: PeerTag
    private let session: String
    private let needsCode: Bool

    /// Nil for any other event.
    init?(_ line: DaemonLine) {
        guard let asking = line.invitation, let invitation = InvitationID(hexadecimal: asking.invitation) else {
            return nil
        }
        (self.invitation, peer) = (invitation, asking.machine)
        session = "\(PrintableText(asking.session))"
        needsCode = asking.needsCode
    }

    var shown: DesktopNotice {
        let question = "\(peer.full) wants to pair (“\(session)”)."
        let command = "huddle accept \(peer.id.short)"
        return DesktopNotice(
            "Another machine wants to pair",
            needsCode ? "\(question)\nTo pair, run \(command) CODE, with the code that it shows." : question,
            // A button can't take a code, and without one there is no proof of the machine's identity.
            buttons: (needsCode ? [] : [Self.accept]) + [Self.decline, Self.block],
            withoutButtons: needsCode ? nil : "Answer with: \(command)"
        )
    }

    /// Carries out the action of a pressed button.
    @Engine
    func answer(_ button: DesktopNotice.Button, in household: Household) async throws {
        switch button {
        case Self.accept: try await household.answer(invitation, .accept(typed: nil), always: true)
        case Self.block: try await household.answer(invitation, .block)
        default: try await household.answer(invitation, .decline)
        }
    }
}
