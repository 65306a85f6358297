import LinuxPlatform
import Control
import Household
import Vocabulary

/// A peer that waits to be let in, as a person named it.
struct WaitingPeer: Sendable {
    let peer: PeerTag
    /// Names its invitation.
    let invitation: String
    /// Whether the code that it shows has to be typed here.
    let needsCode: Bool

    /// Where the daemon is asked about it.
    var path: [String] { ["v1", "invitations", invitation] }

    init?(_ news: SessionNews) {
        guard news.event == "invited", let peer = news.peer, let invitation = news.invitation else { return nil }
        (self.peer, self.invitation, needsCode) = (peer, invitation, news.needsCode == true)
    }

    @Engine
    init(_ typed: String, at daemon: ControlConnection) async throws {
        let question = ControlQuestion("GET", ["v1", "invitations"], query: ["peer": typed])
        guard let waiting = try await daemon.news(question).next().flatMap({ WaitingPeer($0) }) else {
            throw HouseholdError.nothingWaits(typed)
        }
        self = waiting
    }
}
