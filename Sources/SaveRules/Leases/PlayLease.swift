public import Vocabulary

/// The play lock of a game: one machine plays at a time, as far as machines can reach each other.
/// `docs/machines/lease.md` has its table.
///
/// The lock is advisory. It says which machine plays, and keeps two users from playing at once if their machines reach
/// each other. If they do not, or if one takes the lock by force, the versions of both become a conflict, and no save
/// is lost. So no machine must agree before a game starts: a claim holds once no machine has objected for a moment.
public struct PlayLease: Sendable {
    /// The states of the play lock, as this machine sees it.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// No machine is known to play.
        case free
        /// This machine wants to play and waits for objections.
        case claiming
        /// This machine plays.
        case held
        /// Another machine plays, or is about to.
        case theirs
        /// Another machine plays, and a user here has asked it to stop.
        case asking
    }

    /// Effects, which the caller carries out in order.
    public enum Action: Hashable, Sendable {
        /// Send this claim to all machines that share the game.
        case send(LeaseClaim)
        /// Tell all machines that share the game that this machine no longer plays.
        case sendRelease
        /// Tell the holder that a user here would like to play.
        case sendRequest(PeerID)
        /// This machine has the lock: the game may begin.
        case granted
        /// Another machine has the lock, so the game does not begin. The user may wait, ask or force.
        case denied(PeerID)
        /// Tell the user who plays here that a user of this other machine would like to.
        case tellRequest(PeerID)
        /// Another machine has taken the lock while the game runs here. Tell the user: the saves of both will be a
        /// conflict.
        case lost(PeerID)
        /// The machine that played was silent for so long that it counts as gone.
        case ranOut(PeerID)
        /// The machine that was asked to stop has not done so in time.
        case requestUnanswered(PeerID)
    }

    /// The machine that plays, for users.
    public struct Holder: Hashable, Sendable {
        /// The machine that plays.
        public let peer: PeerID
        /// The time for which it has played.
        public let played: Duration

        /// - Parameters:
        ///   - peer: the machine that plays
        ///   - played: the time for which it has played
        public init(_ peer: PeerID, played: Duration) {
            (self.peer, self.played) = (peer, played)
        }
    }

    /// The play of this machine.
    private struct Playing {
        let since: ContinuousClock.Instant
        let term: UInt64
        /// The time of the last claim that this machine sent.
        var said: ContinuousClock.Instant
        /// True if other machines may have taken this one for gone meanwhile, so that it only asks again.
        var isDoubtful = false
    }

    /// The state of the play lock.
    public private(set) var state = State.free
    /// The time at which ``deadlinePassed(at:)`` is due; nil while no machine plays.
    public private(set) var deadline: ContinuousClock.Instant?
    private let own: PeerID
    private let patience: LeasePatience
    private var term: UInt64 = 0
    /// The claim of the machine that plays elsewhere, and the time at which it came.
    private var other: (claim: LeaseClaim, heard: ContinuousClock.Instant)?
    private var playing: Playing?
    /// The start of a game that runs before the lock was granted.
    private var began: ContinuousClock.Instant?
    private var requestDeadline: ContinuousClock.Instant?

    /// - Parameters:
    ///   - own: this machine
    ///   - patience: the waiting times
    public init(_ own: PeerID, patience: LeasePatience = LeasePatience()) {
        (self.own, self.patience) = (own, patience)
    }

    /// The machine that plays elsewhere, and for how long: “deck has been playing for 14 minutes”.
    public func holder(at now: ContinuousClock.Instant) -> Holder? {
        other.map { Holder($0.claim.peer, played: $0.claim.played + (now - $0.heard)) }
    }

    /// The last claim of the machine that plays elsewhere, and its time; nil if it only asks to play.
    public var lastHeld: (claim: LeaseClaim, heard: ContinuousClock.Instant)? {
        other.flatMap { $0.claim.isHeld ? $0 : nil }
    }

    /// The last claim of this machine while it plays, and its time.
    public var ownHeld: (claim: LeaseClaim, heard: ContinuousClock.Instant)? {
        playing.map { (LeaseClaim(own, term: $0.term, isHeld: true, played: $0.said - $0.since), $0.said) }
    }

    /// The machine that plays elsewhere; nil if it only asks to play.
    public var claimant: PeerID? { other.flatMap { $0.claim.isHeld ? $0.claim.peer : nil } }

    /// True if the lock allows a version to be applied here: not while this machine plays or is about to.
    public var mayApply: Bool {
        switch state {
        case .free, .theirs, .asking: true
        case .claiming, .held: false
        }
    }
}

