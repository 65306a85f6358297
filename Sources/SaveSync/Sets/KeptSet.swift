import Digests
import Ledger
import LinuxPlatform
import SaveFolder
import SaveRules
import Session
import Vocabulary

/// One game on this machine: its folder, its history, and the machines that share it. It lives for as long as the game is shared.
///
/// ``SaveSetMachine`` decides. This object passes events to it and carries out the effects. A change of the versions is made on a copy, stored,
/// and only then published (``commit(_:)``). Scans, merges and changes of the folder are the steps of one worker.
@Engine
final class KeptSet {
    nonisolated let id: SaveSetID
    private(set) var entry: SaveSetEntry
    private(set) var place: any SavePlace
    /// This reference lasts until the machine stops sharing the game, or the keeper's run ends, so that work on any thread finds it.
    let keeper: SaveKeeper
    /// The state of the game. Each change wakes the calls that wait for one.
    private(set) var machine: SaveSetMachine {
        didSet {
            timer.set(for: self, at: machine.deadline) { $0.deadlinePassed() }
            changed.wake()
        }
    }
    /// The next deadline of ``machine``.
    private var timer = DeadlineTimer()
    /// Calls that wait for a change of ``machine``.
    let changed = Waiters()
    /// The sessions with the machines that share the game and are online.
    var sessions: [PeerID: SavePeer] = [:]
    /// Calls that wait for the play lock.
    var leaseOutcome: Promise<Void>?
    let program = GameProgram()
    /// Held for each step that changes the folder or the versions.
    let work = Turn()
    /// Held while versions are stored, so that they change one after the other.
    private let storing = Turn()
    /// The worker, while it sleeps.
    let worker = Waiters()
    /// Ends the calls that wait for the disk, once it is known to give no answer.
    var silenceWaits: [ObjectIdentifier: (any Error) -> Void] = [:]
    /// Files in the folder that can't be part of a version.
    var leftOut = LeftOutFiles()

    /// This machine has stopped sharing the game, so its versions no longer change.
    struct Left: Error {}

    init(_ entry: SaveSetEntry, at place: any SavePlace, _ known: SaveSetMachine.Known, _ keeper: SaveKeeper) {
        (id, self.entry, self.place, self.keeper) = (entry.id, entry, place, keeper)
        let games = Int(RandomNumbers.next() >> 16)
        let play = PlayTracker(keeper.node.id, patience: keeper.patience, after: games)
        machine = SaveSetMachine(entry.id, known, play: play)
    }

    /// Passes an event to the machine, and carries out what follows.
    func handle(_ event: SaveSetMachine.Event) { perform(machine.handle(event, at: .current)) }

    private func deadlinePassed() {
        timer.passed()
        handle(.deadline)
    }

    /// Changes the machine by one of its methods that answers something.
    func update<Answer>(_ change: (inout SaveSetMachine) -> Answer) -> Answer { change(&machine) }

    func tell(_ event: SaveNews.Event) { keeper.tell(SaveNews(set: id, name: entry.name, event: event)) }

    /// Waits until the game is in a certain state, or is no longer shared.
    /// - Throws: `CancellationError`
    func wait(until isReached: @Engine (SaveSetMachine) -> Bool) async throws {
        while machine.life != .left, !isReached(machine) { try await changed.wait() }
    }

    /// Changes settings while nothing is done to the folder and no game begins.
    func whileChanging<Value>(_ body: @Engine () async throws -> Value) async throws -> Value {
        try await work.alone {
            guard machine.life == .open else { throw Left() }
            handle(.life(.changes))
            defer { handle(.life(.changed)) }
            return try await body()
        }
    }

    /// Persists settings that change nothing about the folder, and adopts them.
    func adopt(_ settings: SaveSetEntry) async throws {
        try await keeper.ledger.put(settings)
        entry = settings
    }

    /// Persists settings that move the game or change which of its files belong to it, and adopts them. Any two versions of a conflict may be
    /// merged again.
    /// - Parameter shown: the version that the folder shows; nil if the folder is another one
    func adopt(_ settings: SaveSetEntry, at place: any SavePlace, showing shown: SnapshotID?) async throws {
        try await storing.alone {
            let before = machine.heads
            var next = before
            next.settle(showing: shown)
            // If the daemon restarts before it has scanned the folder, it must not take the files there for successors of the old version.
            try await persist(next, over: before)
            do {
                try await keeper.ledger.put(settings)
            } catch {
                // If this can't be written either, the next start finds it out from the folder.
                try? await persist(before, over: next)
                throw error
            }
            handle(.versions(.stored(next, [])))
            (entry, self.place) = (settings, place)
        }
    }

