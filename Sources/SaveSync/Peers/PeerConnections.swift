import Ledger
public import LinuxPlatform
import SaveRules
public import Session
import SessionRules
public import Vocabulary

/// The games, as connections know them.
@Engine protocol ConnectedGames: PeerAudience {
    /// True if any game is shared with a machine.
    func shares(with peer: PeerID) -> Bool
    /// True if the household has statements to send to a machine.
    func hasNews(for peer: PeerID) -> Bool
    /// A game that is shared here.
    func game(_ id: SaveSetID) throws -> SaveSet
    /// Notes that the status of all games may have changed, since it depends on a machine.
    func noteMachines()
    /// Tells the user that an obstacle stops all games with a machine.
    func tellStopped(_ peer: PeerID, _ obstacle: SyncObstacle)
}

/// Begins and keeps the sessions with other machines.
@Engine
public final class PeerConnections {
    /// The time that an unanswered invitation may take, and the shortest and the longest wait before the next one.
    private static let patience = (
        answer: Duration.seconds(5), relink: Duration.milliseconds(500), again: Duration.seconds(160)
    )
    /// The number of connections that may break before the machine must be seen again.
    private static let mostBreaks = 10

    // because the engine owns this object, and everything that runs here is part of its run
    unowned let games: any ConnectedGames
    let services: SaveServices
    /// The machines with a session.
    private(set) var peers: [PeerID: SavePeer] = [:]
    /// The machines that are dialed.
    private(set) var dials: [PeerID: PeerDial] = [:]
    /// The machines that are dialed again if the dial that is under way fails.
    private var wantedAgain: Set<PeerID> = []
    /// The obstacle to saves on the side of a machine that does not let this one sync, or that does not answer.
    var heldOff: [PeerID: SyncObstacle] = [:] { didSet { if heldOff != oldValue { games.noteMachines() } } }
    /// The number of calls that wait for the machines of each game.
    var gatherers: [SaveSetID: Int] = [:]
    /// The calls that wait for a change.
    let arrivals = Waiters()
    /// The moment since which this machine may connect to others, and the machines with which it has connected since.
    private(set) var awakeSince = ContinuousClock.Instant.current
    private(set) var met: Set<PeerID> = []

    init(_ services: SaveServices, _ games: any ConnectedGames) { (self.services, self.games) = (services, games) }

    /// Starts again after a start or a wake-up. Other machines are on and not connected yet, or are found in a moment.
    func wake() {
        (awakeSince, met) = (.current, [])
        for peer in peers.values where !peer.presence.isHere { peer.wasSeen() }
    }

    /// Ends all sessions.
    func hangUp() {
        for peer in peers.values { peer.hangUp() }
    }

    /// Releases all sessions.
    func release() { peers = [:] }

    /// True if a session reaches a machine, and is not about to end.
    func isInSession(with peer: PeerID) -> Bool { peers[peer].map { !$0.presence.isEnding } ?? false }

    /// Handles a machine that is online. If a game is shared with it, a session begins: the machine with the smaller ID
    /// dials at once, and the other one if that takes too long.
    public func sees(_ peer: PeerID) {
        guard games.shares(with: peer) || games.hasNews(for: peer) else { return }
        if let dial = dials[peer] {
            // Otherwise a machine that has just ended a block would wait for minutes.
            if services.node.isLinked(to: peer) { dial.linkCameUp() }
            return
        }
        if let there = peers[peer], !there.presence.isEnding, !there.presence.isHere {
            // Its connection comes back, as long as both sides want that.
            there.wasSeen()
            if isAwaited(peer) { hurry(peer) }
            return
        }
        connect(to: peer, after: Topology.waitBeforeDialling(from: services.node.id, to: peer))
    }

    /// Begins a session, unless there is one. If a dial that is under way fails, it is repeated once, because something
    /// has changed since it began.
    func connect(to peer: PeerID, after wait: Duration) {
        guard !isInSession(with: peer) else { return }
        guard dials[peer] == nil else {
            wantedAgain.insert(peer)
            return
        }
        let dial = PeerDial()
        dials[peer] = dial
        services.tasks.add {
            let session = await self.dial(peer, dial, after: self.isAwaited(peer) ? .zero : wait)
            self.dials[peer] = nil
            self.noteArrival()
            let isWantedAgain = self.wantedAgain.remove(peer) != nil
            if let session {
                await self.follow(session, with: peer)
            } else if isWantedAgain {
                self.connect(to: peer, after: wait)
            }
        }
    }

