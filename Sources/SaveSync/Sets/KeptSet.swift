import Digests
import Ledger
import LinuxPlatform
import SaveFolder
import SaveRules
import Session
import Vocabulary

/// One game on this machine: its folder, its history, and the machines that share it.
///
/// Pure values decide: ``SetHeads``, ``SharePeers``, ``Downloads``, ``PlayTracker``, ``FolderWork`` and ``SetProblems``. A change of the versions
/// is made on a copy, stored, and only then published (``commit(_:)``). Scans, merges and changes of the folder are the steps of one worker.
@Engine
final class KeptSet {
    nonisolated let id: SaveSetID
    var entry: SaveSetEntry
    private(set) var place: any SavePlace
    /// This reference lasts until the machine stops sharing the game, or the keeper's run ends, so that work on any thread finds it.
    let keeper: SaveKeeper
    /// The versions.
    private(set) var heads: SetHeads
    /// The machines that share it.
    var peers: SharePeers
    /// The sessions with those that are online.
    var sessions: [PeerID: SavePeer] = [:]
    /// The versions that come here.
    var downloads: Downloads
    /// The versions that are not put into the folder, and the reasons.
    var quarantine: [SnapshotID: String]

    /// The play lock and the games that run here.
    var play: PlayTracker
    /// Calls that wait for the play lock.
    var leaseOutcome: Promise<Void>?
    let program = GameProgram()

    /// What the worker does to the folder.
    var folder = FolderWork() {
        didSet { if folder.deadline != oldValue.deadline { setTimer() } }
    }
    /// What does not work.
    var problems: SetProblems
    /// The next deadline of ``play``, ``folder`` and ``downloads``.
    private var timer = MachineTimer()

    /// Held for each step that changes the folder or the versions.
    let work = Turn()
    /// Held while a version is applied, so that no game begins meanwhile.
    let putting = Turn()
    /// Held while a search decides what to fetch.
    let seeking = Turn()
    private let turn = Turn()
    /// The worker, while it sleeps.
    let worker = Waiters()
    /// Calls that wait until nothing is left to do.
    let quiet = Waiters()
    /// Calls that wait until all machines that are online have the newest version.
    let spreading = Waiters()
    /// Ends the calls that wait for the disk, once it is known to give no answer.
    var silenceWaits: [ObjectIdentifier: (any Error) -> Void] = [:]
    /// Files in the folder that can't be part of a version.
    var leftOut = LeftOutFiles()
    /// Versions that this machine made and could not store everywhere, until the history has dropped them.
    var unentered: Set<SnapshotID> = []
    /// Versions that a user restores now. Retention keeps them.
    var restoring: Set<SnapshotID> = []
    private(set) var life = Life.open

    /// The life of the game on this machine.
    enum Life {
        case open
        /// Its settings change: its folder is left alone, and a game that begins waits.
        case changing
        /// The daemon ends, or this machine stops sharing the game: nothing is retried or waited for.
        case closing
        /// This machine has stopped sharing the game.
        case left
    }

    /// This machine has stopped sharing the game, so its versions no longer change.
    struct Left: Error {}

    /// What the ledger and the history know of a game when it is opened.
    struct Known {
        var heads: SetHeads
        var peers = SharePeers()
        var quarantine: [SnapshotID: String] = [:]
        var incomplete: Set<SnapshotID> = []
        var problems = SetProblems()
    }

    init(_ entry: SaveSetEntry, at place: any SavePlace, _ known: Known, _ keeper: SaveKeeper) {
        (id, self.entry, self.place, self.keeper) = (entry.id, entry, place, keeper)
        (heads, peers, quarantine, problems) = (known.heads, known.peers, known.quarantine, known.problems)
        downloads = Downloads(incomplete: known.incomplete)
        play = PlayTracker(keeper.node.id, patience: keeper.patience, after: Int(RandomNumbers.next() >> 16))
    }

    func tell(_ event: SaveNews.Event) { keeper.tell(SaveNews(set: id, name: entry.name, event: event)) }

    /// Ends all waiting and retrying.
    func close() {
        life = .closing
        timer.cancel()
    }

    /// Waits for the next deadline.
    func setTimer() {
        let deadlines = isAlive ? [play.deadline, folder.deadline, downloads.retry.due].compactMap { $0 } : []
        timer.set(for: self, at: deadlines.min()) { $0.deadlinePassed(at: .current) }
    }

    private func deadlinePassed(at now: ContinuousClock.Instant) {
        if let deadline = play.deadline, deadline <= now { perform(play.deadlinePassed(at: now)) }
        if let deadline = folder.deadline, deadline <= now {
            folder.deadlinePassed(at: now, nextMerge: heads.nextMerge)
            lookUp()
        }
        if downloads.retry.isDue(at: now) { askAgain() }
        setTimer()
    }

