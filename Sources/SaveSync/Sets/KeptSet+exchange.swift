import Ledger
import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// What is said to peers about the set, and what they say.
extension KeptSet {
    /// A peer has said that it has the set and that this machine may have it; the same was said to it.
    func meets(_ peer: SavePeer) {
        let isNew = parts[peer.id] == nil
        // What it was asked for in the meeting before will not come.
        parts(from: peer.id)
        var exchange = Exchange(id)
        let ticket = tickets[peer.id]?.next ?? SaveTicket(UInt32(truncatingIfNeeded: RandomNumbers.next()))
        tickets[peer.id] = ticket
        let actions = exchange.met(takesPart: true, heads: heads.announcement)
        parts[peer.id] = Part(peer: peer, exchange: exchange)
        say(actions, to: peer)
        perform(play.met(at: .current))
        if isNew { tell(.met(peer.id)) }
        keeper.noteArrival()
    }

    /// A peer with which the set is exchanged already was offered it once more, because something about the offer has changed. It takes that for a
    /// new meeting, in which it has heard nothing yet.
    func greetsAgain(_ peer: SavePeer) {
        guard parts[peer.id]?.peer === peer else { return }
        say(parts[peer.id]?.exchange.changed(heads.announcement) ?? [], to: peer)
    }

    /// A peer is gone, or has no part any more.
    func parts(from peer: PeerID) {
        guard let part = parts.removeValue(forKey: peer) else { return }
        part.peer.forgetWants(of: id)
        for (snapshot, fetch) in fetches { perform(fetch.machine.lost(peer), of: snapshot, fetch) }
        lookForMore()
    }

    /// Tells all that have part which heads there are.
    func announce() {
        let announcement = heads.announcement
        for peer in parts.keys { say(parts[peer]?.exchange.changed(announcement) ?? [], to: parts[peer]?.peer) }
    }

    private func say(_ actions: [Exchange.Action], to peer: SavePeer?) {
        for case .sendHeads(let heads) in actions { peer?.send(.heads(id, heads)) }
    }

    // MARK: What peers say

    func takes(_ message: SaveMessage, from peer: SavePeer) async {
        switch message {
        case .heads(_, let theirs):
            let room = keeper.room(for: peer.id, in: self)
            let actions = parts[peer.id]?.exchange.received(theirs, heads.graph, own: heads.heads, room: room)
            if parts[peer.id]?.exchange.state != .refused { noteNamed(theirs.map(\.id), by: peer.id) }
            parts[peer.id]?.pace = nil
            perform(play.heardVersions(from: peer.id))
            await perform(actions ?? [], peer)
        case .claim(_, let claim):
            await lookForProgram()
            perform(play.heard(claim, named: parts[claim.peer]?.peer.name, at: .current))
        case .release:
            perform(play.heardRelease(peer.id, at: .current))
        case .request: perform(play.heardRequest(peer.id, at: .current))
        case .progress(_, let progress):
            if parts[peer.id]?.pace == nil { parts[peer.id]?.pace = FetchPace(progress, at: .current) }
            parts[peer.id]?.pace?.moved(to: progress, at: .current)
        case .refused(_, let reason):
            parts[peer.id]?.isRefusedThere = true
            tell(.wasRefused(peer.id, reason))
        case .offer, .withdraw, .ask, .want: break
        }
        noteQuiet()
    }

    /// A peer wants to know what came before.
    func takes(_ request: HistoryRequest, _ ticket: SaveTicket, from peer: SavePeer) async {
        for action in parts[peer.id]?.exchange.received(request) ?? [] {
            switch action {
            case .answer(let request): peer.answer(id, ticket, request)
            case .refuse(let refusal): refuse(peer, refusal)
            case .sendHeads, .ask, .learn, .offers: break
            }
        }
    }

