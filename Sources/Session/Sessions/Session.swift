public import LinuxPlatform
import SessionRules
import Synchronization
public import Vocabulary
import Wire

/// A set of connected peers, as one of them sees it.
///
/// Invite peers with ``Node/invite(_:to:context:patience:)``; what happens comes out of ``events``, for one reader.
@Engine
public final class Session {
    /// What the session is called on the wire by whoever began it.
    public nonisolated let id: SessionID
    /// What it is like.
    public let configuration: SessionConfiguration
    /// Who began it.
    public let host: PeerID
    /// What happens, in order.
    public let events: EventQueue<SessionEvent>
    /// With which context this machine was invited to it; empty where it began here.
    public internal(set) var invitationContext: [UInt8] = []

    /// It holds this until either ends.
    let node: Node
    private(set) var members: [PeerID: Member] = [:]
    /// The messages to each of them, for whoever sends from any thread.
    private nonisolated let outgoing = Mutex<[PeerID: OutgoingMessages]>([:])
    /// Whom members have told of, and whom the person here has forgotten since.
    private(set) var introduced: [PeerID: Introduction] = [:]
    /// What the word of a member is worth.
    enum Introduction {
        /// The peer is let in here, and nowhere else, without a question.
        case counts
        /// The person here has forgotten the peer.
        case isRefused
    }
    /// How many of them are each member's word, also after it has left.
    private var introductionCounts: [PeerID: Int] = [:]
    private var expectedIntroductions: [PeerID: Promise<Void>] = [:]
    private var hasEnded = false
    /// Settled when a member is out.
    private var departures: [PeerID: Promise<PartingReason>] = [:]
    /// In which run of its program a member was asked in once more; as long as it is one.
    private(set) var invitedAgain: [PeerID: UInt64] = [:]
    /// How many streams and offers wait for the reader.
    private var unreadOpenings = 0

    /// How many unread streams and offers a peer may pile up.
    private static let unreadLimit = 64
    /// How many fellow members one may tell of, in all sessions together, so that a liar can't crowd out those whom others tell of; and how many may be waited for.
    static let introductionLimit = 1024
    /// How many all together may tell of.
    private static let introductionsLimit = 16 * introductionLimit

    /// Whether it has not been left.
    var isOpen: Bool { !hasEnded }

    init(_ id: SessionID, _ configuration: SessionConfiguration, host: PeerID, at node: Node) {
        self.id = id
        self.configuration = configuration
        self.host = host
        self.node = node
        events = EventQueue()
    }

    /// Who is in it, also those that are away for the moment.
    public var peers: [PeerID] { Array(members.keys).sorted() }

    /// Who can be reached right now.
    public var connectedPeers: [PeerID] { members.values.filter(\.isConnected).map(\.peer).sorted() }

    /// What a member calls itself.
    public func name(of peer: PeerID) -> InstanceName? { members[peer]?.name }

    /// Whether there is room for one more.
    var isFull: Bool {
        let limits = [configuration.maximumPeers, configuration.topology.capacity.map { $0 - 1 }]
        return limits.compactMap { $0 }.contains { members.count >= $0 }
    }

    func member(_ peer: PeerID) throws(SessionError) -> Member {
        guard let member = members[peer] else { throw .notInSession }
        return member
    }

    /// Those members, or all.
    func chosen(_ peers: [PeerID]?) throws(SessionError) -> [Member] {
        guard let peers else { return Array(members.values) }
        var chosen: [Member] = []
        for peer in peers { chosen.append(try member(peer)) }
        return chosen
    }

    // MARK: Messages

    /// Sends a message to some members, or to all. It returns when it has been taken for each: whole, in order, once, as long
    /// as the peer stays in the session. A slow peer makes this wait; else it returns without a hop, from whatever thread.
    public nonisolated(nonsending) func send(_ bytes: [UInt8], to peers: [PeerID]? = nil) async throws {
        guard bytes.count <= WireLimits.message else { throw SessionError.messageTooLarge }
        let receivers = try messages(to: peers)
        if receivers.count == 1 { return try await receivers[0].send(bytes[...]) }
        // A slow one holds nobody else up: the windows of the others are filled first.
        let slow = receivers.filter { !$0.sendAtOnce(bytes[...]) }
        try await withThrowingDiscardingTaskGroup { group in
            for receiver in slow { group.addTask { try await receiver.send(bytes[...]) } }
        }
    }

    /// Sends a message to a member if that needs no waiting. Answers whether it has been taken.
    package nonisolated func sendAtOnce(_ bytes: [UInt8], to peer: PeerID) -> Bool {
        guard bytes.count <= WireLimits.message else { return false }
        return outgoing.withLock { $0[peer] }?.sendAtOnce(bytes[...]) ?? false
    }

    private nonisolated func messages(to peers: [PeerID]?) throws(SessionError) -> [OutgoingMessages] {
        try outgoing.withLock { outgoing throws(SessionError) in
            guard let peers else { return Array(outgoing.values) }
            var chosen: [OutgoingMessages] = []
            for peer in peers {
                guard let messages = outgoing[peer] else { throw .notInSession }
                chosen.append(messages)
            }
            return chosen
        }
    }

