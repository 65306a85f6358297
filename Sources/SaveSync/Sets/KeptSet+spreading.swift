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
        while !behind.isEmpty, life != .left {
            let turn = Resumption<Void>()
            spreading.append(turn)
            defer { spreading.removeAll { $0 === turn } }
            try await turn.valueUnlessCancelled()
        }
    }

    func noteSpread() {
        guard !spreading.isEmpty, behind.isEmpty else { return }
        let waiting = spreading
        spreading = []
        for turn in waiting { turn.resume(with: .success(())) }
    }
}
