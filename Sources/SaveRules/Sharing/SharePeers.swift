public import Vocabulary

/// The machines that share one game with this one: those that may have it, those that are online, and what each of them said.
///
/// A pure value. ``Exchange`` decides what to say to one machine that is online.
public struct SharePeers: Sendable {
    /// A machine that has the game and is online.
    public struct Online: Sendable {
        /// The conversation of the two about versions.
        public var exchange: Exchange
        /// The versions that it has whole.
        public var offers: [SnapshotID] = []
        /// Speed at which it fetches from this machine; nil if it fetches nothing.
        public var pace: FetchPace?
        /// True if it refused what this machine said. It answers nothing until the two connect again.
        public internal(set) var isRefusedThere = false

        /// True if it has said since the two connected which versions are newest there.
        public var hasNamed: Bool { exchange.state == .asking || exchange.state == .level }

        /// True if it owes an answer about history.
        public var isAsked: Bool { exchange.state == .asking && !isRefusedThere }

        /// True if the two refuse each other's words until they connect again.
        public var isRefused: Bool { exchange.state == .refused || isRefusedThere }
    }

    /// The machines that may have the game.
    public private(set) var allowed: Set<PeerID>
    /// The machines that stopped sharing it.
    public private(set) var stopped: Set<PeerID> = []
    /// The machines from which a user of this machine took it back, whatever other machines say.
    public private(set) var revoked: Set<PeerID>
    /// The newest versions that each machine said last to have, also before a restart. A machine that never joined is not in it.
    public private(set) var named: [PeerID: [SnapshotID]]
    /// The machines that are online.
    public var online: [PeerID: Online] = [:]
    /// Counts the connections to each machine, so that an answer to an earlier one is recognized.
    public private(set) var tickets: [PeerID: SaveTicket] = [:]
    /// The machines that stopped answering. The exchange with them begins again later.
    public private(set) var silent: Set<PeerID> = []
    /// The machines whose newer versions could not be written down. They are asked again.
    public private(set) var unlearned: Set<PeerID> = []
    private var unsaved: Set<PeerID> = []
    private var isSaving = false

    /// - Parameters:
    ///   - allowed: machines that may have the game
    ///   - revoked: machines from which it was taken back
    ///   - named: versions that each machine said last to have
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

    /// Another machine says that this one has the game, too. Answers whether that is news.
    public mutating func introduce(_ peer: PeerID) -> Bool { allowed.insert(peer).inserted }

    /// A user takes the game back from a machine. No other machine can introduce it from now on.
    public mutating func beginRevoking(_ peer: PeerID) { revoked.insert(peer) }

    /// The ledger could not be written, so that the machine still has the game.
    public mutating func abandonRevoking(_ peer: PeerID) { revoked.remove(peer) }

    /// The ledger says that the game was taken back from a machine.
    public mutating func revoke(_ peer: PeerID) {
        revoked.insert(peer)
        forget(peer)
    }

    /// The user forgot a machine.
    public mutating func forget(_ peer: PeerID) {
        allowed.remove(peer)
        named[peer] = nil
        unlearned.remove(peer)
    }

    /// A machine stopped sharing the game, or shares it again.
    public mutating func note(stopped hasStopped: Bool, _ peer: PeerID) {
        if hasStopped { stopped.insert(peer) } else { stopped.remove(peer) }
    }

    // MARK: Who is online

    /// A machine that has the game has connected.
    /// - Parameter firstTicket: a random number for the first connection
    public mutating func connect(
        _ peer: PeerID,
        in set: SaveSetID,
        heads: [SnapshotHead],
        firstTicket: @autoclosure () -> UInt32
    ) -> [Exchange.Action] {
        tickets[peer] = tickets[peer]?.next ?? SaveTicket(firstTicket())
        var exchange = Exchange(set)
        defer { online[peer] = Online(exchange: exchange) }
        return exchange.met(takesPart: true, heads: heads)
    }

    /// A machine is offline, or no longer shares the game. Answers whether it was online.
    public mutating func disconnect(_ peer: PeerID) -> Bool { online.removeValue(forKey: peer) != nil }

    /// A machine says how much it has fetched.
    public mutating func progressed(_ peer: PeerID, to progress: FetchProgress, at now: ContinuousClock.Instant) {
        if online[peer]?.pace == nil { online[peer]?.pace = FetchPace(progress, at: now) }
        online[peer]?.pace?.moved(to: progress, at: now)
    }

    /// A machine refuses what this one said.
    public mutating func refusedThere(_ peer: PeerID) { online[peer]?.isRefusedThere = true }

    /// A machine stopped answering. Answers whether it is asked for nothing until its retry.
    public mutating func becameSilent(_ peer: PeerID) -> Bool {
        guard let part = online[peer], !part.isRefused else { return false }
        silent.insert(peer)
        return true
    }

    /// A machine answers. Answers whether it was silent before.
    public mutating func answered(_ peer: PeerID) -> Bool { silent.remove(peer) != nil }

    /// The exchange with all silent machines begins again.
    public mutating func takeSilent() -> Set<PeerID> {
        defer { silent = [] }
        return silent
    }

    /// The history that a machine sent is written down, or could not be.
    public mutating func note(learned hasLearned: Bool, from peer: PeerID) {
        if hasLearned { unlearned.remove(peer) } else { unlearned.insert(peer) }
    }

    // MARK: What they said

    /// A machine named its newest versions. Answers whether the caller writes that down now (``nextToSave()``).
    /// - Parameter heads: nil if it no longer shares the game
    public mutating func noteNamed(_ heads: [SnapshotID]?, by peer: PeerID) -> Bool {
        guard named[peer] != heads else { return false }
        named[peer] = heads
        unsaved.insert(peer)
        // One write at a time, however often a machine changes its mind.
        defer { isSaving = true }
        return !isSaving
    }

    /// The next change to write down; nil if the ledger has them all.
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

    /// True if a machine that is online has a version whole.
    public func isOffered(_ version: SnapshotID) -> Bool { online.values.contains { $0.offers.contains(version) } }

    /// True if a machine is online that can be asked for versions.
    public var isAnyToAsk: Bool { online.contains { !$1.offers.isEmpty && !silent.contains($0) } }

    /// True if nothing is left to say to any machine.
    public var isQuiet: Bool { online.values.allSatisfy { $0.exchange.state == .level || $0.isRefused } }

    /// The machines that are online and have not said yet that they have all newest versions whole.
    public func behind(_ heads: VersionState) -> [PeerID] {
        online.filter { !$1.isRefused && !holdsNewest($1, heads) }.keys.sorted()
    }

    private func holdsNewest(_ part: Online, _ heads: VersionState) -> Bool {
        part.hasNamed && Self.covers(part.exchange.theirs.map(\.id), heads)
    }

    private static func covers(_ named: [SnapshotID], _ heads: VersionState) -> Bool {
        heads.graph.covers(named, heads.heads.filter(heads.held.contains))
    }

    /// The part of a machine in the game.
    /// - Parameters:
    ///   - rights: what stops the game by the rights that the machine has here
    ///   - isForgotten: whether the user forgot the machine
    ///   - heldOff: what stops the game on the other side
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

    /// As many versions as may be fetched at once. Each machine that is online has its share, so that none crowds out the others.
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
