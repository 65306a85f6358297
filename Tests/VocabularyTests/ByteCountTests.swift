import Testing
import Vocabulary

@Suite("Byte count", .timeLimit(.minutes(5)))
struct ByteCountTests {
    @Test(
        "A byte count prints in the largest exact unit",
        arguments: [
            (UInt64(0), "0B"), (1, "1B"), (1000, "1000B"), (1023, "1023B"), (1024, "1KiB"), (1536, "1536B"),
            (65536, "64KiB"),
            (1 << 20, "1MiB"), (1 << 30, "1GiB"), (3 << 40, "3TiB"), (1 << 50, "1PiB"), (1 << 63, "8EiB"),
            (UInt64.max, "18446744073709551615B"),
        ]
    )
    func description(_ bytes: UInt64, _ text: String) {
        #expect(ByteCount(bytes).description == text)
    }

    @Test(
        "A rounded byte count has two or three digits, and is rounded down",
        arguments: [
            (UInt64(0), "0 B"), (999, "999 B"), (1000, "0.9 KiB"), (3_250_000, "3.0 MiB"), (420 << 20, "420 MiB"),
            (994_247_992 << 10, "948 GiB"), (UInt64.max, "16 EiB"),
        ]
    )
    func rounded(_ bytes: UInt64, _ text: String) {
        #expect(ByteCount(bytes).rounded == text)
    }

    @Test("Byte counts compare by size")
    func order() {
        #expect(ByteCount(1) < ByteCount(2))
        #expect(ByteCount(2) == ByteCount(2))
        #expect([ByteCount(3), ByteCount(1)].max() == ByteCount(3))
    }
}
