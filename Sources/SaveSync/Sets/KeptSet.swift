import Digests
import Ledger
import LinuxPlatform
import SaveFolder
import SaveRules
import Session
import Vocabulary

/// One save set on this machine: its folder, its history, and the peers that have it as well.
///
/// What the rules say is changed on a copy, kept safely, and only then shown to others (``commit(_:_:)``). What takes long
/// (reading the folder, changing it, merging) is done by one worker, which looks at what is to be done and does one thing.
@Engine
final class KeptSet {
    nonisolated let id: SaveSetID
    var entry: SaveSetEntry
    private(set) var place: any SavePlace
    /// It holds this until the set is here no more, or its run ends. What is read or stored meanwhile, on whatever thread, finds it there.
    let keeper: SaveKeeper
    /// Where the set stands.
    private(set) var heads: SetHeads
    /// Who may have it.
    var allowed: Set<PeerID>
    /// Who of them has said last that this machine has no part in it there: it was taken back or left.
    var parted: Set<PeerID> = []
    /// Whom a person here has let have it and does not any more, whatever others say.
    var withdrawn: Set<PeerID>
    /// Newest versions that each sharer said last to hold, also before a restart. A machine that never took part is not in it.
    var named: [PeerID: [SnapshotID]]
    /// Sharers whose words of that are not in the ledger yet, and whether they are being written.
    var unnoted: Set<PeerID> = []
    var isNoting = false
    /// Who has it, and is there.
    var parts: [PeerID: Part] = [:]
    /// In which meeting each peer was met last.
    var tickets: [PeerID: SaveTicket] = [:]
    /// What is on its way here.
    var fetches: [SnapshotID: Fetch] = [:]
    /// Versions that were here whole, and lack something which was damaged or are lost altogether.
    var lacking: Set<SnapshotID> = []
    /// Versions that need not stay any more, and are just being dropped.
    var dropping: Set<SnapshotID> = []
    /// Versions of which nothing could be kept, as where the disk is full; they are tried again.
    var unkept: Set<SnapshotID> = []
    /// Of whom something newer was heard of that could not be written down; it is asked anew.
    var unlearned: Set<PeerID> = []
    /// Who does not answer. It may have much to do, and is met anew a while later.
    var silent: Set<PeerID> = []
    /// What is not put into the folder, and why.
    var quarantine: [SnapshotID: String]

    /// Who plays.
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
    /// The next deadline of ``play`` and ``folder``.
    private var timer = MachineTimer()

    /// Something is done to the folder or to where the set stands, step by step.
    let work = Turn()
    /// Something is put into the folder. No game begins meanwhile.
    let putting = Turn()
    /// It is looked for what is worth fetching.
    let seeking = Turn()
    private let turn = Turn()
    var wake: Resumption<Void>?
    /// Who waits until nothing is left to do.
    var quiet: [Resumption<Void>] = []
    /// Who waits until those who are there have what is newest here.
    var spreading: [Resumption<Void>] = []
    /// What in the folder can't be part of the set.
    var leftOut = LeftOutFiles()
    /// Versions that were made here and could not be entered everywhere, until the history has them no more.
    var unentered: Set<SnapshotID> = []
    /// What a person has asked for, and is yet to be made the newest version.
    var restoring: Set<SnapshotID> = []
    private(set) lazy var fetching = Retrying { [weak self] in self?.askAgain() }
    private(set) var life = Life.open
    /// How often it is to be looked for what is worth fetching.
    var looksForMore = 0
    /// Whether that was said and is not done yet.
    var isMoreWanted = false

    /// Whether the set changes, from its first day on this machine to its last.
    enum Life {
        case open
        /// Its settings change: its folder is left alone, and a game that begins waits.
        case changing
        /// The program ends, or this machine leaves the set: nothing is retried or waited for.
        case closing
        /// This machine has left the set.
        case left
    }

    /// This machine has left the set, so its versions change no longer.
    struct Left: Error {}

    /// What is known of a set when it is opened.
    struct Known {
        var heads: SetHeads
        var sharers: Set<PeerID> = []
        var withdrawn: Set<PeerID> = []
        var named: [PeerID: [SnapshotID]] = [:]
        var quarantine: [SnapshotID: String] = [:]
        var lacking: Set<SnapshotID> = []
        var problems = SetProblems()
    }

    init(_ entry: SaveSetEntry, at place: any SavePlace, _ known: Known, _ keeper: SaveKeeper) {
        (id, self.entry, self.place, self.keeper) = (entry.id, entry, place, keeper)
        (heads, allowed, quarantine) = (known.heads, known.sharers, known.quarantine)
        (lacking, withdrawn, named, problems) = (known.lacking, known.withdrawn, known.named, known.problems)
        play = PlayTracker(keeper.node.id, patience: keeper.patience, after: Int(RandomNumbers.next() >> 16))
    }

    func tell(_ event: SaveNews.Event) { keeper.tell(SaveNews(set: id, name: entry.name, event: event)) }

