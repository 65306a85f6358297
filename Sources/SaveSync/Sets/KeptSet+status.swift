import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// The facts from which the status of the game follows.
extension KeptSet {
    var facts: GameFacts {
        GameFacts(
            folder: problem != nil ? .unavailable : machine.problems.emptied != nil ? .emptied : .usable,
            newest: machine.newest,
            sharers: machine.isPrivate ? [] : machine.peers.allowed.sorted().map(sharer)
        )
    }

    /// Why it is not in sync, if the user has to do something about that.
    var problem: SetProblem? { machine.problem(folderAway: SaveSyncError.folderAway(entry)) }

    private func sharer(_ peer: PeerID) -> GameSharer {
        let (rights, isLinked) = (keeper.rights[peer], keeper.node.isLinked(to: peer))
        // A machine that is switched off gives no answer either.
        let heldOff = keeper.connections.heldOff[peer].flatMap { $0 != .noAnswer || isLinked ? $0 : nil }
        let part = machine.peers.part(
            of: peer,
            machine.heads,
            rights: rights?.obstacle,
            isForgotten: rights == .unknown,
            heldOff: heldOff
        )
        return GameSharer(peer, isOnline: sessions[peer] != nil || isLinked, part)
    }

    /// Speed of the version that comes here, and of what each machine fetches.
    var paces: (here: FetchPace?, there: [PeerID: FetchPace]) {
        (machine.downloads.pace, machine.peers.online.compactMapValues(\.pace))
    }

    /// Whether the saves of a machine that was cut off may still come.
    func isWaitedFor(_ peer: PeerID) -> Bool {
        machine.peers.allowed.contains(peer) && !machine.peers.stopped.contains(peer)
            && keeper.rights[peer] == .mayExchange
    }

    /// Waits until nothing is left to do.
    /// - Parameter isNewestWanted: whether to wait also for machines that have a newer version
    func untilQuiet(isNewestWanted: Bool = false) async throws {
        try await wait { $0.isQuiet && !(isNewestWanted && $0.awaitsNewer) }
    }

    /// Waits until no machine that is online is behind.
    func untilSpread() async throws { try await wait { $0.behind.isEmpty } }
}