    /// A peer answered what it was asked about history.
    func takes(_ encoded: [[UInt8]], _ ticket: SaveTicket, from peer: SavePeer) async {
        guard ticket == tickets[peer.id] else { return }
        answers(peer)
        let snapshots: [Snapshot]
        do throws(SaveRefusal) { snapshots = try await keeper.store.checked(encoded) } catch {
            return await caught(peer, error)
        }
        // The peer may have parted meanwhile, and be met anew.
        guard ticket == tickets[peer.id] else { return }
        let room = keeper.room(for: peer.id, in: self)
        let actions = parts[peer.id]?.exchange.received(snapshots, heads.graph, own: heads.heads, room: room)
        await perform(actions ?? [], peer)
        noteQuiet()
    }

    /// A peer does not answer. Others are asked for what it has; an answer that is only late is taken all the same.
    func isSilent(_ peer: SavePeer) {
        guard let part = parts[peer.id], part.peer === peer, part.exchange.state != .refused, !part.isRefusedThere
        else { return }
        silent.insert(peer.id)
        for (snapshot, fetch) in fetches {
            fetch.forget(peer.id)
            perform(fetch.machine.stalled(peer.id), of: snapshot, fetch)
        }
        fetching.later()
        noteQuiet()
    }

    /// A peer that may have been silent answers, and may be asked for other things again.
    func answers(_ peer: SavePeer) {
        if silent.remove(peer.id) != nil { lookForMore() }
    }

    /// A peer was caught at something that is not taken.
    func caught(_ peer: SavePeer, _ refusal: SaveRefusal) async {
        await perform(parts[peer.id]?.exchange.refuse(refusal) ?? [], peer)
    }

    /// Asks anew for what peers have said and could not be kept, and those who did not answer.
    func askAgain() {
        looksForMore += 1
        let silent = self.silent
        self.silent = []
        for peer in silent.compactMap({ parts[$0]?.peer }) {
            keeper.offer(self, to: peer)
            meets(peer)
        }
        keeper.crew.add {
            for part in self.parts.values where part.exchange.state == .level {
                let (theirs, graph, own) = (part.exchange.theirs, self.heads.graph, self.heads.heads)
                let room = self.keeper.room(for: part.peer.id, in: self)
                let actions = self.parts[part.peer.id]?.exchange.received(theirs, graph, own: own, room: room)
                await self.perform(actions ?? [], part.peer)
            }
            await self.refetch()
            self.looksForMore -= 1
            self.noteQuiet()
        }
    }

    private func perform(_ actions: [Exchange.Action], _ peer: SavePeer) async {
        for action in actions {
            switch action {
            case .sendHeads(let heads): peer.send(.heads(id, heads))
            case .ask(let request):
                guard let ticket = tickets[peer.id] else { break }
                peer.send(.ask(id, ticket, request))
                peer.expectAnswer()
            case .answer: break
            case .learn(let snapshots):
                do {
                    try await learn(snapshots, from: peer.id)
                    unlearned.remove(peer.id)
                } catch let refusal as SaveRefusal {
                    return await caught(peer, refusal)
                } catch {
                    unlearned.insert(peer.id)
                    tell(trouble: error, in: .fetching)
                    fetching.later()
                }
            case .offers(let ids):
                parts[peer.id]?.offers = ids
                // Another may have brought what could not be written down.
                if ids.allSatisfy({ heads.graph[$0] != nil }) { unlearned.remove(peer.id) }
                await refetch()
            case .refuse(let refusal): refuse(peer, refusal)
            }
        }
    }

    /// Versions of this machine's own making have come back to it.
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

    /// Nothing more about the set is taken from the peer until the two meet anew.
    private func refuse(_ peer: SavePeer, _ refusal: SaveRefusal) {
        parts[peer.id]?.offers = []
        if let reason = try? Label(refusal.code.description) { peer.send(.refused(id, reason)) }
        keeper.note(refusal, by: peer.id, in: entry.name)
        tell(.refused(peer.id, refusal))
        peer.forgetWants(of: id)
        for (snapshot, fetch) in fetches { perform(fetch.machine.lost(peer.id), of: snapshot, fetch) }
        lookForMore()
    }
}
