import Glibc
import History
import LinuxPlatform
import SaveRules
@testable import SaveSync
import Session
import Synchronization
import TestSupport
import Testing
import Vocabulary

@Suite("A disk that is full", .timeLimit(.minutes(5)))
struct FullDiskTests {
    /// A machine whose history can write only where that is allowed.
    @Engine
    private static func open(_ isFull: FullDisk, in folder: TemporaryFolder) async throws -> SaveMachine {
        try await SaveMachine.open("one", in: folder) { configuration in
            let write = configuration.storeCalls.write
            configuration.storeCalls.write = { (file, bytes, offset) throws(SystemError) in
                if isFull.now.withLock({ $0 }) { throw SystemError("pwrite", ENOSPC) }
                try write(file, bytes, offset)
            }
        }
    }

    private final class FullDisk: Sendable {
        let now = Mutex(false)
    }

    @Test("a version that can't be kept is waited for, and so is one that overtakes it, which comes once there is room")
    @Engine
    func unkept() async throws {
        let disk = FullDisk()
        let one = try await Self.open(disk, in: .inMemory())
        let other = try await SaveMachine.open("other")
        try await one.befriend(other)
        let set = try await other.add(["slot": "chapter 1"])
        try await other.offer(set, to: one)
        try await one.join(set)
        try await one.untilApplied(in: set)
        disk.now.withLock { $0 = true }
        try await other.save("chapter 2", in: set)
        try await one.next(in: set) { if case .trouble = $0 { true } else { nil } }
        while try one.keeper.set(set).unkept.isEmpty { await Task.yield() }
        #expect(try one.keeper.report(of: set).isNewerUnkept)
        #expect(try await one.keeper.newest(of: set, within: .milliseconds(50)) == .late)
        try await other.save("chapter 3", in: set)
        let last = try #require(try other.heads(of: set).first)
        while try one.keeper.set(set).newer != [last] { await Task.yield() }
        #expect(one.place().texts() == ["slot": "chapter 1"])
        disk.now.withLock { $0 = false }
        try await one.untilApplied(last, in: set)
        #expect(one.place().texts() == ["slot": "chapter 3"])
        while try !one.keeper.set(set).unkept.isEmpty { await Task.yield() }
        #expect(try !one.keeper.report(of: set).isNewerUnkept)
        #expect(try await one.keeper.store.expected(of: set).isEmpty)
        await one.stop()
        await other.stop()
    }
}
