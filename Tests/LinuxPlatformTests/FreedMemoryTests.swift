import LinuxPlatform
import Testing

@Suite("Freed memory", .timeLimit(.minutes(4)))
struct FreedMemoryTests {
    @Test("what was freed is the machine's again, and the program goes on without the pages that it let go of")
    func givesBack() throws {
        var rooms = (0..<32_768).map { _ in Scratch(byteCount: 4_096) }
        for scratch in rooms { scratch.room.initializeMemory(as: UInt8.self, repeating: 1) }
        // What stays is above the rest, which the C library would give back by itself otherwise.
        rooms.removeFirst(rooms.count - 1)
        let before = try Int(#require(ResidentMemory.byteCount))
        FreedMemory.giveBack()
        let after = try Int(#require(ResidentMemory.byteCount))
        #expect(before - after > 64 << 20)
        #expect(rooms[0].room.allSatisfy { $0 == 1 })
    }
}
