import Household
import LinuxPlatform
import SaveRules
import SaveSync
import Session
import Vocabulary

/// Sends one save to a peer, and waits for the outcome.
@Engine
struct StatePush {
    let household: Household
    let delivery: StateDelivery
    let archive: [UInt8]
    let peer: PeerTag

    private static let patience = (ready: Duration.seconds(10), answer: Duration.seconds(150))
    private static let chunk = 64 << 10

    /// - Parameter wait: the time to reach the peer
    /// - Returns: the name of the save there, in the peer's words
    func run(within wait: Duration) async throws -> String {
        let node = household.node
        let session = node.session(SessionConfiguration(name: Self.name, topology: .pair, invitesAgain: false))
        defer { session.leave() }
        do {
            try await node.invite(.peer(peer.id), to: session, context: StateTaking.purpose, patience: wait)
        } catch let error as SessionError where [.declined, .notPermitted].contains(error.reason) {
            throw HouseholdError.takesNothing(peer)
        }
        switch try await inTime(Self.patience.ready, { try await self.nextAnswer(in: session) }) {
        case .ready: break
        case .refused(_, let message, let nextStep): throw HouseholdError.refused(peer, message, nextStep)
        case .taken: throw SessionError(.brokeProtocol)
        }
        let answer = try await inTime(Self.patience.answer) {
            do {
                try await self.send(in: session)
            } catch {
                // If the peer refuses the rest, its answer has the reason. Without an answer, that is the error.
                try Task.checkCancellation()
            }
            return try await self.nextAnswer(in: session)
        }
        switch answer {
        case .taken(let text): return "\(PrintableText(text))"
        case .refused(_, let message, let nextStep): throw HouseholdError.refused(peer, message, nextStep)
        case .ready: throw SessionError(.brokeProtocol)
        }
    }

    private func send(in session: Session) async throws {
        let stream = try await session.openStream(named: Self.name, to: peer.id)
        try await stream.write(delivery.encoded)
        for start in stride(from: 0, to: archive.count, by: Self.chunk) {
            try await stream.write(Array(archive[start..<min(start + Self.chunk, archive.count)]))
        }
        try await stream.finish()
    }

    private func inTime(
        _ limit: Duration,
        _ work: @escaping @Engine @Sendable () async throws -> StateAnswer
    ) async throws -> StateAnswer {
        try await withThrowingTaskGroup(of: StateAnswer.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await work() }
            group.addTask {
                try await Engine.loop.sleep(for: limit)
                throw HouseholdError.noAnswer(peer)
            }
            return try await group.next() ?? .ready
        }
    }

    private func nextAnswer(in session: Session) async throws -> StateAnswer {
        while let event = await session.events.next() {
            switch event {
            case .message(let message) where message.isReliable: return try StateAnswer(decoding: message.bytes)
            case .departed(_, let reason): throw SessionError(reason)
            case .joined, .away, .returned, .stream, .resource, .message: continue
            }
        }
        throw SessionError(.lost)
    }

    private static let name: Label = {
        guard let label = try? Label("state") else { preconditionFailure("a word is a label") }
        return label
    }()
}

extension HouseholdError {
    fileprivate static func takesNothing(_ peer: PeerTag) -> HouseholdError {
        HouseholdError(
            "state.not-admitted",
            "\(peer) takes no saves from this machine without a question",
            nextStep: "on that machine, with huddled running: `huddle policy NAME-OF-THIS-MACHINE --set accept`"
        )
    }

    fileprivate static func noAnswer(_ peer: PeerTag) -> HouseholdError {
        HouseholdError(
            "state.no-answer",
            "\(peer) did not confirm that it has the save",
            nextStep: "check on that machine with `huddle inbox` or `huddle history`, then try again"
        )
    }

    /// The refusal in the peer's words, which are untrusted.
    fileprivate static func refused(_ peer: PeerTag, _ message: String, _ nextStep: String) -> HouseholdError {
        HouseholdError(
            "state.refused",
            "\(peer) refused it: \(PrintableText(message, limit: 1024))",
            nextStep: "\(PrintableText(nextStep, limit: 1024))"
        )
    }
}
