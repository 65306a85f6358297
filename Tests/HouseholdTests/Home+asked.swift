import ScriptedPeers
import Wire

@testable import Household
import TestSupport

extension Home {
    /// A machine whose user is asked about the invitation of a peer.
    static func asked() async throws -> (Home, ScriptedPeer, ControlFrame.Invite) {
        let home = try await Home("Desk")
        home.run()
        let peer = try await ScriptedPeer.askedAbout(by: home.node)
        let theirs = try peer.invite(isCodeNeeded: false)
        try await peer.say(.invite(theirs))
        while home.household.waitingInvitations.isEmpty { try await othersTurn() }
        return (home, peer, theirs)
    }
}
