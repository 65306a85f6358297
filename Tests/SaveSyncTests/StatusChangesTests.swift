import LinuxPlatform
import SaveRules
@testable import SaveSync
import Session
import TestSupport
import Testing
import Vocabulary

@Suite("Reports of states", .timeLimit(.minutes(3)))
@Engine
struct StatusChangesTests {
    private func untilReported(_ status: GameStatus, _ set: SaveSetID, by machine: SaveMachine) async throws {
        try await machine.next(in: set) { if case .status(status) = $0 { true } else { nil } }
    }

    @Test("A machine reports that the other one has its save, and that it has gone offline")
    func arrival() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        try await other.until(.inSync, set)
        try await untilReported(.inSync, set, by: one)
        try await one.save("chapter 2", in: set)
        try await untilReported(.sending, set, by: one)
        try await untilReported(.inSync, set, by: one)
        await other.stop()
        while try one.sharer(of: set)?.reach != .offline { try await untilReported(.inSync, set, by: one) }
        try await one.save("chapter 3", in: set)
        try await untilReported(.onlyHere, set, by: one)
        await one.stop()
    }

    @Test("A machine reports that another one is blocked, and that it is allowed again")
    func rights() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        try await other.until(.inSync, set)
        try await untilReported(.inSync, set, by: one)
        try await one.node.setPolicy(.block, for: other.id)
        try await untilReported(.notSyncing, set, by: one)
        try await one.node.setPolicy(.accept, for: other.id)
        try await untilReported(.inSync, set, by: one)
        await shared.stop()
    }

    @Test("A machine reports a pause on the other one")
    func pause() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        try await other.until(.inSync, set)
        try await untilReported(.inSync, set, by: one)
        try await other.engine.pausing.pause(set, for: nil)
        try await untilReported(.inSync, set, by: one)
        while try one.sharer(of: set)?.reach != .paused { try await untilReported(.inSync, set, by: one) }
        await shared.stop()
    }
}
