import Ledger
import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// What this machine and others say to each other about the game.
extension KeptSet {
    /// A machine has said that it has the game and that this one may have it. The same was said to it.
    func meets(_ peer: SavePeer) {
        let isNew = sessions[peer.id] == nil
        // What it was asked for before does not come.
        parts(from: peer.id)
        sessions[peer.id] = peer
        let actions = peers.connect(
            peer.id,
            in: id,
            heads: heads.announcement,
            firstTicket: UInt32(truncatingIfNeeded: RandomNumbers.next())
        )
        say(actions, to: peer)
        perform(play.met(at: .current))
        if isNew { tell(.met(peer.id)) }
        keeper.connections.noteArrival()
    }

    /// A machine that exchanges the game already was offered it once more, because the offer has changed. It takes that for a new connection, in
    /// which it has heard nothing yet.
    func greetsAgain(_ peer: SavePeer) {
        guard sessions[peer.id] === peer else { return }
        say(peers.online[peer.id]?.exchange.changed(heads.announcement) ?? [], to: peer)
    }

    /// A machine is offline, or no longer shares the game.
    func parts(from peer: PeerID) {
        guard peers.disconnect(peer), let session = sessions.removeValue(forKey: peer) else { return }
        session.forgetWants(of: id)
        carryOut(downloads.lost(peer, surroundings))
        lookForMore()
    }

    /// Nothing more is asked of any machine.
    func partsFromAll() {
        for (peer, session) in sessions where peers.disconnect(peer) { session.forgetWants(of: id) }
        sessions = [:]
    }

    /// Tells all machines that are online which versions are newest.
    func announce() {
        let announcement = heads.announcement
        for (peer, session) in sessions {
            say(peers.online[peer]?.exchange.changed(announcement) ?? [], to: session)
        }
    }

    private func say(_ actions: [Exchange.Action], to peer: SavePeer) {
        for case .sendHeads(let heads) in actions { peer.send(.heads(id, heads)) }
    }

    // MARK: What machines say

    func takes(_ message: SaveMessage, from peer: SavePeer) async {
        switch message {
        case .heads(_, let theirs):
            let room = keeper.room(for: peer.id, in: self)
            let actions = peers.online[peer.id]?.exchange.received(theirs, heads.graph, own: heads.heads, room: room)
            if peers.online[peer.id]?.exchange.state != .refused { noteNamed(theirs.map(\.id), by: peer.id) }
            peers.online[peer.id]?.pace = nil
            perform(play.heardVersions(from: peer.id))
            await perform(actions ?? [], peer)
        case .claim(_, let claim):
            await lookForProgram()
            perform(play.heard(claim, named: sessions[claim.peer]?.name, at: .current))
        case .release:
            perform(play.heardRelease(peer.id, at: .current))
        case .request: perform(play.heardRequest(peer.id, at: .current))
        case .progress(_, let progress): peers.progressed(peer.id, to: progress, at: .current)
        case .refused(_, let reason):
            peers.refusedThere(peer.id)
            tell(.wasRefused(peer.id, reason))
        case .offer, .withdraw, .ask, .want: break
        }
        noteQuiet()
    }

    /// A machine wants to know the history of a version.
    func takes(_ request: HistoryRequest, _ ticket: SaveTicket, from peer: SavePeer) async {
        for action in peers.online[peer.id]?.exchange.received(request) ?? [] {
            switch action {
            case .answer(let request): peer.answer(id, ticket, request)
            case .refuse(let refusal): refuse(peer, refusal)
            case .sendHeads, .ask, .learn, .offers: break
            }
        }
    }

