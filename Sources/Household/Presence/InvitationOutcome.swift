import Ledger
import LinuxPlatform
import Vocabulary

/// What becomes of an invitation that waits for a person, for one program that follows it.
@Engine
final class InvitationOutcome {
    /// As it was told when it came.
    let question: SessionNews
    private let deadline: ContinuousClock.Instant
    private let answered = Resumption<Void>()
    private let ended = Resumption<PeerTag>()

    /// What is over at once needs no line that says what is waited for.
    private static let silence: Duration = .seconds(1)

    init(of question: SessionNews, until deadline: ContinuousClock.Instant) {
        (self.question, self.deadline) = (question, deadline)
    }

    func isAnswered() { answered.resume(with: .success(())) }

    func settle(_ result: Result<PeerTag, any Error>) { ended.resume(with: result) }

    /// Tells the question, that the other machine's word is missing if it is for a while, and at last who is in.
    ///
    /// - Throws: why the invitation led to nothing
    func follow(_ tell: @escaping @Sendable (SessionNews) async throws -> Void) async throws {
        try await tell(question)
        let peer = try await withThrowingTaskGroup(of: PeerTag?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await self.answered.valueUnlessCancelled()
                try await EventLoop.shared.sleep(for: Self.silence)
                try await tell(self.waiting)
                return nil
            }
            group.addTask { try await self.ended.valueUnlessCancelled() }
            while let peer = try await group.next() {
                if let peer { return peer }
            }
            throw CancellationError()
        }
        try await tell(
            SessionNews("let-in", peer, "Connected to \(peer.full)") { $0.invitation = question.invitation }
        )
    }

    private var waiting: SessionNews {
        let peer = question.peer
        let left = (deadline - .now).components.seconds
        let limit = TimeText.local(WallTime(secondsSince1970: WallTime.now.secondsSince1970 + left))
        return SessionNews("waiting", peer, "Waiting for \(peer?.description ?? "") to confirm, until \(limit).")
    }
}
