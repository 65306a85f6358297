import LinuxPlatform
import SaveRules
import Session

/// Whether anything is left to do.
extension KeptSet {
    /// Whether nothing is left to do here without a person, as far as this machine knows.
    var isQuiet: Bool {
        life != .changing && folder.isQuiet(pending: heads.pending)
            && !fetches.keys.contains { !(lacking.contains($0) && heads.held.contains($0)) && isOffered($0) }
            && looksForMore == 0
            && parts.values.allSatisfy { [.level, .refused].contains($0.exchange.state) || $0.isRefusedThere }
    }

    /// Waits until nothing is left to do.
    /// - Parameter isNewestWanted: whether to wait as well for who has what is known to be newer
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

    /// Whoever waits for anything of it waits no more.
    func endWaiting() {
        let waiting = quiet + spreading
        (quiet, spreading) = ([], [])
        for turn in waiting { turn.resume(with: .success(())) }
    }
}
