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
            try await quiet.wait()
        }
    }

    func noteQuiet() {
        noteSpread()
        if isQuiet { quiet.wake() }
    }

    /// No call waits any longer.
    func endWaiting() {
        quiet.wake()
        spreading.wake()
    }
}