    /// Nothing is known of the folder, as after a start.
    func resetFolder(_ misplaced: (any ExplainedError)?) {
        leftOut = LeftOutFiles()
        handle(.life(.folderChanged(misplaced: misplaced)))
        if misplaced != nil { sessions = [:] }
    }

    /// Finds out what is to be done, as after a start.
    func resume() async {
        var resumed: [SetHeads.Action] = []
        // This changes nothing, so that nothing is written.
        try? await commit { heads in
            resumed = heads.resume()
            return ([], resumed)
        }
    }

    /// Writes a decision to the audit log.
    func note(_ word: String, about peer: PeerID? = nil, _ details: [AuditEntry.Detail] = []) {
        keeper.node.audit(word, about: peer, [.init("set", entry.name.description)] + details)
    }

    /// - Parameter matter: what does not work, until it is solved; nil if that is told each time
    func tell(trouble error: any Error, in matter: SetProblems.Matter? = nil) {
        guard let error = error as? any ExplainedError else { return }
        guard let matter else { return tell(.trouble(error)) }
        handle(.folder(.problem(error, of: matter, telling: true)))
    }

    // MARK: Versions

    /// Changes the versions on a copy, which is stored before it is published.
    /// - Parameter change: answers the snapshots that it has made, and what follows
    func commit(_ change: (inout SetHeads) throws -> (made: [Snapshot], actions: [SetHeads.Action])) async throws {
        try await storing.alone {
            guard machine.life != .left else { throw Left() }
            var next = machine.heads
            let (made, actions) = try change(&next)
            do {
                if !made.isEmpty {
                    try await keeper.atDesk(for: id, on: .history) { try await $0.keep(made, of: id) }
                    try await keeper.ledger.know(made, usedCounter: next.usedCounter)
                    next.noteKept()
                }
                try await persist(next, over: machine.heads)
            } catch {
                handle(.versions(.notStored(next, made: made.map(\.id))))
                await dropUncommitted()
                throw error
            }
            handle(.versions(.stored(next, actions)))
            await dropUncommitted()
        }
    }

    /// Drops versions that were stored in part. The disk may be too full even for that.
    private func dropUncommitted() async {
        let versions = update { $0.versionsToDrop() }
        guard !versions.isEmpty, (try? await keeper.store.drop(versions)) != nil else { return }
        handle(.versions(.dropped))
    }

    /// Learns history that another machine sent. Snapshots before a wrong one are stored before this throws.
    func learn(_ snapshots: [Snapshot], from peer: PeerID) async throws {
        let giver = SnapshotGiver(peer, within: keeper.bounds.given, everybody: keeper.bounds.givenByAll)
        try await storing.alone {
            guard machine.life != .left else { throw Left() }
            var (next, refusal) = (machine.heads, SaveRefusal?.none)
            do throws(SaveRefusal) { try next.learn(snapshots) } catch { refusal = error }
            let known = snapshots.filter { next.graph.isFresh($0.id) }
            // This comes first: once they are written, versions of this machine's own making are no news.
            let recollection = machine.heads.recollection(of: known)
            switch try await keeper.ledger.know(known, from: giver, usedCounter: next.usedCounter) {
            case .peer: throw SaveRefusal(.givenTooMuch)
            case .everybody: throw SaveRefusal(.knownTooMuch)
            case nil: next.noteKept()
            }
            try await persist(next, over: machine.heads)
            handle(.versions(.stored(next, [])))
            if let recollection { tell(recollection) }
            if let refusal { throw refusal }
        }
    }

    /// Writes the state of the versions to the ledger, as far as it differs from that before.
    private func persist(_ next: SetHeads, over before: SetHeads) async throws {
        let change = HeldChange(
            heads: next.heads,
            come: next.held.subtracting(before.held),
            gone: before.held.subtracting(next.held)
        )
        let isSame = next.heads == before.heads && change.come.isEmpty && change.gone.isEmpty
        if next.applied != before.applied || next.usedCounter != before.usedCounter {
            try await keeper.ledger.setStanding(
                of: id,
                applied: next.applied,
                usedCounter: next.usedCounter,
                isSame ? nil : change
            )
        } else if !isSame {
            // If this can't be written, the next start finds it out.
            try? await keeper.ledger.noteHeld(change, of: id)
        }
    }

    /// This machine has stopped sharing the game: no call waits for it, and its downloads end.
    func isLeft() async {
        handle(.life(.left))
        sessions = [:]
        settleTaking(.failure(SaveSyncError.unknownSet(entry.name.description)))
        for version in update({ $0.cancelDownloads() }) { try? await keeper.store.giveUp(version) }
        try? await keeper.store.giveUp(allOf: id)
    }
}
