import LinuxPlatform
@testable import SaveFolder
import SaveRules
import Testing
import Vocabulary

@Suite("File times on different disks", .timeLimit(.minutes(1)))
struct FileTimeTests {
    private static let meant = FileTime(seconds: 1_700_000_001, nanoseconds: 123_456_789)

    @Test(
        "A time may be truncated to the resolution of the file system",
        arguments: [
            (1_700_000_001, 123_456_789), (1_700_000_001, 0), (1_700_000_000, 0), (1_700_000_001, 120_000_000),
            (1_700_000_001, 123_456_700),
        ] as [(Int64, UInt32)]
    )
    func kept(seconds: Int64, nanoseconds: UInt32) {
        #expect(FileTime(seconds: seconds, nanoseconds: nanoseconds).isKept(of: Self.meant))
    }

    @Test("A file time truncated to whole seconds does not cause a rewrite")
    func keptFiles() throws {
        func manifest(_ time: FileTime, _ mode: FileMode = .readableFile, length: Int = 5) throws -> Manifest {
            let piece = PieceReference(PieceID(words: (1, 2, 3, 4)), length: length)
            let file = SavedFile(mode: mode, modified: time, pieces: [piece])
            return try Manifest([ManifestEntry(try SavePath("save"), .file(file))])
        }
        let (wanted, there) = (try manifest(Self.meant), try manifest(FileTime(seconds: 1_700_000_001, nanoseconds: 0)))
        #expect(wanted.kept(by: there) == there)
        #expect(wanted.kept(by: .empty) == wanted)
        let earlier = try manifest(FileTime(seconds: 1_699_999_990, nanoseconds: 0))
        let others = [earlier, try manifest(there.entries[0].file?.modified ?? .now, .program)]
        for other in others { #expect(wanted.kept(by: other) == wanted) }
        let longer = try manifest(FileTime(seconds: 1_700_000_001, nanoseconds: 0), length: 6)
        #expect(wanted.kept(by: longer) == wanted)
    }

    @Test(
        "A different time is recognised",
        arguments: [
            (1_700_000_001, 123_456_788), (1_700_000_001, 123_456_500), (1_700_000_001, 100_000_000),
            (1_699_999_999, 0), (1_700_000_004, 0),
        ] as [(Int64, UInt32)]
    )
    func other(seconds: Int64, nanoseconds: UInt32) {
        #expect(!FileTime(seconds: seconds, nanoseconds: nanoseconds).isKept(of: Self.meant))
    }

    @Test(
        "A time beyond the range of the disk is stored as its limit",
        arguments: [
            (0, 315_532_800), (0, 315_525_600), (-3_000_000_000, -2_147_483_648), (9_000_000_000, 4_354_819_198),
            (3_000_000_000, 2_147_483_647), (20_000_000_000, 15_032_385_535),
        ] as [(Int64, Int64)]
    )
    func clamped(meant: Int64, kept: Int64) {
        let meant = FileTime(seconds: meant, nanoseconds: 5)
        #expect(FileTime(seconds: kept, nanoseconds: 0).isKept(of: meant))
        #expect(!FileTime(seconds: kept + 200_000, nanoseconds: 0).isKept(of: meant))
    }
}
