public import LinuxPlatform
import SessionRules
import Synchronization
public import Vocabulary
import Wire

/// A set of connected peers, as one of them sees it.
///
/// Invite peers with ``Node/invite(_:to:context:patience:)``. One reader gets what happens from ``events``.
@Engine
public final class Session {
    /// The id on the wire, as the host of the session sends it.
    public nonisolated let id: SessionID
    /// The settings of the session.
    public let configuration: SessionConfiguration
    /// The machine that began it.
    public let host: PeerID
    /// The events, in order.
    public let events: EventQueue<SessionEvent>
    /// The context in the invitation of this machine; empty for a session that began here.
    public internal(set) var invitationContext: [UInt8] = []

    /// The node. The node and the session hold each other until either ends.
    let owner: any SessionOwner
    private(set) var members: [PeerID: Member] = [:]
    /// The messages to each member. Any thread may send.
    private nonisolated let outgoing = Mutex<[PeerID: OutgoingMessages]>([:])
    /// The peers that members have introduced, and those that the user has forgotten since.
    private(set) var introduced: [PeerID: Introduction] = [:]
    enum Introduction {
        /// The peer may join this session, and no other, without a question.
        case counts
        /// The user has forgotten the peer.
        case isRefused
    }
    /// The number of introductions by each member, also after it has left.
    private var introductionCounts: [PeerID: Int] = [:]
    private var expectedIntroductions: [PeerID: Promise<Void>] = [:]
    private var hasEnded = false
    /// Promises that settle when a member is out.
    private var departures: [PeerID: Promise<PartingReason>] = [:]
    /// The run of a member's program in which it was invited again, for as long as it is a member.
    private(set) var invitedAgain: [PeerID: UInt64] = [:]
    /// The number of streams and offers that wait for the reader.
    private var unreadOpenings = 0

    /// The number of streams and offers that may wait.
    private static let unreadLimit = 64
    /// The number of members that one member may introduce, in all sessions together, so that it can't crowd out those
    /// of others with false introductions. It also limits the introductions that may be expected.
    static let introductionLimit = 1024
    /// The number of members that all members together may introduce.
    private static let introductionsLimit = 16 * introductionLimit

    var isOpen: Bool { !hasEnded }

    init(_ id: SessionID, _ configuration: SessionConfiguration, host: PeerID, owner: any SessionOwner) {
        self.id = id
        self.configuration = configuration
        self.host = host
        self.owner = owner
        events = EventQueue()
    }

    var context: NodeContext { owner.context }

    /// The account for a peer's use of this machine's memory.
    package func allowance(of peer: PeerID) -> Allowance { context.shares.memory(of: peer) }

    /// The members, also those that are not connected.
    public var peers: [PeerID] { Array(members.keys).sorted() }

    /// The members that can be reached now.
    public var connectedPeers: [PeerID] { members.values.filter(\.isConnected).map(\.peer).sorted() }

    /// The name of a member.
    public func name(of peer: PeerID) -> InstanceName? { members[peer]?.name }

    var isFull: Bool {
        let limits = [configuration.maximumPeers, configuration.topology.capacity.map { $0 - 1 }]
        return limits.compactMap { $0 }.contains { members.count >= $0 }
    }

    func member(_ peer: PeerID) throws(SessionError) -> Member {
        guard let member = members[peer] else { throw .notInSession }
        return member
    }

    /// The members with these ids; all for nil.
    func chosen(_ peers: [PeerID]?) throws(SessionError) -> [Member] {
        guard let peers else { return Array(members.values) }
        var chosen: [Member] = []
        for peer in peers { chosen.append(try member(peer)) }
        return chosen
    }

    // MARK: Messages

    /// Sends a message to some members, or to all. It returns when the message is in each member's queue. The message
    /// arrives whole, in order and once, as long as the peer stays in the session. A slow peer makes this wait.
    /// Otherwise it returns without a hop, on any thread.
    public nonisolated(nonsending) func send(_ bytes: [UInt8], to peers: [PeerID]? = nil) async throws {
        guard bytes.count <= WireLimits.message else { throw SessionError.messageTooLarge }
        let receivers = try messages(to: peers)
        if receivers.count == 1 { return try await receivers[0].send(bytes[...]) }
        // A slow peer must not delay the others: their windows are filled first.
        let slow = receivers.filter { !$0.sendAtOnce(bytes[...]) }
        try await withThrowingDiscardingTaskGroup { group in
            for receiver in slow { group.addTask { try await receiver.send(bytes[...]) } }
        }
    }

    /// Sends a message to a member if that needs no waiting. Returns true if it is sent.
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

    /// Waits until the programs of some members, or of all, have every message that was sent to them, also over cuts.
    public func delivered(to peers: [PeerID]? = nil) async throws {
        let receivers = try chosen(peers)
        try await withThrowingDiscardingTaskGroup { group in
            for receiver in receivers { group.addTask { try await receiver.delivered() } }
        }
    }

