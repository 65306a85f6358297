import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// Waits until the machines that are online have the newest version.
extension KeptSet {
    /// The machines that are online and do not have all newest versions yet.
    var behind: [PeerID] { peers.behind(heads) }

    /// Waits until no machine that is online is behind.
    func untilSpread() async throws {
        while !behind.isEmpty, life != .left { try await spreading.wait() }
    }

    func noteSpread() {
        if !spreading.isEmpty, behind.isEmpty { spreading.wake() }
    }
}