    private func dial(_ peer: PeerID, _ dial: PeerDial, after wait: Duration) async -> (any SaveSession)? {
        var (wait, breaks) = (wait, 0)
        while wait <= Self.patience.again, breaks < Self.mostBreaks {
            guard await services.rights.mayExchange(with: peer) else { return nil }
            guard (try? await dial.pause(for: wait)) != nil, !isInSession(with: peer) else { return nil }
            do {
                let session = try await services.node.openSaves(with: peer, patience: Self.patience.answer)
                // The user may have revoked the right since, while the other machine's invitation crossed this one.
                guard await services.rights.mayExchange(with: peer) else {
                    session.leave(because: .notPermitted)
                    return nil
                }
                return session
            } catch {
                switch (error as? SessionError)?.reason {
                case .notPermitted, .declined:
                    isHeldOff(by: peer, .notPermittedThere)
                    return nil
                // Both machines may have invited each other, and each waited for the other's answer.
                case .timedOut:
                    if wait >= Self.patience.answer { isHeldOff(by: peer, .noAnswer) }
                    wait = max(wait * 2, Self.patience.answer)
                    dial.wasLeftUnanswered()
                    noteArrival()
                // The connection broke in that moment, or another one replaced it. The machine may not be seen again
                // after that, so it is dialed again here.
                case .lost, .replaced:
                    breaks += 1
                    wait = min(max(wait * 2, Self.patience.relink), Self.patience.answer)
                // A machine that can't be reached is dialed again when it is seen again.
                default:
                    heldOff[peer] = nil
                    return nil
                }
            }
        }
        return nil
    }

    /// Takes a session that another machine has opened to sync games, and returns when it has ended.
    public func take(_ session: Session, from peer: PeerID) async {
        await take(PairSession(session, with: peer), from: peer)
    }

    package func take(_ session: any SaveSession, from peer: PeerID) async {
        guard await services.rights.mayExchange(with: peer) else {
            services.note(SaveRefusal(.notPermitted), by: peer, in: nil)
            return session.leave(because: .notPermitted)
        }
        await follow(session, with: peer)
    }

    private func follow(_ session: any SaveSession, with peer: PeerID) async {
        if let other = peers[peer] {
            // If each side has begun a session, both keep the one of the smaller ID. Otherwise the later session
            // replaces the earlier one, which the other side has forgotten or is about to forget.
            let stays = min(services.node.id, peer)
            guard session.host == stays || other.host != stays || !other.presence.isHere || other.presence.isEnding
            else {
                return session.leave(because: .left)
            }
            other.hangUp()
        }
        let new = SavePeer(peer, session, services, games)
        peers[peer] = new
        heldOff[peer] = nil
        met.insert(peer)
        noteArrival()
        if !games.shares(with: peer), session.host == services.node.id { waitForOffer(from: new) }
        await new.run()
        guard peers[peer] === new else { return }
        peers[peer] = nil
        noteArrival()
        // The machine's program has restarted and knows nothing of the session. Or it ended the session in the moment
        // in which it was offered a game.
        if new.presence.end != .other { sees(peer) }
    }

    /// Ends a session that began because the machine might offer a game, if it offers none.
    private func waitForOffer(from peer: SavePeer) {
        services.tasks.add {
            guard (try? await Engine.loop.sleep(for: self.services.bounds.patience.firstOffer)) != nil,
                self.peers[peer.id] === peer,
                peer.offered.isEmpty, !self.games.shares(with: peer.id)
            else { return }
            peer.hangUp()
        }
    }

    /// Notes that a machine does not let this one sync its saves.
    func isHeldOff(by peer: PeerID, _ obstacle: SyncObstacle) {
        guard heldOff.updateValue(obstacle, forKey: peer) != obstacle else { return }
        games.tellStopped(peer, obstacle)
    }
}
