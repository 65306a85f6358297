import LinuxPlatform
@testable import SaveFolder
import Testing
import Vocabulary

@Suite("Times as disks keep them", .timeLimit(.minutes(1)))
struct FileTimeTests {
    private static let meant = FileTime(seconds: 1_700_000_001, nanoseconds: 123_456_789)

    @Test(
        "a time may have been cut to what the file system has room for",
        arguments: [
            (1_700_000_001, 123_456_789), (1_700_000_001, 0), (1_700_000_000, 0), (1_700_000_001, 120_000_000),
            (1_700_000_001, 123_456_700),
        ] as [(Int64, UInt32)]
    )
    func kept(seconds: Int64, nanoseconds: UInt32) {
        #expect(FileTime(seconds: seconds, nanoseconds: nanoseconds).isKept(of: Self.meant))
    }

    @Test(
        "another time is another",
        arguments: [
            (1_700_000_001, 123_456_788), (1_700_000_001, 123_456_500), (1_700_000_001, 100_000_000),
            (1_699_999_999, 0), (1_700_000_004, 0),
        ] as [(Int64, UInt32)]
    )
    func other(seconds: Int64, nanoseconds: UInt32) {
        #expect(!FileTime(seconds: seconds, nanoseconds: nanoseconds).isKept(of: Self.meant))
    }
}
