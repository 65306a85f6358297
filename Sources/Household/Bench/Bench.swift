import Glibc
import Ledger
package import LinuxPlatform
import Session
import SessionRules
import Vocabulary

/// Measures the speed between this machine and a peer that accepts it without a question, and the possible limits on
/// this machine. It takes less than ten seconds, and leaves nothing behind.
@Engine
package struct Bench {
    private let household: Household
    private let peer: PeerTag
    private let tell: Call.Listener

    private static let times = (
        roundTrips: Duration.milliseconds(1500), messages: Duration.milliseconds(1500), stream: Duration.seconds(2),
        encryption: Duration.milliseconds(400), probes: Duration.milliseconds(500)
    )
    private static let most = (roundTrips: 5000, probes: 20)
    /// The time that the peer may take to begin, and the limit for the whole measurement.
    private static let patience = (ready: Duration.seconds(5), all: Duration.seconds(20))
    private static let messageBytes = 64

    package init(of household: Household, to peer: PeerTag, telling tell: @escaping Call.Listener) {
        (self.household, self.peer, self.tell) = (household, peer, tell)
    }

    private var node: Node { household.node }

    /// - Parameter wait: time to try to reach the peer
    package func run(within wait: Duration) async throws {
        try await requireRights()
        try await tell(.measuring(.encryption))
        let first = try await EncryptionRate.measure(for: Self.times.encryption)
        let encryption = max(first, try await EncryptionRate.measure(for: Self.times.encryption))
        let stream = try await between(within: wait, encryption)
        // This machine encrypted all bytes of the stream, so encryption is at least as fast.
        try await tell(.measured(encryption: max(encryption, stream ?? 0)))
        try await tell(.measuring(.file))
        let folder = household.folder.path
        let file = try await runBlocking("bench") { try FileBench(in: folder).run() }
        try await tell(.measured(file: file))
        if let stream, let taken = file?.taken { try await tell(.slowest(stream: stream, file: taken, peer)) }
    }

    /// Checks that the peer may send its answers here.
    private func requireRights() async throws {
        guard let known = try await node.ledger.peer(peer.id), known.isPinned else { throw HouseholdError.notMet(peer) }
        guard known.permissions.contains(.messages) else {
            throw HouseholdError.mayNotAnswer(peer, known.permissions.union(.messages))
        }
    }

    // MARK: The peer's part

    private func between(within wait: Duration, _ encryption: Double) async throws -> Double? {
        let session = node.session(SessionConfiguration(name: Self.name, topology: .pair, invitesAgain: false))
        defer { session.leave() }
        do {
            try await invite(into: session, until: .now + wait)
        } catch let error as SessionError where [.declined, .notPermitted].contains(error.reason) {
            throw HouseholdError.notWelcome(peer, node.id)
        } catch let error as SessionError where error.reason == .timedOut {
            throw HouseholdError.noAnswer(peer, node.id)
        }
        do {
            try await begin(in: session)
            return try await EventLoop.shared.withDeadline(Self.patience.all, "bench") { @Sendable in
                try await measure(in: session, encryption)
            }
        } catch let error as SessionError where error.reason == .notPermitted {
            throw HouseholdError.messagesNotAllowed(peer, node.id)
        } catch let error as SystemError where error.number == ETIMEDOUT {
            throw SessionError(.timedOut)
        }
    }

    /// Invites the peer. A peer that is still being looked for may be online in a moment.
    private func invite(into session: Session, until deadline: ContinuousClock.Instant) async throws {
        while true {
            do {
                let patience = Self.patience.ready
                try await node.invite(.peer(peer.id), to: session, context: BenchEcho.purpose, patience: patience)
                return
            } catch  where ContinuousClock.now < deadline && Call.mayPass(error, false) {
                try await EventLoop.shared.sleep(for: .milliseconds(200))
            }
        }
    }

    private func begin(in session: Session) async throws {
        do {
            let first = try await EventLoop.shared.withDeadline(Self.patience.ready, "bench") { @Sendable in
                try await nextMessage(in: session)
            }
            guard first == [BenchEcho.Word.ready] else { throw HouseholdError.cannotBeMeasured(peer) }
        } catch let error as SystemError where error.number == ETIMEDOUT {
            throw HouseholdError.cannotBeMeasured(peer)
        } catch let error as SessionError where error.reason == .left {
            throw HouseholdError.cannotBeMeasured(peer)
        }
    }

    private func measure(in session: Session, _ encryption: Double) async throws -> Double? {
        try await tell(.measuring(.roundTrip))
        let probes = await ConnectProbe.at(node.address(of: peer.id), Self.most.probes, within: Self.times.probes)
        let trips = try await roundTrips(in: session)
        try await tell(.measured(trips, probes: probes.times, peer))
        try await tell(.measuring(.messages))
        let rate = try await messageRate(in: session)
        try await tell(.measured(messages: rate, of: Self.messageBytes, peer))
        try await tell(.measuring(.stream))
        do {
            let stream = try await streamRate(in: session)
            let most = max(encryption, stream)
            try await tell(.measured(stream: stream, encryption: most, line: probes.lineRate, peer))
            return stream
        } catch let error as SessionError where error.reason == .notPermitted {
            try await tell(.streamsNotAllowed(peer, node.id))
            return nil
        }
    }

    private func roundTrips(in session: Session) async throws -> Samples {
        let question = [BenchEcho.Word.echo] + [UInt8](repeating: 0, count: Self.messageBytes - 1)
        let deadline = ContinuousClock.now + Self.times.roundTrips
        var samples = Samples()
        repeat {
            let begun = ContinuousClock.now
            try await session.send(question, to: [peer.id])
            guard try await nextMessage(in: session) == question else { throw SessionError(.brokeProtocol) }
            samples.add(.now - begun)
        } while samples.count < Self.most.roundTrips && ContinuousClock.now < deadline
        return samples
    }

    /// Messages a second, until the last one has arrived.
    private func messageRate(in session: Session) async throws -> Double {
        let message = [BenchEcho.Word.forget] + [UInt8](repeating: 0, count: Self.messageBytes - 1)
        let begun = ContinuousClock.now
        var count = 0
        repeat {
            for _ in 0..<64 { try await session.send(message, to: [peer.id]) }
            count += 64
            // Acknowledgements arrive on this thread, too.
            await Task.yield()
        } while ContinuousClock.now - begun < Self.times.messages
        try await session.delivered(to: [peer.id])
        return Double(count) / ((ContinuousClock.now - begun) / .seconds(1))
    }

    /// Bytes a second, until the last one was read.
    private func streamRate(in session: Session) async throws -> Double {
        let stream = try await session.openStream(named: Self.name, to: peer.id)
        let bytes = [UInt8](repeating: 0, count: 256 << 10)
        let begun = ContinuousClock.now
        var count = 0
        repeat {
            try await stream.write(bytes)
            count += bytes.count
        } while ContinuousClock.now - begun < Self.times.stream
        try await stream.finish()
        return Double(count) / ((ContinuousClock.now - begun) / .seconds(1))
    }

    private func nextMessage(in session: Session) async throws -> [UInt8] {
        while let event = await session.events.next() {
            switch event {
            case .message(let message): return message.bytes
            case .departed(_, let reason): throw SessionError(reason)
            case .joined, .away, .returned, .stream, .resource: continue
            }
        }
        throw SessionError(.lost)
    }

    private static let name: Label = {
        guard let label = try? Label("bench") else { preconditionFailure("a word is a label") }
        return label
    }()
}
