import Desktop
import Household
import LinuxPlatform
import Session
import Vocabulary

/// The desktop notice of a machine that another one removed from the household. Its buttons do the same as `huddle
/// keep` and `huddle forget`.
struct RemovalNotice: Sendable {
    private static let keep = DesktopNotice.Button("keep", "Keep")
    private static let remove = DesktopNotice.Button("remove", "Remove")

    let peer: PeerTag
    private let sentence: String

    /// Nil for any other event.
    init?(_ line: DaemonLine) {
        guard case .household(let event) = line.event, event.kind == .removed else { return nil }
        let peer = event.machine
        (self.peer, sentence) = (peer, "Another machine removed \(peer.full). Does this one keep it?")
    }

    var shown: DesktopNotice {
        let id = peer.id.short
        return DesktopNotice(
            "A machine was removed from the household",
            sentence,
            buttons: [Self.keep, Self.remove],
            withoutButtons: "Answer with: huddle keep \(id), or huddle forget \(id)"
        )
    }

    /// Carries out the action of a pressed button.
    @Engine
    func answer(_ button: DesktopNotice.Button, in household: Household) async throws {
        switch button {
        case Self.keep: _ = try await household.vouching.keep(peer.id)
        case Self.remove: try await household.node.forget(peer.id)
        default: break
        }
    }
}
