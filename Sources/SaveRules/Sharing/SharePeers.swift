public import Vocabulary

/// The machines that share one game with this one: those that may have it, those that are online, and their messages.
///
/// A pure value. ``Exchange`` decides what to send to a machine that is online.
public struct SharePeers: Sendable {
    /// A machine that has the game and is online.
    public struct Online: Sendable {
        /// The exchange with it.
        public var exchange: Exchange
        /// The versions that it has as a whole.
        public var offers: [SnapshotID] = []
        /// The speed at which it fetches from this machine; nil if it fetches nothing.
        public var pace: FetchPace?
        /// True if it has named its heads since it counts as cut off.
        fileprivate(set) var hasReturned = false
        /// True if it refused a message of this machine. It answers nothing until the two connect again.
        public internal(set) var isRefusedThere = false

        /// True if it has named its heads since the two connected.
        public var hasNamed: Bool { exchange.state == .asking || exchange.state == .level }

        /// True if an answer about history is missing.
        public var isAsked: Bool { exchange.state == .asking && !isRefusedThere }

        /// True if one of the two refuses the other until they connect again.
        public var isRefused: Bool { exchange.state == .refused || isRefusedThere }
    }

    /// The machines that may have the game.
    public private(set) var allowed: Set<PeerID>
    /// The machines that stopped sharing it.
    public private(set) var stopped: Set<PeerID> = []
    /// The machines for which a user of this machine revoked it, whatever other machines say.
    public private(set) var revoked: Set<PeerID>
    /// The heads that each machine named last, also before a restart. A machine that never joined is not in it.
    public private(set) var named: [PeerID: [SnapshotID]]
    /// The machines that are online.
    public var online: [PeerID: Online] = [:]
    /// The last epoch for each machine, which identifies answers to an earlier connection.
    public private(set) var epochs: [PeerID: ExchangeEpoch] = [:]
    /// The machines that stopped answering. The exchange with them begins again later.
    public private(set) var silent: Set<PeerID> = []
    /// The machines whose newer versions could not be stored in the ledger. They are asked again.
    public private(set) var metadataFailed: Set<PeerID> = []
    /// The play that was cut off, by each machine that said so. A restart forgets it: the others say it again when they
    /// connect.
    private var cutOff: [PeerID: CutOffPlay] = [:]
    /// The counter of each machine in the heads that it named last.
    private var counters: [PeerID: UInt64] = [:]
    private var unsaved: Set<PeerID> = []
    private var isSaving = false

    /// - Parameters:
    ///   - allowed: the machines that may have the game
    ///   - revoked: the machines for which it was revoked
    ///   - named: the heads that each machine named last
    public init(
        allowed: Set<PeerID> = [],
        revoked: Set<PeerID> = [],
        named: [PeerID: [SnapshotID]] = [:]
    ) {
        (self.allowed, self.revoked, self.named) = (allowed, revoked, named)
    }

    // MARK: Who may have it

    /// A user of this machine shares the game with a machine.
    public mutating func share(with peer: PeerID) {
        allowed.insert(peer)
        revoked.remove(peer)
        stopped.remove(peer)
    }

    /// Another machine names this one as one that has the game, too.
    /// - Returns: true if that was not known
    public mutating func introduce(_ peer: PeerID) -> Bool { allowed.insert(peer).inserted }

    /// A user revokes the game for a machine. No other machine can introduce it from now on.
    public mutating func beginRevoking(_ peer: PeerID) { revoked.insert(peer) }

    /// The ledger could not be written, so the machine still has the game.
    public mutating func abandonRevoking(_ peer: PeerID) { revoked.remove(peer) }

    /// The ledger has stored that the game is revoked for a machine.
    public mutating func revoke(_ peer: PeerID) {
        revoked.insert(peer)
        forget(peer)
    }

    /// The user forgot a machine.
    public mutating func forget(_ peer: PeerID) {
        allowed.remove(peer)
        (named[peer], counters[peer]) = (nil, nil)
        dropCutOffs(of: peer)
        metadataFailed.remove(peer)
    }

    /// A machine stopped sharing the game, or shares it again.
    public mutating func note(stopped hasStopped: Bool, _ peer: PeerID) {
        if hasStopped { stopped.insert(peer) } else { stopped.remove(peer) }
        if hasStopped { cutOff[peer] = nil }
    }

    // MARK: Who is online