// MARK: - Here

extension PlayLease {
    /// A user of this machine wants to play.
    /// - Parameter since: the start of a game that runs already; nil if it begins once the lock is granted
    public mutating func take(
        at now: ContinuousClock.Instant,
        since: ContinuousClock.Instant? = nil
    ) -> [Action] {
        switch state {
        case .free:
            (state, began, deadline) = (.claiming, since, now + patience.objection)
            return [.send(claim(at: now))]
        case .theirs, .asking: return other.map { [.denied($0.claim.peer)] } ?? []
        case .claiming, .held: return []
        }
    }

    /// A user of this machine wants to play although another machine does.
    public mutating func force(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .held: return []
        case .free, .claiming: return hold(at: now)
        case .theirs, .asking:
            term = term == .max ? term : term + 1
            return hold(at: now)
        }
    }

    /// A game continues here that other machines know of from before the daemon restarted: no machine is asked again.
    /// - Parameter since: the start of the game
    public mutating func goOn(at now: ContinuousClock.Instant, since: ContinuousClock.Instant) -> [Action] {
        guard state == .free || state == .claiming else { return take(at: now) }
        began = since
        return hold(at: now)
    }

    /// A user of this machine asks the holder to stop playing. After that, this machine takes the lock.
    public mutating func request(at now: ContinuousClock.Instant) -> [Action] {
        guard state == .theirs, let other else { return [] }
        state = .asking
        requestDeadline = now + patience.request
        setDeadline()
        return [.sendRequest(other.claim.peer)]
    }

    /// The game here has ended and its save is on its way, or no call wants to play or waits.
    public mutating func release() -> [Action] {
        switch state {
        case .free, .theirs: return []
        case .asking:
            (state, requestDeadline) = (.theirs, nil)
            setDeadline()
            return []
        case .claiming, .held:
            free()
            return [.sendRelease]
        }
    }

    /// A deadline has passed. A late call counts all deadlines before it as passed, too.
    public mutating func deadlinePassed(at now: ContinuousClock.Instant) -> [Action] {
        guard let deadline, deadline <= now else { return [] }
        switch state {
        case .free: return []
        case .claiming: return hold(at: now)
        case .held: return renew(at: now)
        case .theirs, .asking: return checkOther(at: now)
        }
    }

    private mutating func hold(at now: ContinuousClock.Instant) -> [Action] {
        (state, other, requestDeadline) = (.held, nil, nil)
        playing = Playing(since: min(began ?? now, now), term: term, said: now)
        began = nil
        setDeadline()
        return [.send(claim(at: now)), .granted]
    }

    /// Repeats the claim of this machine. It may have slept for so long that others took it for gone, and one of them
    /// may play by now. Then this machine only asks again: the machine that played while awake keeps the lock.
    private mutating func renew(at now: ContinuousClock.Instant) -> [Action] {
        guard var playing else { return [] }
        playing.isDoubtful = now - playing.said >= patience.expiry
        playing.said = now
        self.playing = playing
        setDeadline()
        return [.send(claim(at: now))]
    }

    private mutating func checkOther(at now: ContinuousClock.Instant) -> [Action] {
        guard let other else { return [] }
        let peer = other.claim.peer
        if now - other.heard >= patience.expiry {
            let wasAsking = state == .asking
            free()
            return [.ranOut(peer)] + (wasAsking ? take(at: now) : [])
        }
        if let requestDeadline, requestDeadline <= now {
            (state, self.requestDeadline) = (.theirs, nil)
            setDeadline()
            return [.requestUnanswered(peer)]
        }
        return []
    }
}

