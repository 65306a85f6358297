import LinuxPlatform
import TestSupport
import Testing
import Vocabulary

@Suite("A file's lock for its writer")
struct LockedFileTests {
    let temporary = TemporaryFolder()

    private func isFree() throws -> Bool {
        try temporary.opened().openOrCreate(FileName("file")).lockedForWriting() != nil
    }

    @Test("is had by one at a time, and free again when the one lets go")
    func oneAtATime() throws {
        do {
            guard let locked = try temporary.opened().openOrCreate(FileName("file")).lockedForWriting() else {
                Issue.record("nobody else has it")
                return
            }
            #expect(try locked.descriptor.facts().size == 0)
            #expect(try !isFree())
            _ = consume locked
        }
        #expect(try isFree())
    }

    @Test("is free when its holder lets go, though a child holds a copy of the descriptor")
    func copied() throws {
        guard let locked = try temporary.opened().openOrCreate(FileName("file")).lockedForWriting() else {
            Issue.record("nobody else has it")
            return
        }
        // What a fork leaves in the child until it becomes another program.
        let copy = try locked.descriptor.duplicate()
        _ = consume locked
        #expect(try isFree())
        #expect(try copy.facts().size == 0)
    }
}
