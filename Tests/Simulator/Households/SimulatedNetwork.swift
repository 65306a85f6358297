import Ledger
import LinuxPlatform
import SaveRules
import SaveSync
import Session
import Vocabulary

/// The network of a household, in memory. It keeps the order of messages, delays them, and has the cuts of the plan.
@Engine
final class SimulatedNetwork {
    /// One direction between two machines.
    struct Way: Hashable {
        let from: PeerID
        let to: PeerID

        init(_ from: PeerID, _ to: PeerID) { (self.from, self.to) = (from, to) }
    }

    private var nodes: [PeerID: SimulatedNode] = [:]
    /// The number of present cuts in each direction.
    private var cuts: [Way: Int] = [:]
    /// The longest extra delay of messages between two machines.
    private var slowness: [Set<PeerID>: Duration] = [:]
    private var dice: Dice

    init(_ dice: Dice) { self.dice = dice }

    func delay(_ magnitudes: ClosedRange<Int> = 0...4) -> Duration { dice.duration(magnitudes) }

    /// The delay of a message that is sent now.
    func delay(_ one: PeerID, _ other: PeerID) -> Duration {
        guard let most = slowness[[one, other]] else { return delay() }
        return .milliseconds(dice.number(in: 0...Int(most / .milliseconds(1))))
    }

    func node(_ id: PeerID) -> SimulatedNode? { nodes[id] }

    func isUp(_ one: PeerID, _ other: PeerID) -> Bool { passes(one, to: other) && passes(other, to: one) }

    /// True if the other machine receives messages of the first.
    func passes(_ one: PeerID, to other: PeerID) -> Bool {
        nodes[one] != nil && nodes[other] != nil && cuts[Way(one, other), default: 0] == 0
    }

    /// Adds a machine that starts.
    func add(_ node: SimulatedNode) {
        nodes[node.id] = node
        for other in nodes.values.sorted(by: { $0.id < $1.id }) where other !== node { meet(node, other) }
    }

    /// Removes a machine that ends, in order or not.
    func remove(_ node: SimulatedNode, because reason: PartingReason) {
        if nodes[node.id] === node { nodes[node.id] = nil }
        for session in node.sessions { session.isCut(because: reason) }
    }

    /// Cuts some directions between two machines. Each side notices that at its own time.
    func cut(_ ways: [Way]) {
        for way in ways { cuts[way, default: 0] += 1 }
        guard let way = ways.first else { return }
        for (here, there) in [(way.from, way.to), (way.to, way.from)] {
            for session in nodes[here]?.sessions ?? [] where session.other == there {
                let life = session.linkNumber
                _ = Engine.schedule(at: .current + delay(5...7)) { session.noticesCut(life) }
            }
        }
    }

    func heal(_ ways: [Way]) {
        for way in ways { cuts[way, default: 0] -= 1 }
        guard let way = ways.first, let left = nodes[way.from], let right = nodes[way.to], isUp(way.from, way.to) else {
            return
        }
        meet(left, right)
    }

    /// Delays messages between two machines by up to this time; nil ends the delay.
    func slow(_ one: PeerID, _ other: PeerID, by delay: Duration?) { slowness[[one, other]] = delay }

    /// Ends the streams between two machines, but not the connection.
    func breakStreams(_ one: PeerID, _ other: PeerID) {
        for (here, there) in [(one, other), (other, one)] {
            for session in nodes[here]?.sessions ?? [] where session.other == there { session.failStreams() }
        }
    }

    /// Connects two machines again, and resumes their sessions.
    private func meet(_ one: SimulatedNode, _ other: SimulatedNode) {
        guard isUp(one.id, other.id) else { return }
        for (here, there) in [(one, other), (other, one)] {
            _ = Engine.schedule(at: .current + delay(3...6)) { [weak self] in
                guard let self, isUp(here.id, there.id), nodes[here.id] === here, nodes[there.id] === there else {
                    return
                }
                for session in here.sessions where session.other == there.id { session.linkIsBack() }
                here.whenFound(there.id)
            }
        }
    }
}

