import Digests
import Glibc
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

@Suite("Cutting files", .timeLimit(.minutes(10)))
struct FileCutterTests {
    private let cutter = PieceCutter(minimum: 16 << 10, average: 64 << 10, maximum: 256 << 10)
    private let folder = TemporaryFolder()

    private func file(_ bytes: [UInt8]) throws -> OwnedDescriptor {
        let file = try folder.opened().create(FileName("file"))
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
        return file
    }

    /// The lengths and digests in the order in which they were handed over.
    private func pieces(_ file: borrowing OwnedDescriptor, _ size: Int) throws -> (
        found: [(Int, SHA256Digest)], count: UInt64
    ) {
        var found: [(Int, SHA256Digest)] = []
        let count = try FileCutter().pieces(of: file, size: UInt64(size), cutBy: cutter) {
            found.append(($0.bytes.count, $0.digest))
        }
        return (found, count)
    }

    @Test(
        "a file's pieces are those of its bytes, in order, whatever its size",
        arguments: [0, 1, 16_384, 16_385, 262_144, 262_145, 1_048_576, 1_310_720, 5_000_000, 12_345_678]
    )
    func matchesBytes(size: Int) throws {
        let bytes = randomBytes(size, seed: UInt64(size))
        let result = try pieces(file(bytes), size)
        let ends = bytes.withUnsafeBytes { cutter.ends(of: $0) }
        #expect(result.count == UInt64(size))
        #expect(result.found.map(\.0) == zip(ends, [0] + ends).map { $0 - $1 })
        #expect(result.found.map(\.1.bytes) == zip([0] + ends, ends).map { Digest.sha256(Array(bytes[$0..<$1])) })
    }

    @Test("a file that is shorter than it was says so, and one that is longer is read as far as it was known")
    func otherSize() throws {
        let bytes = randomBytes(3_000_000, seed: 9)
        let result = try pieces(file(bytes), 4_000_000)
        #expect(result.count == 3_000_000 && result.found.reduce(0) { $0 + $1.0 } == 3_000_000)
        unlink(folder.path(of: "file"))
        let part = try pieces(file(bytes), 2_000_000)
        #expect(part.count == 2_000_000 && part.found.reduce(0) { $0 + $1.0 } == 2_000_000)
    }

    @Test("whoever has had enough is not given more, and the file is left alone at once", arguments: [0, 1, 30])
    func abandoned(after count: Int) throws {
        struct Enough: Error {}
        let file = try file(randomBytes(8_000_000, seed: 5))
        var seen = 0
        #expect(throws: Enough.self) {
            _ = try FileCutter().pieces(of: file, size: 8_000_000, cutBy: cutter) { _ in
                guard seen < count else { throw Enough() }
                seen += 1
            }
        }
        #expect(seen == count)
    }

    @Test("a file that can't be read says why")
    func unreadable() throws {
        let number = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        let file = OwnedDescriptor(takingOwnershipOf: number)
        #expect(throws: SystemError.self) {
            _ = try FileCutter().pieces(of: file, size: 8_000_000, cutBy: cutter) { _ in }
        }
    }
}