// MARK: - There

extension PlayLease {
    /// Continues with the last claim of the holder from before the daemon restarted, of a peer or of this machine. A
    /// claim that has expired does not count.
    /// - Parameter silence: the time since the holder made the claim
    public mutating func recall(
        _ claim: LeaseClaim,
        after silence: Duration,
        at now: ContinuousClock.Instant
    ) -> [Action] {
        guard state == .free, claim.isHeld, silence < patience.expiry else { return [] }
        let said = now - max(silence, .zero)
        term = max(term, claim.term)
        if claim.peer == own { return goOn(at: now, since: said - claim.played) }
        note(claim, at: said)
        state = .theirs
        return []
    }

    /// A peer claims that it plays, or wants to.
    public mutating func heard(_ claim: LeaseClaim, at now: ContinuousClock.Instant) -> [Action] {
        guard claim.peer != own else { return [] }
        if claim.isHeld { term = max(term, claim.term) }
        switch state {
        case .free:
            note(claim, at: now)
            state = .theirs
            return []
        case .claiming:
            let ours = self.claim(at: now)
            guard claim.prevails(over: ours) else { return [.send(ours)] }
            note(claim, at: now)
            state = .theirs
            return [.denied(claim.peer)]
        case .held: return contested(by: claim, at: now)
        case .theirs, .asking:
            guard let other, claim.peer == other.claim.peer || claim.prevails(over: other.claim) else { return [] }
            note(claim, at: now)
            return []
        }
    }

    /// A peer says that it no longer plays.
    public mutating func heardRelease(_ peer: PeerID, at now: ContinuousClock.Instant) -> [Action] {
        guard other?.claim.peer == peer else { return [] }
        let wasAsking = state == .asking
        free()
        return wasAsking ? take(at: now) : []
    }

    /// A peer would like to play.
    public func heardRequest(_ peer: PeerID) -> [Action] {
        // For a user of another machine, a machine that is about to play counts as one that plays.
        state == .held || state == .claiming ? [.tellRequest(peer)] : []
    }

    /// A peer has connected and must learn the state. It may have missed that this machine no longer plays.
    public func met(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .claiming, .held: [.send(claim(at: now))]
        case .free: [.sendRelease]
        case .theirs, .asking: []
        }
    }

    private mutating func contested(by claim: LeaseClaim, at now: ContinuousClock.Instant) -> [Action] {
        guard let playing else { return [] }
        // A machine that only asks does not stop one that plays, even if that one is in doubt.
        let ours = LeaseClaim(own, term: playing.term, isHeld: true, played: now - playing.since)
        guard claim.isHeld, playing.isDoubtful || claim.prevails(over: ours) else { return [.send(ours)] }
        self.playing = nil
        note(claim, at: now)
        state = .theirs
        return [.lost(claim.peer)]
    }

    private mutating func note(_ claim: LeaseClaim, at now: ContinuousClock.Instant) {
        other = (claim, now)
        setDeadline()
    }

    private mutating func free() {
        (state, other, playing, began, requestDeadline) = (.free, nil, nil, nil, nil)
        setDeadline()
    }

    private mutating func setDeadline() {
        let silence = other.map { $0.heard + patience.expiry }
        let renewal = playing.map { $0.said + patience.renewal }
        deadline = [silence, renewal, requestDeadline].compactMap { $0 }.min()
    }

    private func claim(at now: ContinuousClock.Instant) -> LeaseClaim {
        guard let playing else { return LeaseClaim(own, term: term, isHeld: false) }
        return LeaseClaim(own, term: playing.term, isHeld: !playing.isDoubtful, played: now - playing.since)
    }
}