    /// A machine answered a question about history.
    func takes(_ encoded: [[UInt8]], _ ticket: SaveTicket, from peer: SavePeer) async {
        guard ticket == peers.tickets[peer.id] else { return }
        answers(peer)
        let snapshots: [Snapshot]
        do throws(SaveRefusal) { snapshots = try await keeper.store.checked(encoded) } catch {
            return await caught(peer, error)
        }
        // The machine may have gone offline meanwhile and be back.
        guard ticket == peers.tickets[peer.id] else { return }
        let room = keeper.room(for: peer.id, in: self)
        let actions = peers.online[peer.id]?.exchange.received(snapshots, heads.graph, own: heads.heads, room: room)
        await perform(actions ?? [], peer)
        noteQuiet()
    }

    /// A machine stopped answering. Others are asked for what it has. An answer that is only late is used all the same.
    func isSilent(_ peer: SavePeer) {
        guard sessions[peer.id] === peer, peers.becameSilent(peer.id) else { return }
        carryOut(downloads.stalled(peer.id, surroundings))
        retryLater()
        noteQuiet()
    }

    /// A machine that may have been silent answers, and is asked for other things again.
    func answers(_ peer: SavePeer) {
        if peers.answered(peer.id) { lookForMore() }
    }

    /// A machine said something that is not accepted.
    func caught(_ peer: SavePeer, _ refusal: SaveRefusal) async {
        await perform(peers.online[peer.id]?.exchange.refuse(refusal) ?? [], peer)
    }

    /// Asks the machines again whose words could not be written down, and those that did not answer.
    func askAgain() {
        downloads.beginSearch()
        for peer in peers.takeSilent().compactMap({ sessions[$0] }) {
            keeper.offer(self, to: peer)
            meets(peer)
        }
        keeper.crew.add {
            for (peer, session) in self.sessions where self.peers.online[peer]?.exchange.state == .level {
                let (theirs, graph) = (self.peers.online[peer]?.exchange.theirs ?? [], self.heads.graph)
                let (own, room) = (self.heads.heads, self.keeper.room(for: peer, in: self))
                let actions = self.peers.online[peer]?.exchange.received(theirs, graph, own: own, room: room)
                await self.perform(actions ?? [], session)
            }
            await self.refetch()
            self.downloads.endSearch()
            self.noteQuiet()
        }
    }

    private func perform(_ actions: [Exchange.Action], _ peer: SavePeer) async {
        for action in actions {
            switch action {
            case .sendHeads(let heads): peer.send(.heads(id, heads))
            case .ask(let request):
                guard let ticket = peers.tickets[peer.id] else { break }
                peer.send(.ask(id, ticket, request))
                peer.expectAnswer()
            case .answer: break
            case .learn(let snapshots):
                do {
                    try await learn(snapshots, from: peer.id)
                    peers.note(learned: true, from: peer.id)
                } catch let refusal as SaveRefusal {
                    return await caught(peer, refusal)
                } catch {
                    peers.note(learned: false, from: peer.id)
                    tell(trouble: error, in: .fetching)
                    retryLater()
                }
            case .offers(let ids):
                peers.online[peer.id]?.offers = ids
                // Another machine may have said what could not be written down.
                if ids.allSatisfy({ heads.graph[$0] != nil }) { peers.note(learned: true, from: peer.id) }
                await refetch()
            case .refuse(let refusal): refuse(peer, refusal)
            }
        }
    }

    /// Versions that this machine made have come back to it.
    func tell(_ recollection: Recollection) {
        note(
            "save-versions-back",
            [
                .init("count", "\(recollection.count)"),
                .init("numbers", recollection.usesNumbersTwice ? "used twice" : "go on"),
            ]
        )
        tell(.recollected(recollection))
    }

    /// Nothing more about the game is accepted from the machine until the two connect again.
    private func refuse(_ peer: SavePeer, _ refusal: SaveRefusal) {
        peers.online[peer.id]?.offers = []
        if let reason = try? Label(refusal.code.description) { peer.send(.refused(id, reason)) }
        keeper.note(refusal, by: peer.id, in: entry.name)
        tell(.refused(peer.id, refusal))
        peer.forgetWants(of: id)
        carryOut(downloads.lost(peer.id, surroundings))
        lookForMore()
    }
}
