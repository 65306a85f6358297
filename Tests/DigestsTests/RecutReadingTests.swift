import Digests
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

@Suite("Bytes read of a file that is cut again", .timeLimit(.minutes(10)))
struct RecutReadingTests {
    /// A large file, scaled down: changes of a length, at a distance from each other.
    private struct Scene {
        static let size = 16_000_000
        static let cutter = PieceCutter(minimum: 1 << 10, average: 4 << 10, maximum: 16 << 10)
        private let before = randomBytes(size, seed: 1)
        private let known: [KnownPiece]
        private let folder = TemporaryFolder()

        init() { known = Self.cutter.pieces(of: before) }

        /// How many bytes the process has read for it. Nothing else may go on in it.
        func bytesRead(changing length: Int, every distance: Int) throws -> Int {
            var after = before
            for start in stride(from: distance, to: after.count - length, by: distance) {
                after.replaceSubrange(start..<(start + length), with: randomBytes(length, seed: UInt64(start)))
            }
            let file = try folder.opened().create(FileName("changed-\(length)-\(distance)"))
            try after.withUnsafeBytes { try file.write($0, at: 0) }
            let start = OwnProcess.bytesRead()
            var pieces: [KnownPiece] = []
            _ = try FileCutter().pieces(of: file, size: UInt64(after.count), cutBy: Self.cutter, knowing: known) {
                switch $0 {
                case .known(let number): pieces.append(known[number])
                case .new(let piece): pieces.append(KnownPiece(piece.digest, length: piece.bytes.count))
                }
            }
            let count = OwnProcess.bytesRead() - start
            precondition(pieces == Self.cutter.pieces(of: after), "\(length) every \(distance)")
            return count
        }
    }

    @Test("Cutting again reads at most about twice the file, for any number and place of changes")
    func bounded() async {
        await #expect(processExitsWith: .success) {
            let scene = Scene()
            for distance in [6_000, 20_000, 70_000, 250_000, 1_000_000] {
                for length in [1, 3_000, 40_000] where length < distance {
                    let count = try scene.bytesRead(changing: length, every: distance)
                    precondition(count <= 2 * Scene.size, "\(length) every \(distance): \(count)")
                }
            }
        }
    }

    @Test("Cutting again reads little more than the file if one place in it has changed")
    func oneChange() async {
        await #expect(processExitsWith: .success) {
            let count = try Scene().bytesRead(changing: 1, every: Scene.size / 2)
            precondition(count <= Scene.size + (1 << 20), "\(count)")
        }
    }
}
