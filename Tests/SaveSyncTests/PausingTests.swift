import LinuxPlatform
import Ledger
import SaveRules
@testable import SaveSync
import Session
import TestSupport
import Testing
import Vocabulary

@Suite("A paused game", .timeLimit(.minutes(3)))
@Engine
struct PausingTests {
    @Test("a paused game sends nothing, receives nothing, keeps its saves, and catches up after the pause")
    func nothingTravels() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        for machine in [one, other] { try await machine.until(.inSync, set) }
        try await one.engine.pausing.pause(set, for: nil)
        #expect(try one.status(of: set) == .notSyncing)
        try await one.save("chapter 2", in: set)
        #expect(try await one.engine.versions(of: set).latest().count == 2, "what it saves is kept here")
        while try other.sharer(of: set)?.reach != .paused { try await othersTurn() }
        #expect(other.place().texts() == ["slot": "chapter 1"])
        #expect(try other.status(of: set) == .inSync, "the paused machine held the newest that is known there")
        try await one.engine.pausing.resume(set)
        while other.place().texts() != ["slot": "chapter 2"] { try await othersTurn() }
        for machine in [one, other] { try await machine.until(.inSync, set) }
        await shared.stop()
    }

    @Test("a machine that leaves a game that it has paused is no longer waited for")
    @Engine
    func left() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        try await one.engine.pausing.pause(set, for: nil)
        while try other.sharer(of: set)?.reach != .paused { try await othersTurn() }
        try await one.engine.joining.leave(set)
        while try other.sharer(of: set)?.part != .stopped { try await othersTurn() }
        await shared.stop()
    }

    @Test("a save of another machine waits for the end of the pause, and that machine does not claim to send it")
    func nothingComes() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        for machine in [one, other] { try await machine.until(.inSync, set) }
        try await other.engine.pausing.pause(nil, for: nil)
        while try one.sharer(of: set)?.reach != .paused { try await othersTurn() }
        try await one.save("chapter 2", in: set)
        #expect(try one.status(of: set) == .onlyHere)
        #expect(other.place().texts() == ["slot": "chapter 1"])
        await #expect(throws: SaveSyncError.self) { try await other.engine.pausing.resume(set) }
        try await other.engine.pausing.resume(nil)
        while other.place().texts() != ["slot": "chapter 2"] { try await othersTurn() }
        for machine in [one, other] { try await machine.until(.inSync, set) }
        await shared.stop()
    }

    @Test("saves on both sides of a pause are a conflict after it, and none is lost")
    func conflict() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        for machine in [one, other] { try await machine.until(.inSync, set) }
        try await one.engine.pausing.pause(set, for: nil)
        while try other.sharer(of: set)?.reach != .paused { try await othersTurn() }
        try await one.save("mine", in: set)
        try await other.save("theirs", in: set)
        try await one.engine.pausing.resume(set)
        for machine in [one, other] { try await machine.until(.conflict, set) }
        #expect(one.place().texts() == ["slot": "mine"] && other.place().texts() == ["slot": "theirs"])
        await shared.stop()
    }

    @Test("a version that came before the pause stays out of the folder, and the user may still restore one")
    func restored() async throws {
        let shared = try await SharedSet.open()
        let (one, other, set) = (shared.one, shared.other, shared.set)
        try await other.until(.inSync, set)
        let game = try await other.engine.play(of: set).begin()
        try await one.save("chapter 2", in: set)
        while try other.status(of: set) != .waitingForGame { try await othersTurn() }
        try await other.engine.pausing.pause(set, for: nil)
        try await other.engine.play(of: set).end(game: game)
        try await other.engine.play(of: set).untilQuiet()
        #expect(other.place().texts() == ["slot": "chapter 1"])
        let newest = try #require(try other.heads(of: set).first)
        try await other.engine.editor(of: set).restore(newest)
        while other.place().texts() != ["slot": "chapter 2"] { try await othersTurn() }
        try await other.engine.pausing.resume(set)
        for machine in [one, other] { try await machine.until(.inSync, set) }
        await shared.stop()
    }

    @Test("a pause outlives a restart, and one whose time is over meanwhile does not")
    func restart() async throws {
        let (folder, away) = (TemporaryFolder.inMemory(), TemporaryFolder.inMemory())
        let other = try await SaveMachine.open("other", in: away)
        let (set, second) = try await SaveMachine.live("one", in: folder) { one in
            try await one.befriend(other)
            let set = try await one.add(["slot": "chapter 1"])
            let second = try await one.add(["slot": "1"], "second")
            try await one.share(set, with: other)
            try await one.engine.pausing.pause(set, for: .seconds(3600))
            var pauses = try await one.node.ledger.pauses()
            pauses.pause(second, until: WallTime.now.secondsSince1970 - 1)
            try await one.node.ledger.keep(pauses)
            return (set, second)
        }
        try await SaveMachine.live("one", in: folder) { one in
            one.place().put(Array("chapter 1".utf8), at: "slot")
            #expect(one.engine.pausing.pause(of: set) != nil && one.engine.pausing.pause(of: second) == nil)
            #expect(try one.status(of: set) == .notSyncing)
            while try other.sharer(of: set)?.reach != .paused { try await othersTurn() }
            try await one.engine.pausing.resume(set)
            try await one.until(.inSync, set)
        }
        await other.stop()
    }

    @Test("a pause ends by itself at its time")
    func ends() async throws {
        let machine = try await SaveMachine.open("one")
        let set = try await machine.add(["slot": "chapter 1"])
        try await machine.engine.pausing.pause(set, for: .seconds(1))
        #expect(try machine.status(of: set) == .notSyncing)
        try await machine.next(in: set) { if case .resumed = $0 { true } else { nil } }
        #expect(try machine.status(of: set) == .onlyHere)
        #expect(try await machine.node.ledger.pauses().isEmpty)
        await machine.stop()
    }
}