    /// Ends all waiting and retrying.
    func close() {
        life = .closing
        timer.cancel()
        fetching.end()
    }

    /// Waits for the next deadline.
    func setTimer() {
        let deadlines = isAlive ? [play.deadline, folder.deadline].compactMap { $0 } : []
        timer.set(for: self, at: deadlines.min()) { $0.deadlinePassed(at: .current) }
    }

    private func deadlinePassed(at now: ContinuousClock.Instant) {
        if let deadline = play.deadline, deadline <= now { perform(play.deadlinePassed(at: now)) }
        if let deadline = folder.deadline, deadline <= now {
            folder.deadlinePassed(at: now, nextMerge: heads.nextMerge)
            lookUp()
        }
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

    /// Persists settings that bring the set elsewhere or change what of a folder it is, and adopts them. Every two sides may merge
    /// again.
    /// - Parameter shown: what the folder shows; nil if another folder is meant
    func adopt(_ settings: SaveSetEntry, at place: any SavePlace, showing shown: SnapshotID?) async throws {
        try await turn.alone {
            let before = heads
            var next = heads
            next.settle(showing: shown)
            // A start that comes before the folder was read must not take its files for what followed the version shown before.
            try await stand(next)
            do {
                try await keeper.ledger.put(settings)
            } catch {
                // If that can't be written either, the next start reads it from the folder.
                try? await stand(before)
                heads = before
                throw error
            }
            (entry, self.place) = (settings, place)
        }
    }

    /// Nothing is known of how its folder is, as after a start.
    func resetFolder(_ misplaced: (any ExplainedError)?) {
        problems.folderChanged(misplaced: misplaced)
        leftOut = LeftOutFiles()
        folder.folderChanged()
        play.folderChanged()
        perform([])
        if misplaced != nil { partsFromAll() }
    }

    /// Looks at all that is to be done, as after a start.
    func resume() async {
        var resumed: [SetHeads.Action] = []
        // Nothing is changed by looking at where it stands, so nothing is to be kept either.
        try? await commit { heads in
            resumed = heads.resume()
            return ([], resumed)
        }
    }

    /// Whether its folder is watched, and what fails is retried.
    var isAlive: Bool { life == .open || life == .changing }

    /// Who has part in it: those who may have it, but nobody while nothing may be done with its folder.
    var sharers: Set<PeerID> { problems.misplaced == nil ? allowed : [] }

    /// Whether its versions may hold what nobody else is to have.
    var isPrivate: Bool { problems.misplaced?.code == SaveSyncError.reservedCode }

    /// Writes down for the person what was decided about it.
    func note(_ word: String, about peer: PeerID? = nil, _ details: [AuditEntry.Detail] = []) {
        keeper.node.audit(word, about: peer, [.init("set", entry.name.description)] + details)
    }

    /// - Parameter matter: what does not work for it, until that is said to work
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

    // MARK: Where it stands

    /// Changes where it stands: on a copy, kept safely before anybody sees it.
    /// - Parameter change: says what follows, and which snapshots it has made
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
                // Else it would stand beside what is saved after it, once the program starts anew.
                unentered.formUnion(made.map(\.id))
                await dropUnentered()
                throw error
            }
            await dropUnentered()
            follow(actions)
        }
    }

    /// The disk may be too full even for that.
    private func dropUnentered() async {
        // A merge that this machine makes of the same two is the same version each time.
        unentered.subtract(heads.held)
        guard !unentered.isEmpty, (try? await keeper.store.drop(Array(unentered))) != nil else { return }
        unentered = []
    }

    /// Takes in what peers said of history. What is wrong with it is thrown after what comes before it was kept.
    func learn(_ snapshots: [Snapshot], from peer: PeerID) async throws {
        let giver = SnapshotGiver(peer, within: keeper.bounds.given, everybody: keeper.bounds.givenByAll)
        try await turn.alone {
            guard life != .left else { throw Left() }
            var (next, refusal) = (heads, SaveRefusal?.none)
            do throws(SaveRefusal) { try next.learn(snapshots) } catch { refusal = error }
            let known = snapshots.filter { next.graph.isFresh($0.id) }
            // Before they are where the graph is read from: among what this machine has made, they are news.
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
            // Where that can't be written, the next start finds it out.
            try? await keeper.ledger.noteHeld(change, of: id)
        }
        heads = next
    }

    /// It is no set of this machine any more: nobody waits for anything of it, and what was on its way comes no more.
    func isLeft() async {
        life = .left
        partsFromAll()
        settleTaking(.failure(SaveSyncError.unknownSet(entry.name.description)))
        endWaiting()
        let over = fetches
        (fetches, unkept) = ([:], [])
        for (snapshot, fetch) in over {
            fetch.machine.cancel()
            try? await keeper.store.giveUp(snapshot)
        }
        try? await keeper.store.giveUp(allOf: id)
    }

    /// Nothing more is asked of anybody in the name of this object.
    func partsFromAll() {
        let gone = parts.values
        parts = [:]
        for part in gone { part.peer.forgetWants(of: id) }
    }
}