    /// Waits until the programs of some members, or of all, have every message that was sent to them; over cuts, too.
    public func delivered(to peers: [PeerID]? = nil) async throws {
        let receivers = try chosen(peers)
        try await withThrowingDiscardingTaskGroup { group in
            for receiver in receivers { group.addTask { try await receiver.delivered() } }
        }
    }

    /// Leaves: every peer is told, and the events end.
    /// - Parameter reason: what the peers are told
    public func leave(because reason: PartingReason = .left) {
        precondition(reason.isSaid, "a peer must not hear of a block")
        guard !hasEnded else { return }
        hasEnded = true
        for member in members.values {
            member.link?.send(.leave(.init(session: member.wireSession, reason: reason)))
            node.forget(member, because: reason)
        }
        members = [:]
        outgoing.withLock { $0 = [:] }
        for departure in departures.values { departure.settle(.success(reason)) }
        departures = [:]
        node.ended(self)
        events.finish()
    }

    /// Waits until a member is out, and answers why: for whoever has not come so far in ``events``.
    package func departure(of peer: PeerID) async throws -> PartingReason {
        guard members[peer] != nil else { return .left }
        let departure = departures[peer] ?? Promise()
        departures[peer] = departure
        return try await departure.value()
    }
}

// MARK: - What the node tells

extension Session {
    /// A member tells of another. Answers whether that is news.
    func introduce(_ peer: PeerID, by teller: PeerID) -> Bool {
        let count = introductionCounts[teller] ?? 0
        guard count < Self.introductionLimit, introduced.count < Self.introductionsLimit,
            introduced[peer] == nil
        else { return false }
        introduced[peer] = .counts
        introductionCounts[teller] = count + 1
        expectedIntroductions.removeValue(forKey: peer)?.settle(.success(()))
        return members[peer] == nil
    }

    /// Whether a member has told of a peer, and the person here has not forgotten it since.
    func isIntroduced(_ peer: PeerID) -> Bool { introduced[peer] == .counts }

    /// The person here has forgotten a peer. Without this a fellow member's word would let it in again, without a question.
    func keepOut(_ peer: PeerID) { introduced[peer] = .isRefused }

    /// How many a member has told of.
    func introductionCount(of teller: PeerID) -> Int { introductionCounts[teller] ?? 0 }

    /// Settled when a member tells of a peer.
    func introduction(of peer: PeerID) -> Promise<Void> {
        if let expected = expectedIntroductions[peer] { return expected }
        let expected = Promise<Void>()
        if expectedIntroductions.count < Self.introductionLimit { expectedIntroductions[peer] = expected }
        return expected
    }

    /// It has been waited for long enough; who invites once more is waited for anew.
    func expectNoMore(_ peer: PeerID, _ expected: Promise<Void>) {
        expected.settle(.failure(SessionError(.timedOut)))
        if expectedIntroductions[peer] === expected { expectedIntroductions[peer] = nil }
    }

    func add(_ member: Member) {
        members[member.peer] = member
        tell(.joined(member.peer, member.name))
    }

    /// Messages may go to a member: what has to be said to it before has been.
    func open(_ member: Member) {
        outgoing.withLock { $0[member.peer] = member.outgoing }
    }

    private func close(_ member: Member, because reason: PartingReason) {
        members[member.peer] = nil
        outgoing.withLock { $0[member.peer] = nil }
        departures.removeValue(forKey: member.peer)?.settle(.success(reason))
    }

    func deliver(_ message: Message, from member: Member) {
        events.add(.message(message)) { member.consumed(message) }
    }

    /// Whether the reader keeps up with what a peer opens and offers.
    func hasRoomForMore() -> Bool { unreadOpenings < Self.unreadLimit }

    func deliver(_ event: SessionEvent) {
        unreadOpenings += 1
        events.add(event) { self.unreadOpenings -= 1 }
    }

    /// Whether a peer that has forgotten the session is asked in once more: once in each run of its program, or one that
    /// always forgets would be invited for ever.
    func mayInviteAgain(_ peer: PeerID, inRun token: UInt64) -> Bool {
        invitedAgain.updateValue(token, forKey: peer) != token
    }

    func isAway(_ member: Member, because reason: PartingReason) {
        tell(.away(member.peer, reason))
    }

    func isBack(_ member: Member) {
        tell(.returned(member.peer))
    }

    /// Its program was started anew: nobody is told, for it is about to be in again.
    func forget(_ member: Member) {
        guard members[member.peer] === member else { return }
        close(member, because: .lost)
        tell(.away(member.peer, .lost))
    }

    func remove(_ member: Member, because reason: PartingReason) {
        guard members[member.peer] === member || members[member.peer] == nil else { return }
        close(member, because: reason)
        invitedAgain[member.peer] = nil
        tell(.departed(member.peer, reason))
        if members.isEmpty, host != node.id { endAlone() }
    }

    /// The last member is gone from a session that began elsewhere: nobody is left who could invite here, so it is over.
    private func endAlone() {
        guard !hasEnded else { return }
        hasEnded = true
        node.ended(self)
        events.finish()
    }

    /// A reader that sleeps while a peer comes and goes a thousand times learns how it ended, not each time.
    private func tell(_ event: SessionEvent) {
        if events.count < Self.unreadLimit {
            events.add(event)
        } else {
            events.replaceOrAdd(event) { $0.presenceOf == event.presenceOf }
        }
    }
}