    /// Changes settings while nothing is done to the folder and no game begins.
    func whileChanging<Value>(_ body: @Engine () async throws -> Value) async throws -> Value {
        try await work.alone {
            try await putting.alone {
                guard life == .open else { throw Left() }
                life = .changing
                defer {
                    if life == .changing { life = .open }
                    lookUp()
                }
                return try await body()
            }
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
        try await turn.alone {
            let before = heads
            var next = heads
            next.settle(showing: shown)
            // If the daemon restarts before it has scanned the folder, it must not take the files there for successors of the old version.
            try await stand(next)
            do {
                try await keeper.ledger.put(settings)
            } catch {
                // If this can't be written either, the next start finds it out from the folder.
                try? await stand(before)
                heads = before
                throw error
            }
            (entry, self.place) = (settings, place)
        }
    }

    /// Nothing is known of the folder, as after a start.
    func resetFolder(_ misplaced: (any ExplainedError)?) {
        problems.folderChanged(misplaced: misplaced)
        leftOut = LeftOutFiles()
        folder.folderChanged()
        play.folderChanged()
        perform([])
        if misplaced != nil { partsFromAll() }
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

    /// Whether its folder is watched, and failures are retried.
    var isAlive: Bool { life == .open || life == .changing }

    /// The machines that share it. There is none while nothing may be done with its folder.
    var sharers: Set<PeerID> { problems.misplaced == nil ? peers.allowed : [] }

    /// Whether its versions may hold files that no other machine may have.
    var isPrivate: Bool { problems.misplaced?.code == SaveSyncError.reservedCode }

    /// Writes a decision to the audit log.
    func note(_ word: String, about peer: PeerID? = nil, _ details: [AuditEntry.Detail] = []) {
        keeper.node.audit(word, about: peer, [.init("set", entry.name.description)] + details)
    }

    /// - Parameter matter: what does not work, until it is solved
    func tell(trouble error: any Error, in matter: SetProblems.Matter? = nil) {
        guard let error = error as? any ExplainedError else { return }
        if let matter, !problems.note(error, of: matter, telling: true) { return }
        tell(.trouble(error))
    }

    /// Why it is not in sync, if the user has to do something about that.
    var problem: SetProblem? {
        if problems.misplaced == nil, problems[.disk] == nil, problems[.scanning]?.kind == .missing {
            // The scan and the watch name a missing folder in different words.
            return SetProblem(SaveSyncError.folderAway(entry))
        }
        return problems.blocking(isPending: heads.pending != nil, isNewerUnkept: couldNotKeepNewer)
    }

    // MARK: Versions

    /// Changes the versions on a copy, which is stored before it is published.
    /// - Parameter change: answers the snapshots that it has made, and what follows
    func commit(_ change: (inout SetHeads) throws -> (made: [Snapshot], actions: [SetHeads.Action])) async throws {
        try await turn.alone {
            guard life != .left else { throw Left() }
            var next = heads
            let (made, actions) = try change(&next)
            do {
                if !made.isEmpty {
                    try await keeper.atDesk(for: id, on: .history) { try await $0.keep(made, of: id) }
                    try await keeper.ledger.know(made, usedCounter: next.usedCounter)
                    next.noteKept()
                }
                try await stand(next)
            } catch {
                heads.forgo(next)
                // After a restart it would otherwise be in conflict with the version that is saved next.
                unentered.formUnion(made.map(\.id))
                await dropUnentered()
                throw error
            }
            await dropUnentered()
            follow(actions)
        }
    }

    /// Drops versions that were stored in part. The disk may be too full even for that.
    private func dropUnentered() async {
        // This machine may have merged the same two versions again, which makes the same version.
        unentered.subtract(heads.held)
        guard !unentered.isEmpty, (try? await keeper.store.drop(Array(unentered))) != nil else { return }
        unentered = []
    }

    /// Learns history that another machine sent. Snapshots before a wrong one are stored before this throws.
    func learn(_ snapshots: [Snapshot], from peer: PeerID) async throws {
        let giver = SnapshotGiver(peer, within: keeper.bounds.given, everybody: keeper.bounds.givenByAll)
        try await turn.alone {
            guard life != .left else { throw Left() }
            var (next, refusal) = (heads, SaveRefusal?.none)
            do throws(SaveRefusal) { try next.learn(snapshots) } catch { refusal = error }
            let known = snapshots.filter { next.graph.isFresh($0.id) }
            // This comes first: once they are written, versions of this machine's own making are no news.
            let recollection = heads.recollection(of: known)
            switch try await keeper.ledger.know(known, from: giver, usedCounter: next.usedCounter) {
            case .peer: throw SaveRefusal(.givenTooMuch)
            case .everybody: throw SaveRefusal(.knownTooMuch)
            case nil: next.noteKept()
            }
            try await stand(next)
            if let recollection { tell(recollection) }
            if let refusal { throw refusal }
        }
    }

    private func stand(_ next: SetHeads) async throws {
        let change = HeldChange(
            heads: next.heads,
            come: next.held.subtracting(heads.held),
            gone: heads.held.subtracting(next.held)
        )
        let isSame = next.heads == heads.heads && change.come.isEmpty && change.gone.isEmpty
        if next.applied != heads.applied || next.usedCounter != heads.usedCounter {
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
        heads = next
    }

    /// This machine has stopped sharing the game: no call waits for it, and its downloads end.
    func isLeft() async {
        life = .left
        partsFromAll()
        settleTaking(.failure(SaveSyncError.unknownSet(entry.name.description)))
        endWaiting()
        for version in downloads.cancelAll() { try? await keeper.store.giveUp(version) }
        try? await keeper.store.giveUp(allOf: id)
    }
}
