import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// The facts from which the status of the game follows.
extension SaveSetRunner {
    /// - Parameter heldOff: the obstacle to saves on the side of each machine
    func facts(heldOff: [PeerID: SyncObstacle]) -> GameFacts {
        GameFacts(
            folder: problem != nil ? .unavailable : set.machine.problems.emptied != nil ? .emptied : .usable,
            newest: set.machine.newest,
            sharers: set.machine.isPrivate ? [] : set.machine.peers.allowed.sorted().map { sharer($0, heldOff[$0]) },
            pause: set.machine.pause
        )
    }

    /// The problem that keeps the game from being in sync, if the user must solve it.
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

    /// - Parameter heldOff: the obstacle to saves on the side of each machine
    func report(heldOff: [PeerID: SyncObstacle]) -> GameReport {
        GameReport(
            entry: entry,
            facts: facts(heldOff: heldOff),
            paces: (machine.downloads.pace, machine.peers.online.compactMapValues(\.pace)),
            versions: .init(
                state: [.empty, .level].contains(machine.heads.state) && machine.awaitsNewer
                    ? .behind : machine.heads.state,
                isNewerAway: machine.isNewerAway,
                couldNotStoreNewer: machine.couldNotStoreNewer,
                heads: machine.heads.heads.compactMap { machine.heads.graph[$0] },
                shown: machine.shown,
                ownSide: machine.heads.ownSide,
                count: machine.heads.held.count
            ),
            play: .init(
                holder: machine.play.lease.holder(at: .current),
                cutOff: machine.cutOff.first,
                isHere: machine.play.lease.state == .held,
                writer: machine.play.games.writer.flatMap { $0.isGame ? $0.name : nil }
            ),
            waitsForGame: machine.waitsForGame,
            sharers: machine.isPrivate ? [] : machine.peers.allowed.subtracting(machine.peers.stopped).sorted(),
            present: sessions.keys.sorted(),
            quarantine: machine.heads.heads.compactMap { machine.quarantine[$0] }.first,
            unwatched: machine.problems.unwatched,
            emptied: machine.problems.emptied,
            leftOut: set.leftOut,
            trouble: problem
        )
    }
}
