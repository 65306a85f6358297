import CLinux
import Glibc
import LinuxPlatform
import Testing

@Suite("Freed memory", .serialized, .timeLimit(.minutes(4)))
struct FreedMemoryTests {
    @Test("Freed memory returns to the system, and the program continues without its pages")
    func givesBack() throws {
        var rooms = (0..<32_768).map { _ in Scratch(byteCount: 4_096) }
        for scratch in rooms { scratch.room.initializeMemory(as: UInt8.self, repeating: 1) }
        // The remaining block is above the rest, which the C library would otherwise return by itself.
        rooms.removeFirst(rooms.count - 1)
        let before = try Int(#require(ResidentMemory.byteCount))
        FreedMemory.giveBack()
        let after = try Int(#require(ResidentMemory.byteCount))
        #expect(before - after > 64 << 20)
        #expect(rooms[0].room.allSatisfy { $0 == 1 })
    }

    @Test("Free memory at the end of another thread's heap returns to the system")
    func givesBackTheEnd() async throws {
        let (before, after) = try await runBlocking("heap") { @Sendable () -> (Int, Int) in
            // Memory beside the blocks exists already the second time; otherwise the heap would end in it.
            _ = Self.residentAroundGivingBack(rooms: 1)
            return Self.residentAroundGivingBack(rooms: 96)
        }
        #expect(before > 64)
        // A little stays for later allocations.
        #expect(after < 8)
    }

    /// Number of freed blocks that still have memory, before and after.
    private static func residentAroundGivingBack(rooms count: Int) -> (Int, Int) {
        // As the C library does by itself after freeing a large block.
        _ = mallopt(M_TRIM_THRESHOLD, 64 << 20)
        var places: [UInt] = []
        places.reserveCapacity(96)
        var rooms = (0..<count).map { _ in [UInt8](repeating: 1, count: 32 << 10) }
        // The page after the first, which the memory before it may need.
        for room in rooms { places.append(room.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) + 8_192 }) }
        rooms.removeAll()
        let before = places.count(where: isResident)
        FreedMemory.giveBack()
        return (before, places.count(where: isResident))
    }

    /// True if the page there has memory.
    private static func isResident(_ place: UInt) -> Bool {
        let page = place & ~UInt(getpagesize() - 1)
        var isThere: UInt8 = 0
        return mincore(UnsafeMutableRawPointer(bitPattern: page), 1, &isThere) == 0 && isThere & 1 == 1
    }
}
