import LinuxPlatform
import SaveRules
import Session

/// Idle detection.
extension KeptSet {
    /// Whether nothing is left to do without the user, as far as this machine knows.
    var isQuiet: Bool {
        life != .changing && folder.isQuiet(pending: heads.pending)
            && downloads.isQuiet(heads, peers) && peers.isQuiet
    }

    /// Waits until nothing is left to do.
    /// - Parameter isNewestWanted: whether to wait also for machines that have a newer version
    func untilQuiet(isNewestWanted: Bool = false) async throws {
        while !isQuiet || (isNewestWanted && awaitsNewer), life != .left {
            let turn = Resumption<Void>()
            quiet.append(turn)
            try await turn.valueUnlessCancelled()
        }
    }

    func noteQuiet() {
        noteSpread()
        guard isQuiet else { return }
        let waiting = quiet
        quiet = []
        for turn in waiting { turn.resume(with: .success(())) }
    }

    /// No call waits any longer.
    func endWaiting() {
        let waiting = quiet + spreading
        (quiet, spreading) = ([], [])
        for turn in waiting { turn.resume(with: .success(())) }
    }
}
