import LinuxPlatform
import SaveRules
@testable import SaveSync
@testable import Session
import Testing
import Vocabulary
import TestSupport

@Suite("A link that one side alone took for lost", .timeLimit(.minutes(5)))
struct OneSidedTests {
    /// The machine takes the other machines as offline for a while, but they notice nothing.
    @Engine
    private func suspects(
        _ machine: SaveMachine,
        in set: SaveSetID,
        meanwhile act: @Engine () async throws -> Void = {}
    ) async throws {
        let memberships = machine.node.peers.values.flatMap(\.memberships.values)
        for membership in memberships { membership.session.noteAway(membership.member, because: .lost) }
        while try !machine.engine.report(of: set).present.isEmpty { try await othersTurn() }
        try await act()
        for membership in memberships { membership.session.noteReturn(of: membership.member) }
    }

    @Test("a half-lost link leaves nothing behind: a save of either machine reaches the other")
    @Engine
    func suspicion() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        try await suspects(one, in: set)
        try await other.save("chapter 2", in: set)
        while one.place().texts() != ["slot": "chapter 2"] { try await one.untilApplied(in: set) }
        try await one.save("chapter 3", in: set)
        while other.place().texts() != ["slot": "chapter 3"] { try await other.untilApplied(in: set) }
        try await other.engine.play(of: set).untilQuiet()
        await shared.stop()
    }

    @Test("a machine that leaves a game during a half-lost link tells the other machine")
    @Engine
    func left() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        try await suspects(one, in: set) { try await one.engine.joining.leave(set) }
        while try other.sharer(of: set)?.part != .stopped { try await othersTurn() }
        await shared.stop()
    }
}
