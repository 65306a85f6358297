import Ledger
import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// The conversations of this machine and others about one game.
@Engine final class GameExchange {
    private let set: SaveSet
    private let versions: VersionLog
    private let fetcher: VersionFetcher
    private let program: GameProgram
    private let owner: any SaveSetOwner

    init(
        _ set: SaveSet,
        _ versions: VersionLog,
        _ fetcher: VersionFetcher,
        _ program: GameProgram,
        _ owner: any SaveSetOwner
    ) {
        (self.set, self.versions, self.fetcher, self.program) = (set, versions, fetcher, program)
        self.owner = owner
    }

    /// A machine has said that it has the game and that this one may have it. The same was said to it.
    func meets(_ peer: SavePeer) {
        let isNew = set.sessions[peer.id] == nil
        // What it was asked for before does not come.
        parts(from: peer.id)
        set.sessions[peer.id] = peer
        let ticket = UInt32(truncatingIfNeeded: RandomNumbers.next())
        set.handle(.peer(peer.id, .connected(firstTicket: ticket, isNew: isNew)))
        owner.noteArrival()
    }

    /// A machine that exchanges the game already was offered it once more, because the offer has changed. It takes that for a new connection, in
    /// which it has heard nothing yet.
    func greetsAgain(_ peer: SavePeer) { if set.sessions[peer.id] === peer { set.handle(.peer(peer.id, .greeted)) } }

    /// A machine is offline, or no longer shares the game.
    func parts(from peer: PeerID) {
        set.handle(.peer(peer, .disconnected))
        set.sessions[peer] = nil
    }

    /// True if the user of a machine has paused the game there.
    func isPaused(by peer: PeerID) -> Bool { owner.isPaused(set.id, by: peer) }

    /// A machine no longer shares the game.
    func isWithdrawn(by peer: PeerID) {
        set.carryOut(set.update { $0.withdrawn(by: peer, at: .current) })
        set.sessions[peer] = nil
    }

    // MARK: What machines say

    func takes(_ message: SaveMessage, from peer: SavePeer) async {
        switch message {
        case .heads(_, let theirs):
            let room = owner.room(for: peer.id, in: set.id)
            await completes(.peer(peer.id, .named(theirs, room: room)))
        case .claim(_, let claim):
            await program.look()
            set.handle(.play(.claimed(claim, named: set.sessions[claim.peer]?.name)))
        case .release: set.handle(.play(.released(peer.id)))
        case .request: set.handle(.play(.requested(peer.id)))
        case .progress(_, let progress): set.handle(.peer(peer.id, .progressed(progress)))
        case .refused(_, let reason): set.handle(.peer(peer.id, .refusedThere(reason)))
        case .offer, .withdraw, .ask, .want, .pause: break
        }
    }

    /// A machine answered a question about history.
    func takes(_ encoded: [[UInt8]], _ ticket: SaveTicket, from peer: SavePeer) async {
        guard ticket == set.machine.peers.tickets[peer.id] else { return }
        set.handle(.peer(peer.id, .answers))
        let snapshots: [Snapshot]
        do throws(SaveRefusal) { snapshots = try await set.services.store.checked(encoded) } catch {
            return set.handle(.peer(peer.id, .caught(error)))
        }
        // The machine may have gone offline meanwhile and be back.
        guard ticket == set.machine.peers.tickets[peer.id] else { return }
        let room = owner.room(for: peer.id, in: set.id)
        await completes(.peer(peer.id, .answeredHistory(snapshots, room: room)))
    }

    /// Handles an event and waits until what follows is written down.
    private func completes(_ event: SaveSetEvent) async {
        await complete(set.decide(event))
    }

    /// Carries out effects in order, and waits until history that is to be learned is written down.
    func complete(_ effects: [SaveSetEffect]) async {
        // Otherwise the game would seem quiet while history is written down, and a call that waits for the newest version would miss the one that
        // the history tells of.
        set.update { $0.note(asking: true) }
        defer { set.update { $0.note(asking: false) } }
        for effect in effects {
            guard case .learn(let snapshots, let peer) = effect else {
                set.carryOut([effect])
                continue
            }
            guard await learns(snapshots, from: peer) else { return }
        }
    }

    /// A machine stopped answering. Others are asked for what it has. An answer that is only late is used all the same.
    func isSilent(_ peer: SavePeer) { if set.sessions[peer.id] === peer { set.handle(.peer(peer.id, .silent)) } }

    /// Asks the machines again whose words could not be written down, and those that did not answer.
    func askAgain(_ silent: [PeerID]) {
        set.update { $0.note(asking: true) }
        for peer in silent.compactMap({ set.sessions[$0] }) {
            owner.offer(set, to: peer)
            meets(peer)
        }
        set.services.crew.add {
            for peer in Array(self.set.sessions.keys) {
                let room = self.owner.room(for: peer, in: self.set.id)
                await self.completes(.peer(peer, .askedAgain(room: room)))
            }
            await self.fetcher.searchToEnd()
            self.set.update { $0.note(asking: false) }
        }
    }

    /// Writes history down that a machine sent. Answers false if it is refused.
    private func learns(_ snapshots: [Snapshot], from peer: PeerID) async -> Bool {
        do {
            try await versions.learn(snapshots, from: peer)
            set.handle(.peer(peer, .learned))
        } catch let refusal as SaveRefusal {
            set.handle(.peer(peer, .caught(refusal)))
            return false
        } catch {
            set.handle(.peer(peer, .notLearned))
            set.tell(trouble: error, in: .fetching)
        }
        return true
    }
}
