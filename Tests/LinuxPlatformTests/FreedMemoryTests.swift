import CLinux
import Glibc
import LinuxPlatform
import Testing

@Suite("Freed memory", .serialized, .timeLimit(.minutes(4)))
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

    @Test("what lies free at the end of another thread's heap is the machine's again")
    func givesBackTheEnd() async throws {
        let (before, after) = try await runBlocking("heap") { @Sendable () -> (Int, Int) in
            // What is taken beside the rooms is there already at the second time, or the heap would end in it.
            _ = Self.residentAroundGivingBack(rooms: 1)
            return Self.residentAroundGivingBack(rooms: 96)
        }
        #expect(before > 64)
        // A little stays, for what comes next.
        #expect(after < 8)
    }

    /// How many of some rooms that were freed have memory, before and after.
    private static func residentAroundGivingBack(rooms count: Int) -> (Int, Int) {
        // As the C library has it by itself where a large block was freed.
        _ = mallopt(M_TRIM_THRESHOLD, 64 << 20)
        var places: [UInt] = []
        places.reserveCapacity(96)
        var rooms = (0..<count).map { _ in [UInt8](repeating: 1, count: 32 << 10) }
        // The page after the first, which what lies before it may need.
        for room in rooms { places.append(room.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) + 8_192 }) }
        rooms.removeAll()
        let before = places.count(where: isResident)
        FreedMemory.giveBack()
        return (before, places.count(where: isResident))
    }

    /// Whether the page there has memory.
    private static func isResident(_ place: UInt) -> Bool {
        let page = place & ~UInt(getpagesize() - 1)
        var isThere: UInt8 = 0
        return mincore(UnsafeMutableRawPointer(bitPattern: page), 1, &isThere) == 0 && isThere & 1 == 1
    }
}
