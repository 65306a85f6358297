import Ledger
import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// The exchange of one game with other machines.
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

    /// Begins the exchange with a machine. Each side has told the other that it has the game and that the other may
    /// have it.
    func meets(_ peer: SavePeer) {
        let isNew = set.sessions[peer.id] == nil
        // Requests of a connection before get no answer.
        parts(from: peer.id)
        set.sessions[peer.id] = peer
        let epoch = UInt32(truncatingIfNeeded: RandomNumbers.next())
        set.handle(.peer(peer.id, .connected(firstEpoch: epoch, isNew: isNew)))
        owner.noteArrival()
    }

    /// Handles a new offer to a machine that exchanges the game already. The machine takes the offer for a new
    /// connection, in which it has heard nothing yet.
    func greetsAgain(_ peer: SavePeer) { if set.sessions[peer.id] === peer { set.handle(.peer(peer.id, .greeted)) } }

    /// Ends the exchange with a machine that is offline or no longer shares the game.
    func parts(from peer: PeerID) {
        set.handle(.peer(peer, .disconnected))
        set.sessions[peer] = nil
    }

    /// True if the user of a machine has paused the game there.
    func isPaused(by peer: PeerID) -> Bool { owner.isPaused(set.id, by: peer) }

    /// Ends the exchange with a machine that no longer shares the game.
    func isWithdrawn(by peer: PeerID) {
        set.handle(.peer(peer, .stopped(true)))
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
        case .cutOff(_, let play):
            let isAwaited = play.map { set.services.rights[$0.player] == .mayExchange } ?? false
            set.handle(.peer(peer.id, .saysCutOff(isAwaited ? play : nil)))
        case .progress(_, let progress): set.handle(.peer(peer.id, .progressed(progress)))
        case .refused(_, let reason): set.handle(.peer(peer.id, .refusedThere(reason)))
        case .offer, .withdraw, .ask, .want, .pause: break
        }
    }

    /// Takes history that a machine sent as a response.
    func takes(_ encoded: [[UInt8]], _ epoch: ExchangeEpoch, from peer: SavePeer) async {
        guard epoch == set.machine.peers.epochs[peer.id] else { return }
        set.handle(.peer(peer.id, .answers))
        let snapshots: [Snapshot]
        do throws(SaveRefusal) { snapshots = try await set.services.store.checked(encoded) } catch {
            return set.handle(.peer(peer.id, .caught(error)))
        }
        // The machine may have gone offline meanwhile and be back.
        guard epoch == set.machine.peers.epochs[peer.id] else { return }
        let room = owner.room(for: peer.id, in: set.id)
        await completes(.peer(peer.id, .answeredHistory(snapshots, room: room)))
    }

    /// Handles an event, and waits until all that follows is stored.
    private func completes(_ event: SaveSetEvent) async {
        await complete(set.decide(event))
    }

    /// Carries out effects in order, and waits until the history in them is stored.
    func complete(_ effects: [SaveSetEffect]) async {
        // Otherwise the game would seem quiet while history is stored. A call that waits for the newest version would
        // miss the one that the history names.
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

    /// Handles the silence of a machine: others are asked for its versions. A response that is only late is still used.
    func isSilent(_ peer: SavePeer) { if set.sessions[peer.id] === peer { set.handle(.peer(peer.id, .silent)) } }

    /// Asks machines again whose history could not be stored, and those that did not answer.
    func askAgain(_ silent: [PeerID]) {
        set.update { $0.note(asking: true) }
        for peer in silent.compactMap({ set.sessions[$0] }) {
            owner.offer(set, to: peer)
            meets(peer)
        }
        set.services.tasks.add {
            for peer in Array(self.set.sessions.keys) {
                let room = self.owner.room(for: peer, in: self.set.id)
                await self.completes(.peer(peer, .askedAgain(room: room)))
            }
            await self.fetcher.searchToEnd()
            self.set.update { $0.note(asking: false) }
        }
    }

    /// Stores history that a machine sent. Returns false if it is refused.
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
