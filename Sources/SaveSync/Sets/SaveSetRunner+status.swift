import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// The facts from which the status of the game follows.
extension SaveSetRunner {
    /// - Parameter heldOff: what stops saves on the side of each machine
    func facts(heldOff: [PeerID: SyncObstacle]) -> GameFacts {
        GameFacts(
            folder: problem != nil ? .unavailable : set.machine.problems.emptied != nil ? .emptied : .usable,
            newest: set.machine.newest,
            sharers: set.machine.isPrivate ? [] : set.machine.peers.allowed.sorted().map { sharer($0, heldOff[$0]) },
            pause: set.machine.pause
        )
    }

    /// Why it is not in sync, if the user has to do something about that.
    var problem: SetProblem? { self.set.machine.problem(folderAway: SaveSyncError.folderAway(set.entry)) }

    private func sharer(_ peer: PeerID, _ obstacle: SyncObstacle?) -> GameSharer {
        let (rights, isLinked) = (set.services.rights[peer], set.services.node.isLinked(to: peer))
        // A machine that is switched off gives no answer either.
        let heldOff = obstacle.flatMap { $0 != .noAnswer || isLinked ? $0 : nil }
        let part = set.machine.peers.part(
            of: peer,
            set.machine.heads,
            rights: rights?.obstacle,
            isForgotten: rights == .unknown,
            heldOff: heldOff
        )
        let reach: GameSharer.Reach =
            exchange.isPaused(by: peer) ? .paused : set.sessions[peer] != nil || isLinked ? .online : .offline
        return GameSharer(peer, reach, part)
    }

    /// Speed of the version that comes here, and of what each machine fetches.
    var paces: (here: FetchPace?, there: [PeerID: FetchPace]) {
        (self.set.machine.downloads.pace, self.set.machine.peers.online.compactMapValues(\.pace))
    }

    /// True if the saves of a machine that was cut off may still come.
    func isWaitedFor(_ peer: PeerID) -> Bool {
        set.machine.peers.allowed.contains(peer) && !set.machine.peers.stopped.contains(peer)
            && set.services.rights[peer] == .mayExchange
    }

    /// Waits until nothing is left to do.
    /// - Parameter isNewestWanted: whether to wait also for machines that have a newer version
    func untilQuiet(isNewestWanted: Bool = false) async throws {
        try await set.wait { $0.isQuiet && !(isNewestWanted && $0.awaitsNewer) }
    }

    /// Waits until no machine that is online is behind.
    func untilSpread() async throws { try await set.wait { $0.behind.isEmpty } }
}
