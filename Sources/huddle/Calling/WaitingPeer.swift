import LinuxPlatform
import Control
import Household
import Vocabulary

/// A peer whose invitation waits for an answer on this machine.
struct WaitingPeer: Sendable {
    let peer: PeerTag
    /// The ID of its invitation.
    let invitation: String
    /// True if the user must type the code that the peer shows.
    let needsCode: Bool

    init?(_ line: DaemonLine) {
        guard let asking = line.invitation else { return nil }
        (peer, invitation, needsCode) = (asking.machine, asking.invitation, asking.needsCode)
    }

    @Engine
    init(_ typed: String, at daemon: ControlConnection) async throws {
        let request = Endpoint.invitations.request(query: ["peer": typed])
        guard let waiting = try await daemon.events(request).next().flatMap({ WaitingPeer($0) }) else {
            throw HouseholdError.nothingWaits(typed)
        }
        self = waiting
    }
}
