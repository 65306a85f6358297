package import Ledger
import LinuxPlatform
import Session
import SessionRules
import Vocabulary

/// Answers an invitation that another program of this person holds, and waits for what becomes of it.
package struct Answering: Sendable {
    /// How long after the inviter's patience the other program may take to say so.
    private static let grace: Duration = .seconds(5)

    package let invitation: WaitingInvitation
    private let ledger: Ledger

    package init(_ invitation: WaitingInvitation, _ ledger: Ledger) {
        self.invitation = invitation
        self.ledger = ledger
    }

    /// Returns once the invitation has led to a session.
    package func give(_ verdict: InvitationAnswer.Verdict) async throws {
        let before = try await ledger.audit(limit: 1).values.first?.number ?? 0
        // Where the kernel has no watch to give any more, looking now and then does for the seconds that this takes.
        let changes = try? await ledger.changes()
        guard try await ledger.answer(invitation.id, with: verdict) else { throw SessionError(.withdrawn) }
        try await waitForEnd(changes)
        // The person here has said yes, so it was the other machine's word that was missing.
        if let reason = try await ending(since: before) { throw SessionError(reason, missing: .machineThere) }
    }

    /// Waits until the invitation is over without an answer from here. Returns why it is.
    package func end() async throws -> any Error {
        let before = try await ledger.audit(limit: 1).values.first?.number ?? 0
        try await waitForEnd(try? await ledger.changes())
        if let reason = try await ending(since: before) { return SessionError(reason) }
        return HouseholdError(
            "command.answered-elsewhere",
            "the invitation is over: it was answered elsewhere, or ended just now",
            nextStep: "run `huddle peers`, which says whether the machine is in"
        )
    }

    /// Waits until the same machine invites again.
    package func next(within limit: Duration) async throws -> WaitingInvitation {
        try await wait(try? await ledger.changes(), limit) {
            try await ledger.waitingInvitations().values.last { $0.peer == invitation.peer && $0.id != invitation.id }
        }
    }

    private func waitForEnd(_ changes: LedgerChanges?) async throws {
        let left = Duration.seconds(max(0, invitation.patienceUntil.secondsSince1970 - WallTime.now.secondsSince1970))
        try await wait(changes, left + Self.grace) { try await isWaiting() ? nil : () }
    }

    /// Waits until the ledger has what is looked for.
    private func wait<Value: Sendable>(
        _ changes: LedgerChanges?,
        _ limit: Duration,
        until found: @escaping @Sendable () async throws -> Value?
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                while true {
                    if let value = try await found() { return value }
                    guard let changes else {
                        try await EventLoop.shared.sleep(for: .milliseconds(200))
                        continue
                    }
                    var next = changes.makeAsyncIterator()
                    guard try await next.next() != nil else { return nil }
                }
            }
            group.addTask {
                try await EventLoop.shared.sleep(for: limit)
                return nil
            }
            guard let value = try await group.next() ?? nil else { throw SessionError(.timedOut) }
            return value
        }
    }

    private func isWaiting() async throws -> Bool {
        try await ledger.waitingInvitations(at: WallTime(secondsSince1970: 0)).values.contains {
            $0.id == invitation.id
        }
    }

    /// Why the invitation came to nothing, where it did.
    private func ending(since number: Int64) async throws -> PartingReason? {
        let entries = try await ledger.audit().values.prefix { $0.number > number }
        guard let last = entries.first(where: { $0.peer == invitation.peer && $0.event == "invitation-over" }) else {
            return nil
        }
        let word = last.details.first { $0.word == "reason" }?.value
        return PartingReason.allCases.first { $0.word == word } ?? .withdrawn
    }
}
