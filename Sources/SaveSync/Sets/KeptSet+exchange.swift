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
        let ticket = UInt32(truncatingIfNeeded: RandomNumbers.next())
        handle(.peer(peer.id, .connected(firstTicket: ticket, isNew: isNew)))
        keeper.connections.noteArrival()
    }

    /// A machine that exchanges the game already was offered it once more, because the offer has changed. It takes that for a new connection, in
    /// which it has heard nothing yet.
    func greetsAgain(_ peer: SavePeer) {
        if sessions[peer.id] === peer { handle(.peer(peer.id, .greeted)) }
    }

    /// A machine is offline, or no longer shares the game.
    func parts(from peer: PeerID) {
        handle(.peer(peer, .disconnected))
        sessions[peer] = nil
    }

    /// A machine no longer shares the game.
    func isWithdrawn(by peer: PeerID) {
        perform(update { $0.withdrawn(by: peer, at: .current) })
        sessions[peer] = nil
    }

    // MARK: What machines say

    func takes(_ message: SaveMessage, from peer: SavePeer) async {
        switch message {
        case .heads(_, let theirs):
            let room = keeper.room(for: peer.id, in: self)
            await completes(.peer(peer.id, .named(theirs, room: room)))
        case .claim(_, let claim):
            await lookForProgram()
            handle(.play(.claimed(claim, named: sessions[claim.peer]?.name)))
        case .release: handle(.play(.released(peer.id)))
        case .request: handle(.play(.requested(peer.id)))
        case .progress(_, let progress): handle(.peer(peer.id, .progressed(progress)))
        case .refused(_, let reason): handle(.peer(peer.id, .refusedThere(reason)))
        case .offer, .withdraw, .ask, .want: break
        }
    }

    /// A machine answered a question about history.
    func takes(_ encoded: [[UInt8]], _ ticket: SaveTicket, from peer: SavePeer) async {
        guard ticket == machine.peers.tickets[peer.id] else { return }
        handle(.peer(peer.id, .answers))
        let snapshots: [Snapshot]
        do throws(SaveRefusal) { snapshots = try await keeper.store.checked(encoded) } catch {
            return handle(.peer(peer.id, .caught(error)))
        }
        // The machine may have gone offline meanwhile and be back.
        guard ticket == machine.peers.tickets[peer.id] else { return }
        let room = keeper.room(for: peer.id, in: self)
        await completes(.peer(peer.id, .answeredHistory(snapshots, room: room)))
    }

    /// Handles an event and waits until what follows is written down.
    private func completes(_ event: SaveSetMachine.Event) async {
        await complete(update { $0.handle(event, at: .current) })
    }

    /// A machine stopped answering. Others are asked for what it has. An answer that is only late is used all the same.
    func isSilent(_ peer: SavePeer) {
        if sessions[peer.id] === peer { handle(.peer(peer.id, .silent)) }
    }

    /// Asks the machines again whose words could not be written down, and those that did not answer.
    func askAgain(_ silent: [PeerID]) {
        update { $0.note(asking: true) }
        for peer in silent.compactMap({ sessions[$0] }) {
            keeper.offer(self, to: peer)
            meets(peer)
        }
        keeper.crew.add {
            for peer in Array(self.sessions.keys) {
                let room = self.keeper.room(for: peer, in: self)
                await self.completes(.peer(peer, .askedAgain(room: room)))
            }
            await self.searchToEnd()
            self.update { $0.note(asking: false) }
        }
    }

    /// Writes history down that a machine sent. Answers false if it is refused.
    func learns(_ snapshots: [Snapshot], from peer: PeerID) async -> Bool {
        do {
            try await learn(snapshots, from: peer)
            handle(.peer(peer, .learned))
        } catch let refusal as SaveRefusal {
            handle(.peer(peer, .caught(refusal)))
            return false
        } catch {
            handle(.peer(peer, .notLearned))
            tell(trouble: error, in: .fetching)
        }
        return true
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
}
