import Ledger
import LinuxPlatform
import SaveRules
import SaveSync
import Session
import Vocabulary

/// The network of a household, in memory: in order, with delays, and cut where the plan says so.
@Engine
final class SimulatedNetwork {
    /// The way from one machine to another.
    struct Way: Hashable {
        let from: PeerID
        let to: PeerID

        init(_ from: PeerID, _ to: PeerID) { (self.from, self.to) = (from, to) }
    }

    private var nodes: [PeerID: SimulatedNode] = [:]
    /// How many cuts there are on a way.
    private var cuts: [Way: Int] = [:]
    /// How much longer messages between two machines take at most.
    private var slowness: [Set<PeerID>: Duration] = [:]
    private var dice: Dice

    init(_ dice: Dice) { self.dice = dice }

    func delay(_ magnitudes: ClosedRange<Int> = 0...4) -> Duration { dice.duration(magnitudes) }

    /// How long a message takes now.
    func delay(_ one: PeerID, _ other: PeerID) -> Duration {
        guard let most = slowness[[one, other]] else { return delay() }
        return .milliseconds(dice.number(in: 0...Int(most / .milliseconds(1))))
    }

    func node(_ id: PeerID) -> SimulatedNode? { nodes[id] }

    func isUp(_ one: PeerID, _ other: PeerID) -> Bool { passes(one, to: other) && passes(other, to: one) }

    /// True if what one machine sends reaches the other.
    func passes(_ one: PeerID, to other: PeerID) -> Bool {
        nodes[one] != nil && nodes[other] != nil && cuts[Way(one, other), default: 0] == 0
    }

    /// A machine is on.
    func add(_ node: SimulatedNode) {
        nodes[node.id] = node
        for other in nodes.values.sorted(by: { $0.id < $1.id }) where other !== node { meet(node, other) }
    }

    /// A machine is off, in order or not.
    func remove(_ node: SimulatedNode, because reason: PartingReason) {
        if nodes[node.id] === node { nodes[node.id] = nil }
        for session in node.sessions { session.isCut(because: reason) }
    }

    /// Cuts some ways between two machines. Each side notices that at a moment of its own.
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

    /// Messages between two machines take longer by up to this; nil to end that.
    func slow(_ one: PeerID, _ other: PeerID, by delay: Duration?) { slowness[[one, other]] = delay }

    /// The streams between two machines end, although their connection stands.
    func breakStreams(_ one: PeerID, _ other: PeerID) {
        for (here, there) in [(one, other), (other, one)] {
            for session in nodes[here]?.sessions ?? [] where session.other == there { session.failStreams() }
        }
    }

    /// Two machines find each other, and go on with what they had begun.
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

/// One run of a daemon, as others see it.
@Engine
final class SimulatedNode: SaveNetwork {
    nonisolated let id: PeerID
    nonisolated let seal: VersionSeal
    let network: SimulatedNetwork
    /// True if its program knows no vouching.
    let isOlder: Bool
    var sessions: [SimulatedSession] = []
    var audited: @Engine (String, PeerID) -> Void = { _, _ in }
    /// Takes a session that another has opened; nil if this machine does not let it.
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

/// A session of two simulated machines, as one of them has it.
@Engine
final class SimulatedSession: SaveSession {
    let host: PeerID
    let other: PeerID
    let allowance: Allowance
    private weak var node: SimulatedNode?
    private weak var twin: SimulatedSession?
    private let network: SimulatedNetwork
    private let events = EventQueue<SaveSessionEvent>()
    /// Of what is on its way there: when the last of it arrives.
    private var lastArrival = ContinuousClock.Instant.current
    /// The messages that arrived there while the link was down.
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
        // Each holds the other as long as its node has it.
        return (one, two)
    }

    var peerName: String? { nil }

    func next() async -> SaveSessionEvent? { await events.next() }

    func send(_ bytes: [UInt8]) async throws {
        guard !hasEnded else { throw SessionError(.left) }
        // A program that knows no vouching says nothing of it, and passes over what others say.
        if HouseholdMessage.isKind(of: bytes), node?.isOlder != false || network.node(other)?.isOlder != false {
            return
        }
        pass(.message(bytes))
    }

    /// Has something arrive at the other side, after all that is on its way.
    func pass(_ event: SaveSessionEvent) {
        pass { [weak twin] in twin?.events.add(event) }
    }

    /// Does something there once what is on its way has arrived, and the link is up.
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

    // MARK: What happens to the link

    func noticesCut(_ number: Int) {
        guard number == linkNumber, let node, !network.isUp(node.id, other) else { return }
        isCut(because: .lost, isOwn: true)
    }

    /// The link broke; the other side of a machine that went down notices as well.
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
        // A machine that was started again knows nothing of the session.
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

    /// It is over here.
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

/// Bytes from one simulated machine to another.
@Engine
final class SimulatedStream: OutgoingBytes, IncomingBytes {
    private weak var session: SimulatedSession?
    private var arrived: [[UInt8]] = []
    private var waiting: Resumption<Void>?
    private var hasFailed = false
    /// How much is on its way or waits to be read.
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