    /// A machine that has the game has connected.
    /// - Parameter firstEpoch: a random number for the first connection
    public mutating func connect(
        _ peer: PeerID,
        in set: SaveSetID,
        heads: [SnapshotHead],
        firstEpoch: @autoclosure () -> UInt32
    ) -> [Exchange.Action] {
        epochs[peer] = epochs[peer]?.next ?? ExchangeEpoch(firstEpoch())
        cutOff[peer] = nil
        var exchange = Exchange(set)
        defer { online[peer] = Online(exchange: exchange) }
        return exchange.met(takesPart: true, heads: heads)
    }

    /// A machine is offline, or no longer shares the game.
    /// - Returns: true if it was online
    public mutating func disconnect(_ peer: PeerID) -> Bool { online.removeValue(forKey: peer) != nil }

    /// A machine reports how much it has fetched.
    public mutating func progressed(_ peer: PeerID, to progress: FetchProgress, at now: ContinuousClock.Instant) {
        if online[peer]?.pace == nil { online[peer]?.pace = FetchPace(progress, at: now) }
        online[peer]?.pace?.moved(to: progress, at: now)
    }

    /// A machine refuses a message of this one.
    public mutating func refusedThere(_ peer: PeerID) { online[peer]?.isRefusedThere = true }

    /// A machine stopped answering.
    /// - Returns: true if it is asked for nothing until its retry
    public mutating func becameSilent(_ peer: PeerID) -> Bool {
        guard let part = online[peer], !part.isRefused else { return false }
        silent.insert(peer)
        return true
    }

    /// A machine answers.
    /// - Returns: true if it was silent before
    public mutating func answered(_ peer: PeerID) -> Bool { silent.remove(peer) != nil }

    /// Returns all silent machines, with which the exchange begins again.
    public mutating func takeSilent() -> Set<PeerID> {
        defer { silent = [] }
        return silent
    }

    /// The history that a machine sent is stored, or could not be.
    public mutating func note(learned hasLearned: Bool, from peer: PeerID) {
        if hasLearned { metadataFailed.remove(peer) } else { metadataFailed.insert(peer) }
    }

    // MARK: Players that were cut off

    /// A machine says which play was cut off; nil if none was.
    mutating func noteCutOff(_ play: CutOffPlay?, by peer: PeerID) {
        cutOff[peer] = play
        if let play { awaitReturn(of: play.player) }
    }

    /// A machine counts as cut off. Only the heads that it names from now on say that it is back: its connection may
    /// look intact for a moment after this machine or the network was asleep.
    mutating func awaitReturn(of player: PeerID) { online[player]?.hasReturned = false }

    /// A machine named its heads: if it counts as cut off, it is back.
    mutating func returned(_ player: PeerID, naming heads: [SnapshotHead]) {
        counters[player] = heads.reduce(0) { max($0, $1.version[player]) }
        online[player]?.hasReturned = true
    }

    /// Returns the greatest counter of a machine in the newest versions that are stored here, and in those that it
    /// named last.
    ///
    /// Another machine may have fetched a version that the machine had named when it was cut off, and may pass it on
    /// later. That version is older than the play that counts.
    func counter(of player: PeerID, _ heads: VersionState) -> UInt64 {
        let known = max(heads.counter(of: player), counters[player] ?? 0)
        return (named[player] ?? []).reduce(known) { max($0, heads.graph[$1]?.version[player] ?? 0) }
    }

    /// True if no save of a play can be missing here, or none is awaited: the player has no part in the game, a newer
    /// save of it is stored, or it is back, does not play, and has no other versions than this machine.
    func isOver(_ play: CutOffPlay, _ heads: VersionState, claimant: PeerID?) -> Bool {
        let player = play.player
        return !takesPart(player) || heads.counter(of: player) > play.saved
            || (claimant != player && online[player]?.hasReturned == true && isLevel(with: player, heads))
    }

    /// True if a machine is online and has named no version that is missing here.
    private func isLevel(with peer: PeerID, _ heads: VersionState) -> Bool {
        guard let part = online[peer], part.hasNamed else { return false }
        return heads.graph.covers(heads.heads, part.exchange.theirs.map(\.id))
    }

    /// Forgets the plays that are over.
    mutating func dropCutOffs(_ heads: VersionState, claimant: PeerID?) {
        for (peer, play) in cutOff where isOver(play, heads, claimant: claimant) { cutOff[peer] = nil }
    }

    /// Forgets what a machine said, and what others said of it.
    mutating func dropCutOffs(of peer: PeerID) { cutOff = cutOff.filter { $0 != peer && $1.player != peer } }

