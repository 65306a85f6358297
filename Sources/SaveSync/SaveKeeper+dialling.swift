import Ledger
import LinuxPlatform
import SaveRules
public import Session
import SessionRules
public import Vocabulary

/// With whom there are sessions, and how they come about.
extension SaveKeeper {
    /// A peer is about. If a set is shared with it, a session is opened: at once by the one of the two whose id is smaller, a
    /// while later by the other where that has not come.
    public func sees(_ peer: PeerID) {
        guard shares(with: peer) else { return }
        if let dial = dialling[peer] {
            // One that has just ended a block is not left waiting for minutes.
            if node.isLinked(to: peer) { dial.linkCameUp() }
            return
        }
        if let there = peers[peer], !there.isEnding, !there.isThere {
            // Its connection comes back, as long as both sides want to go on.
            there.wasSeen()
            if isAwaited(peer) { hurry(peer) }
            return
        }
        look(for: peer, after: Topology.waitBeforeDialling(from: node.id, to: peer))
    }

    /// Opens a session with a peer, unless there is one. Where one is being opened and that fails, it is tried once more: something has
    /// changed since it was begun.
    func look(for peer: PeerID, after wait: Duration) {
        guard !isInSession(with: peer) else { return }
        guard dialling[peer] == nil else {
            wantedAgain.insert(peer)
            return
        }
        let dial = PeerDial()
        dialling[peer] = dial
        crew.add {
            let session = await self.dial(peer, dial, after: self.isAwaited(peer) ? .zero : wait)
            self.dialling[peer] = nil
            self.noteArrival()
            let isWantedAgain = self.wantedAgain.remove(peer) != nil
            if let session {
                await self.follow(session, with: peer)
            } else if isWantedAgain {
                self.look(for: peer, after: wait)
            }
        }
    }

    /// Whether what is said to a peer reaches it. In a session that is about to be over it does not.
    func isInSession(with peer: PeerID) -> Bool { peers[peer].map { !$0.isEnding } ?? false }

    private func shares(with peer: PeerID) -> Bool { sets.values.contains { $0.sharers.contains(peer) } }

    /// How long an invitation may take that no person answers, and how long to wait at least and at most before the next.
    private static let patience = (
        answer: Duration.seconds(5), relink: Duration.milliseconds(500), again: Duration.seconds(160)
    )

    /// How many connections may break before it is left to be seen anew.
    private static let mostBreaks = 10

    private func dial(_ peer: PeerID, _ dial: PeerDial, after wait: Duration) async -> (any SaveSession)? {
        var (wait, breaks) = (wait, 0)
        while wait <= Self.patience.again, breaks < Self.mostBreaks {
            guard await mayExchange(with: peer) else { return nil }
            guard (try? await dial.pause(for: wait)) != nil, !isInSession(with: peer) else { return nil }
            do {
                let session = try await node.openSaves(with: peer, patience: Self.patience.answer)
                // A person may have taken the right back since it was invited, and its own invitation have crossed this one.
                guard await mayExchange(with: peer) else {
                    session.leave(because: .notPermitted)
                    return nil
                }
                return session
            } catch {
                switch (error as? SessionError)?.reason {
                case .notPermitted, .declined:
                    isHeldOff(by: peer, .notPermittedThere)
                    return nil
                // Its own may have gone out while it got no answer here, and each waited for the other's.
                case .timedOut:
                    if wait >= Self.patience.answer { isHeldOff(by: peer, .noAnswer) }
                    wait = max(wait * 2, Self.patience.answer)
                    dial.wasLeftUnanswered()
                    noteArrival()
                // The connection broke just then, or another took its place; of that nobody tells who only sees it.
                case .lost, .replaced:
                    breaks += 1
                    wait = min(max(wait * 2, Self.patience.relink), Self.patience.answer)
                // Whoever can't be reached is tried again when it is seen again.
                default:
                    heldOff[peer] = nil
                    return nil
                }
            }
        }
        return nil
    }

    /// Takes a session that a peer has opened to exchange sets, and returns when it is over.
    public func take(_ session: Session, from peer: PeerID) async {
        await take(PairSession(session, with: peer), from: peer)
    }

    package func take(_ session: any SaveSession, from peer: PeerID) async {
        guard await mayExchange(with: peer) else {
            note(SaveRefusal(.notPermitted), by: peer, in: nil)
            return session.leave(because: .notPermitted)
        }
        await follow(session, with: peer)
    }

