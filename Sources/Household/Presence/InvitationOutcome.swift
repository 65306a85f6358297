import Ledger
import LinuxPlatform
import Vocabulary

/// The outcome of an invitation that waits for the user, for one program that follows it.
@Engine
final class InvitationOutcome {
    /// The line about the invitation.
    let question: DaemonLine
    private let invitation: InvitationEvent
    private let deadline: ContinuousClock.Instant
    private let answered = Resumption<Void>()
    private let ended = Resumption<PeerTag>()

    /// An invitation that ends at once needs no line about the wait.
    private static let silence: Duration = .seconds(1)

    init(of invitation: InvitationEvent, _ question: DaemonLine, until deadline: ContinuousClock.Instant) {
        (self.invitation, self.question, self.deadline) = (invitation, question, deadline)
    }

    func isAnswered() { answered.resume(with: .success(())) }

    func settle(_ result: Result<PeerTag, any Error>) { ended.resume(with: result) }

    /// Reports the question, then after a while that the other machine's word is missing, and at last the accepted
    /// peer.
    ///
    /// - Throws: the reason why the invitation led to nothing
    func follow(_ tell: @escaping @Sendable (DaemonLine) async throws -> Void) async throws {
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
        let accepted = AcceptedEvent(peer, invitation: invitation.invitation)
        try await tell(DaemonLine(.accepted(accepted), "Connected to \(peer.full)"))
    }

    private var waiting: DaemonLine {
        let peer = invitation.machine
        let left = (deadline - .now).components.seconds
        let limit = TimeText.local(WallTime(secondsSince1970: WallTime.now.secondsSince1970 + left))
        return DaemonLine.machine(.waiting, peer, "Waiting for \(peer) to confirm, until \(limit).")
    }
}