/// One run of a daemon, as other machines see it.
@Engine
final class SimulatedNode: SaveNetwork {
    nonisolated let id: PeerID
    nonisolated let seal: VersionSeal
    let network: SimulatedNetwork
    /// True if its program has no vouching.
    let isOlder: Bool
    var sessions: [SimulatedSession] = []
    var audited: @Engine (String, PeerID) -> Void = { _, _ in }
    /// Takes a session that another machine opened; false if this machine refuses it.
    var accept: (PeerID, SimulatedSession) async -> Bool = { _, _ in false }
    private(set) var isDead = false

    var whenFound: @Engine (PeerID) -> Void = { _ in }
    var whenRightsChange: @Engine (PeerID) -> Void = { _ in }
    var whenAnyRightsChange: @Engine () -> Void = {}

    init(_ id: PeerID, _ seal: VersionSeal, _ network: SimulatedNetwork, isOlder: Bool) {
        (self.id, self.seal, self.network, self.isOlder) = (id, seal, network, isOlder)
    }

    func die(because reason: PartingReason) {
        isDead = true
        network.remove(self, because: reason)
        (whenFound, whenRightsChange, whenAnyRightsChange) = ({ _ in }, { _ in }, {})
        for session in sessions { session.end() }
        sessions = []
    }

    func hasPaired(_ peer: PeerID) async { whenRightsChange(peer) }

    func openSaves(with peer: PeerID, patience: Duration) async throws -> any SaveSession {
        try await Engine.loop.sleep(for: network.delay())
        guard !isDead, network.isUp(id, peer), let there = network.node(peer) else { throw SessionError(.unreachable) }
        let (mine, theirs) = SimulatedSession.pair(self, there)
        guard await there.accept(id, theirs) else {
            try await Engine.loop.sleep(for: network.delay())
            for session in [mine, theirs] { session.forget() }
            throw SessionError(.declined)
        }
        try await Engine.loop.sleep(for: network.delay())
        guard network.isUp(id, peer), !isDead, !there.isDead else {
            for session in [mine, theirs] { session.departs(because: .lost) }
            throw SessionError(.lost)
        }
        return mine
    }

    func isLinked(to peer: PeerID) -> Bool { sessions.contains { $0.other == peer && $0.isUp } }
    func hurriesBack(to peer: PeerID) {}
    func audit(_ event: String, about peer: PeerID?, _ details: [AuditEntry.Detail]) {
        if let peer, !isDead { audited(event, peer) }
    }
}

/// One side of a session between two simulated machines.
@Engine
final class SimulatedSession: SaveSession {
    let host: PeerID
    let other: PeerID
    let allowance: Allowance
    private weak var node: SimulatedNode?
    private weak var twin: SimulatedSession?
    private let network: SimulatedNetwork
    private let events = EventQueue<SaveSessionEvent>()
    /// The arrival time of the last message on its way to the other side.
    private var lastArrival = ContinuousClock.Instant.current
    /// Messages that arrived while the link was down.
    private var late: [@Engine @Sendable () -> Void] = []
    private(set) var linkNumber = 0
    private(set) var isUp = true
    private var hasEnded = false
    private var streams: [SimulatedStream] = []

    private init(_ node: SimulatedNode, host: PeerID, other: PeerID) {
        (self.node, self.host, self.other, network) = (node, host, other, node.network)
        allowance = .unbounded(of: other)
    }

    static func pair(_ host: SimulatedNode, _ guest: SimulatedNode) -> (SimulatedSession, SimulatedSession) {
        let one = SimulatedSession(host, host: host.id, other: guest.id)
        let two = SimulatedSession(guest, host: host.id, other: host.id)
        (one.twin, two.twin) = (two, one)
        host.sessions.append(one)
        guest.sessions.append(two)
        // The nodes own both sides; each side refers to the other weakly.
        return (one, two)
    }

    var peerName: String? { nil }

    func next() async -> SaveSessionEvent? { await events.next() }

    func send(_ bytes: [UInt8]) async throws {
        guard !hasEnded else { throw SessionError(.left) }
        // A program without vouching sends no statements, and ignores those of others.
        if HouseholdMessage.isKind(of: bytes), node?.isOlder != false || network.node(other)?.isOlder != false {
            return
        }
        pass(.message(bytes))
    }

    /// Delivers an event to the other side, after everything that is on its way.
    func pass(_ event: SaveSessionEvent) {
        pass { [weak twin] in twin?.events.add(event) }
    }