    /// Returns the machines that were cut off while they played, without those that play again or are online without a
    /// newer save.
    /// - Parameters:
    ///   - seen: the play that this machine saw; the others are those of which it heard
    ///   - heads: the versions
    ///   - claimant: the machine that plays
    func cutOff(besides seen: CutOffPlay?, _ heads: VersionState, claimant: PeerID?) -> [PeerID] {
        let heard = cutOff.sorted { $0.key < $1.key }.map(\.value.player).filter { !isLevel(with: $0, heads) }
        return ((seen.map { [$0.player] } ?? []) + heard).reduce(into: []) { players, player in
            if player != claimant, !players.contains(player) { players.append(player) }
        }
    }

    // MARK: What they said

    /// A machine named its heads.
    /// - Parameter heads: nil if it no longer shares the game
    /// - Returns: true if the caller must now store this (``nextToSave()``)
    public mutating func noteNamed(_ heads: [SnapshotID]?, by peer: PeerID) -> Bool {
        guard named[peer] != heads else { return false }
        named[peer] = heads
        unsaved.insert(peer)
        // One write runs at a time, however often a machine names other heads.
        defer { isSaving = true }
        return !isSaving
    }

    /// True if a machine may have the game and has not stopped sharing it.
    public func takesPart(_ peer: PeerID) -> Bool { allowed.contains(peer) && !stopped.contains(peer) }

    /// Returns the next change to store; nil if the ledger has all of them.
    public mutating func nextToSave() -> (peer: PeerID, heads: [SnapshotID]?)? {
        guard let next = unsaved.popFirst() else {
            isSaving = false
            return nil
        }
        return (next, named[next])
    }

    /// True if a machine named a version that this machine does not know.
    public func haveNamedNewer(than heads: VersionState) -> Bool {
        named.contains { allowed.contains($0.key) && !heads.graph.covers(heads.heads, $0.value) }
    }

    /// True if a machine that is online has a version as a whole.
    public func isOffered(_ version: SnapshotID) -> Bool { online.values.contains { $0.offers.contains(version) } }

    /// True if a machine is online that may be asked for versions.
    public var isAnyToAsk: Bool { online.contains { !$1.offers.isEmpty && !silent.contains($0) } }

    /// True if no exchange with a machine is under way.
    public var isQuiet: Bool { online.values.allSatisfy { $0.exchange.state == .level || $0.isRefused } }

    /// Returns the machines that are online and have not named all heads of this machine.
    public func behind(_ heads: VersionState) -> [PeerID] {
        online.filter { !$1.isRefused && !holdsNewest($1, heads) }.keys.sorted()
    }

    private func holdsNewest(_ part: Online, _ heads: VersionState) -> Bool {
        part.hasNamed && Self.covers(part.exchange.theirs.map(\.id), heads)
    }

    private static func covers(_ named: [SnapshotID], _ heads: VersionState) -> Bool {
        heads.graph.covers(named, heads.heads.filter(heads.held.contains))
    }

    /// Returns the part of a machine in the game.
    /// - Parameters:
    ///   - rights: the obstacle by the rights that the machine has here
    ///   - isForgotten: true if the user forgot the machine
    ///   - heldOff: the obstacle on the side of the machine
    public func part(
        of peer: PeerID,
        _ heads: VersionState,
        rights: SyncObstacle?,
        isForgotten: Bool,
        heldOff: SyncObstacle?
    ) -> GameSharer.Part {
        if let rights { return .blocked(rights) }
        if stopped.contains(peer) || isForgotten { return .stopped }
        if let part = online[peer] {
            if part.isRefusedThere { return .blocked(.refusedThere) }
            if part.exchange.state == .refused { return .blocked(.refusedHere) }
            return holdsNewest(part, heads) ? .holdsNewest : .behind
        }
        if let heldOff { return .blocked(heldOff) }
        guard let named = named[peer] else { return .notJoined }
        return Self.covers(named, heads) ? .holdsNewest : .behind
    }

    /// Returns as many versions as may be fetched at once. Each machine that is online has its share, so that none
    /// crowds out the others.
    func few(of versions: [SnapshotID], _ limit: Int) -> [SnapshotID] {
        guard versions.count > limit else { return versions }
        let share = limit / max(online.count, 1)
        var (left, chosen) = (Set(versions), [SnapshotID]())
        for (_, part) in online.sorted(by: { $0.key < $1.key }) {
            chosen += part.offers.filter { left.remove($0) != nil }.prefix(share)
        }
        // A version that no machine offers now may be offered again.
        return Array((chosen + left.sorted()).prefix(limit))
    }
}
