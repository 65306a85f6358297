import LinuxPlatform
import TestSupport
import Testing
import Vocabulary

@Suite("Lock of a file")
struct LockedFileTests {
    let temporary = TemporaryFolder()

    private func isFree() throws -> Bool {
        try temporary.opened().openOrCreate(FileName("file")).lockedForWriting() != nil
    }

    @Test("A lock has one holder at a time, and is free after its release")
    func oneAtATime() throws {
        do {
            guard let locked = try temporary.opened().openOrCreate(FileName("file")).lockedForWriting() else {
                Issue.record("the lock is free")
                return
            }
            #expect(try locked.descriptor.facts().size == 0)
            #expect(try !isFree())
            _ = consume locked
        }
        #expect(try isFree())
    }

    @Test("A lock is free after its release, although a child has a copy of the descriptor")
    func copied() throws {
        guard let locked = try temporary.opened().openOrCreate(FileName("file")).lockedForWriting() else {
            Issue.record("the lock is free")
            return
        }
        // The state of a forked child until it executes.
        let copy = try locked.descriptor.duplicate()
        _ = consume locked
        #expect(try isFree())
        #expect(try copy.facts().size == 0)
    }
}