    /// Runs work at the other side once everything on its way has arrived and the link is up.
    func pass(_ work: @escaping @Engine @Sendable () -> Void) {
        guard let node else { return }
        lastArrival = max(lastArrival, .current + network.delay(node.id, other))
        _ = Engine.schedule(at: lastArrival) { [weak self] in self?.twin?.arrives(work) }
    }

    private func arrives(_ work: @escaping @Engine @Sendable () -> Void) {
        guard !hasEnded, let node else { return }
        guard isUp, network.passes(other, to: node.id) else { return late.append(work) }
        work()
    }

    func openStream() async throws -> any OutgoingBytes {
        guard !hasEnded, isUp else { throw SessionError(.lost) }
        let stream = SimulatedStream(self)
        streams.append(stream)
        pass(.stream(stream))
        return stream
    }

    func leave(because reason: PartingReason) {
        guard !hasEnded else { return }
        let twin = twin
        _ = Engine.schedule(at: max(lastArrival, .current + network.delay())) { twin?.departs(because: reason) }
        forget()
    }

    // MARK: Events of the link

    func noticesCut(_ number: Int) {
        guard number == linkNumber, let node, !network.isUp(node.id, other) else { return }
        isCut(because: .lost, isOwn: true)
    }

    /// Handles a broken link. If the machine of this side ended, the other side notices.
    func isCut(because reason: PartingReason, isOwn: Bool = false) {
        guard let twin else { return end() }
        if isOwn { goAway(because: reason) } else { twin.goAway(because: reason) }
    }

    private func goAway(because reason: PartingReason) {
        guard isUp, !hasEnded else { return }
        isUp = false
        linkNumber += 1
        failStreams()
        events.add(.away(reason))
    }

    func failStreams() {
        for stream in streams { stream.fail() }
        streams = []
    }

    func linkIsBack() {
        guard !hasEnded else { return }
        // A restarted machine does not know the session.
        guard let twin, !twin.hasEnded, network.node(other)?.sessions.contains(where: { $0 === twin }) == true
        else { return departs(because: .lost) }
        twin.comesUp()
        comesUp()
    }

    private func comesUp() {
        if !isUp {
            isUp = true
            linkNumber += 1
            events.add(.returned)
        }
        let waiting = late
        late = []
        for work in waiting { work() }
    }

    func departs(because reason: PartingReason) {
        guard !hasEnded else { return }
        events.add(.departed(reason))
        forget()
    }

    /// Ends this side of the session.
    func forget() {
        end()
        node?.sessions.removeAll { $0 === self }
    }

    func end() {
        hasEnded = true
        failStreams()
        events.finish()
    }
}

/// A stream of bytes from one simulated machine to another.
@Engine
final class SimulatedStream: OutgoingBytes, IncomingBytes {
    private weak var session: SimulatedSession?
    private var arrived: [[UInt8]] = []
    private var waiting: Resumption<Void>?
    private var hasFailed = false
    /// The number of bytes that are on their way or unread.
    private var pending = 0
    private var writer: Resumption<Void>?

    init(_ session: SimulatedSession) { self.session = session }

    func write(_ bytes: [UInt8]) async throws {
        while pending > 256 << 10, !hasFailed {
            let turn = Resumption<Void>()
            writer = turn
            try await turn.valueUnlessCancelled()
        }
        guard !hasFailed, let session else { throw SessionError(.lost) }
        pending += bytes.count
        session.pass { [weak self] in
            guard let self, !hasFailed else { return }
            arrived.append(bytes)
            waiting?.resume(with: .success(()))
        }
    }

    func read() async throws -> [UInt8]? {
        while arrived.isEmpty {
            guard !hasFailed else { throw SessionError(.lost) }
            let turn = Resumption<Void>()
            waiting = turn
            try await turn.valueUnlessCancelled()
        }
        let bytes = arrived.removeFirst()
        pending -= bytes.count
        writer?.resume(with: .success(()))
        return bytes
    }

    func abort(because reason: PartingReason) async { fail() }

    func fail() {
        hasFailed = true
        waiting?.resume(with: .success(()))
        writer?.resume(with: .success(()))
    }
}