    /// Leaves the session. The events end.
    ///
    /// - Parameter reason: the reason for the peers
    public func leave(because reason: PartingReason = .left) {
        precondition(reason.isSaid, "a peer must not hear of a block")
        guard !hasEnded else { return }
        hasEnded = true
        for member in members.values {
            member.link?.send(.leave(.init(session: member.wireSession, reason: reason)))
            owner.forget(member, because: reason)
        }
        members = [:]
        outgoing.withLock { $0 = [:] }
        for departure in departures.values { departure.settle(.success(reason)) }
        departures = [:]
        owner.sessionEnded(self)
        events.finish()
    }

    /// Waits until a member has left, and returns the reason, for a caller that is behind in ``events``.
    package func departure(of peer: PeerID) async throws -> PartingReason {
        guard members[peer] != nil else { return .left }
        let departure = departures[peer] ?? Promise()
        departures[peer] = departure
        return try await departure.value()
    }
}

/// The owner of a session: the node.
@Engine
protocol SessionOwner: AnyObject, Sendable {
    nonisolated var context: NodeContext { get }
    func forget(_ member: Member, because reason: PartingReason)
    func sessionEnded(_ session: Session)
    /// Opens a data channel to a linked peer.
    func openChannel(to peer: PeerID) async throws -> DataChannel
    func transferOwner(for peer: PeerID) -> any OutgoingResourceOwner
}

// MARK: - Introductions and members

extension Session: MemberSession {
    /// Takes the introduction of a peer by a member. Returns true if the peer is new.
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

    /// True if a member has introduced a peer, and the user has not forgotten it since.
    func isIntroduced(_ peer: PeerID) -> Bool { introduced[peer] == .counts }

    /// Refuses a peer that the user has forgotten. Otherwise a member's introduction would admit it again without a
    /// question.
    func keepOut(_ peer: PeerID) { introduced[peer] = .isRefused }

    /// The number of peers that a member has introduced.
    func introductionCount(of teller: PeerID) -> Int { introductionCounts[teller] ?? 0 }

    /// A promise that settles when a member introduces a peer.
    func introduction(of peer: PeerID) -> Promise<Void> {
        if let expected = expectedIntroductions[peer] { return expected }
        let expected = Promise<Void>()
        if expectedIntroductions.count < Self.introductionLimit { expectedIntroductions[peer] = expected }
        return expected
    }

    /// Ends the wait for an introduction. The peer's next invitation waits again.
    func expectNoMore(_ peer: PeerID, _ expected: Promise<Void>) {
        expected.settle(.failure(SessionError(.timedOut)))
        if expectedIntroductions[peer] === expected { expectedIntroductions[peer] = nil }
    }

    func add(_ member: Member) {
        members[member.peer] = member
        report(.joined(member.peer, member.name))
    }

    /// Opens a member for messages, after the frames that must be sent first.
    func open(_ member: Member) {
        outgoing.withLock { $0[member.peer] = member.outgoing }
    }

    private func close(_ member: Member, because reason: PartingReason) {
        members[member.peer] = nil
        outgoing.withLock { $0[member.peer] = nil }
        departures.removeValue(forKey: member.peer)?.settle(.success(reason))
    }

    func deliver(_ message: Message, from member: Member) {
        events.add(.message(message)) { member.noteConsumed(message) }
    }

    /// True while the reader keeps up with the streams and offers.
    var hasRoomForMore: Bool { unreadOpenings < Self.unreadLimit }

    func deliver(_ event: SessionEvent) {
        unreadOpenings += 1
        events.add(event) { self.unreadOpenings -= 1 }
    }

    /// True if this machine may invite a peer again that has forgotten the session: once in each run of its program.
    /// Otherwise a peer that always forgets would be invited for ever.
    func canInviteAgain(_ peer: PeerID, inRun token: UInt64) -> Bool {
        invitedAgain.updateValue(token, forKey: peer) != token
    }

    func noteAway(_ member: Member, because reason: PartingReason) {
        report(.away(member.peer, reason))
    }

    func noteReturn(of member: Member) {
        report(.returned(member.peer))
    }

    /// Forgets a member whose program has restarted. It is about to join again, so no departure is reported.
    func forget(_ member: Member) {
        guard members[member.peer] === member else { return }
        close(member, because: .lost)
        report(.away(member.peer, .lost))
    }

    func remove(_ member: Member, because reason: PartingReason) {
        guard members[member.peer] === member || members[member.peer] == nil else { return }
        close(member, because: reason)
        invitedAgain[member.peer] = nil
        report(.departed(member.peer, reason))
        if members.isEmpty, host != context.id { endAlone() }
    }

    /// Ends a session that began elsewhere after its last member has left: no machine is left that could invite here.
    private func endAlone() {
        guard !hasEnded else { return }
        hasEnded = true
        owner.sessionEnded(self)
        events.finish()
    }

    /// Reports an event. A reader that does not read while a peer joins and leaves a thousand times gets only the last
    /// state.
    private func report(_ event: SessionEvent) {
        if events.count < Self.unreadLimit {
            events.add(event)
        } else {
            events.replaceOrAdd(event) { $0.presenceOf == event.presenceOf }
        }
    }
}