    private func follow(_ session: any SaveSession, with peer: PeerID) async {
        if let other = peers[peer] {
            // Where each side has begun one, both keep that of the smaller id. Else the later takes the place of the earlier, which
            // the other side has forgotten or is about to.
            let stays = min(node.id, peer)
            guard session.host == stays || other.host != stays || !other.isThere || other.isEnding else {
                return session.leave(because: .left)
            }
            other.hangUp()
        }
        let new = SavePeer(peer, session, self)
        peers[peer] = new
        heldOff[peer] = nil
        met.insert(peer)
        noteArrival()
        if !shares(with: peer), session.host == node.id { waitForOffer(from: new) }
        await new.run()
        guard peers[peer] === new else { return }
        peers[peer] = nil
        noteArrival()
        // Its program was started anew and knows nothing of the session, or it ended the session when it was just being offered something.
        if new.wasForgotten || new.mayHaveMissedOffers { sees(peer) }
    }

    /// Ends a session that was opened because the peer might have something to offer, if it has nothing.
    private func waitForOffer(from peer: SavePeer) {
        crew.add {
            guard (try? await Engine.loop.sleep(for: self.bounds.firstOffer)) != nil, self.peers[peer.id] === peer,
                peer.offered.isEmpty, !self.shares(with: peer.id)
            else { return }
            peer.hangUp()
        }
    }

    /// A person may have changed what a peer may do: what it may no more ends at once, what it may now begins.
    func looksAgain(at peer: PeerID) {
        crew.add {
            let rights = await self.lookUpRights(of: peer)
            guard rights == .mayExchange else {
                self.welcome.remove(peer)
                // Also a session that began while the ledger was asked: it was let in by what held before.
                self.peers[peer]?.hangUp(because: .notPermitted)
                if rights == .unknown { await self.forgetSharer(peer) }
                return
            }
            await self.offerHouseholdGames(to: peer)
            // While it was not welcome here, it could offer nothing.
            guard self.welcome.insert(peer).inserted || self.shares(with: peer) else { return }
            self.look(for: peer, after: Topology.waitBeforeDialling(from: self.node.id, to: peer))
        }
    }

    /// Offers the games that are shared with the household to a machine that has joined it. A game that a person took back
    /// from the machine stays taken back.
    func offerHouseholdGames(to peer: PeerID) async {
        for set in sets.values where set.entry.audience == .household {
            // A person may forget the machine, or change the game's settings, while another game is offered.
            guard rights[peer] == .mayExchange, sets[set.id] === set else { continue }
            guard !set.peers.allowed.contains(peer), !set.peers.revoked.contains(peer) else { continue }
            // A game whose folder is refused, or a full disk: `huddle share` says so, and offers it later.
            guard set.problems.misplaced == nil else { continue }
            // The ledger shares it only with a machine that it still knows, in one step. Otherwise a machine that a person
            // forgets in this moment would come back as a sharer.
            guard (try? await ledger.introduce(peer, to: set.id)) == true else { continue }
            try? await isShared(set.id, with: peer)
        }
    }

    func offerHouseholdGames() async {
        guard sets.values.contains(where: { $0.entry.audience == .household }) else { return }
        for peer in (try? await ledger.peers().values) ?? [] where await mayExchange(with: peer.id) {
            await offerHouseholdGames(to: peer.id)
        }
    }

    /// Asks the ledger what a machine may do here. Where it can't say, nothing is exchanged, and what was known before stays known.
    @discardableResult
    func lookUpRights(of peer: PeerID) async -> SharerRights {
        guard let found = try? await ledger.peer(peer).map(SharerRights.init) ?? .unknown else {
            return .notPermitted
        }
        rights[peer] = found
        return found
    }

    /// Machines that a game was offered to and that are blocked or forgotten here: no other machine hears of them.
    var barred: Set<PeerID> { Set(rights.filter { $0.value == .blocked || $0.value == .unknown }.keys) }

    /// A machine does not let this one sync its saves.
    func isHeldOff(by peer: PeerID, _ obstacle: SyncObstacle) {
        guard heldOff.updateValue(obstacle, forKey: peer) != obstacle else { return }
        for set in sets.values where set.sharers.contains(peer) { set.tell(.stopped(peer, obstacle)) }
    }

    /// The same of all who have part in something, whether they are there or not.
    func looksAgainAtSharers() {
        crew.add {
            for peer in Set(self.sets.values.flatMap(\.peers.allowed))
            where await self.lookUpRights(of: peer) == .unknown { await self.forgetSharer(peer) }
        }
    }

    /// Whom the ledger has forgotten has no part in anything any more.
    func forgetSharer(_ peer: PeerID) async {
        await changing.alone {
            for set in sets.values where set.peers.allowed.contains(peer) {
                guard let sharers = try? await ledger.sharers(of: set.id).values, !sharers.contains(peer) else {
                    continue
                }
                set.peers.forget(peer)
            }
        }
    }

    /// Whether policy and permissions let a machine sync saves with this one.
    func mayExchange(with peer: PeerID) async -> Bool { await lookUpRights(of: peer) == .mayExchange }
}
