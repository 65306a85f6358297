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

    @Test("A caller that throws receives no further pieces, and the file is read no further", arguments: [0, 1, 30])
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

@Suite("Cutting files again", .timeLimit(.minutes(10)))
struct RecutTests {
    private let cutter = PieceCutter(minimum: 64, average: 256, maximum: 1_024)
    private let folder = TemporaryFolder()

    private func known(_ bytes: [UInt8]) -> [KnownPiece] { cutter.pieces(of: bytes) }

    /// The pieces of changed bytes that are cut again, and the number of bytes handed over as new.
    private func recut(_ bytes: [UInt8], knowing known: [KnownPiece], size: Int? = nil) throws -> (
        pieces: [KnownPiece], newByteCount: Int, count: UInt64
    ) {
        let path = folder.path(of: "file")
        unlink(path)
        let file = try folder.opened().create(FileName("file"))
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
        var (pieces, newByteCount) = ([KnownPiece](), 0)
        let size = UInt64(size ?? bytes.count)
        let count = try FileCutter().pieces(of: file, size: size, cutBy: cutter, knowing: known) { piece in
            switch piece {
            case .known(let number): pieces.append(known[number])
            case .new(let piece):
                pieces.append(KnownPiece(piece.digest, length: piece.bytes.count))
                newByteCount += piece.bytes.count
            }
        }
        return (pieces, newByteCount, count)
    }

    @Test("a file that has changed has the same pieces as if nothing had been known of it", arguments: 1...20)
    func sameAsAgain(seed: Int) throws {
        var dice = SeededGenerator(seed: UInt64(seed))
        for round in 0..<50 {
            let before = Edit.bytes(Int.random(in: 0...40_000, using: &dice), &dice)
            var after = before
            for _ in 0..<Int.random(in: 0...4, using: &dice) { Edit.random(using: &dice).change(&after, &dice) }
            let found = try recut(after, knowing: known(before))
            #expect(found.pieces == known(after), "seed \(seed), round \(round)")
            #expect(found.count == UInt64(after.count))
        }
    }

    @Test("a small change in a large file makes a few pieces new, wherever the bytes behind it move")
    func isLocal() throws {
        var dice = SeededGenerator(seed: 3)
        let before = randomBytes(3_000_000, seed: 3)
        for edit in [Edit.overwrite, .insert, .remove] {
            var after = before
            edit.change(&after, &dice)
            let found = try recut(after, knowing: known(before))
            #expect(found.pieces == known(after))
            #expect(found.newByteCount < 8_000, "\(edit)")
        }
    }

    @Test("known pieces that no cutting would give are not taken over")
    func notCutLikeThat() throws {
        let bytes = randomBytes(50_000, seed: 4)
        let pieces = stride(from: 0, to: bytes.count, by: 500).map { start in
            KnownPiece(bytes[start..<(start + 500)].withUnsafeBytes { DigestedBytes($0) }.digest, length: 500)
        }
        #expect(try recut(bytes, knowing: pieces).pieces == known(bytes))
        let whole = [KnownPiece(bytes.withUnsafeBytes { DigestedBytes($0) }.digest, length: bytes.count)]
        #expect(try recut(bytes, knowing: whole).pieces == known(bytes))
    }

    @Test("a file that has become shorter while it is read says so")
    func shorter() throws {
        let bytes = randomBytes(90_000, seed: 5)
        for count in [0, 1, 40_000, 89_999] {
            let found = try recut(Array(bytes.prefix(count)), knowing: known(bytes), size: bytes.count)
            #expect(found.count == UInt64(count))
            #expect(found.pieces.reduce(0) { $0 + $1.length } == count)
        }
    }

    @Test("A caller that throws receives no further pieces of a file that was known")
    func abandoned() throws {
        struct Enough: Error {}
        let bytes = randomBytes(90_000, seed: 6)
        let file = try folder.opened().create(FileName("known"))
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
        var seen = 0
        #expect(throws: Enough.self) {
            _ = try FileCutter().pieces(of: file, size: 90_000, cutBy: cutter, knowing: known(bytes)) { _ in
                guard seen < 7 else { throw Enough() }
                seen += 1
            }
        }
        #expect(seen == 7)
    }
}

extension PieceCutter {
    /// The pieces that bytes are cut into.
    func pieces(of bytes: [UInt8]) -> [KnownPiece] {
        let ends = bytes.withUnsafeBytes { self.ends(of: $0) }
        return zip([0] + ends, ends).map { start, end in
            KnownPiece(bytes[start..<end].withUnsafeBytes { DigestedBytes($0) }.digest, length: end - start)
        }
    }
}

/// A change of a file between two cuttings.
private enum Edit: CaseIterable {
    case overwrite, insert, remove, cutOff, append, repeatPart, zero, moveAround

    static func random(using dice: inout SeededGenerator) -> Edit { allCases.randomElement(using: &dice) ?? .append }

    /// Like chance, with stretches of nothing now and then.
    static func bytes(_ count: Int, _ dice: inout SeededGenerator) -> [UInt8] {
        var bytes = randomBytes(count, seed: dice.next())
        if Bool.random(using: &dice) { zero.change(&bytes, &dice) }
        return bytes
    }

    func change(_ bytes: inout [UInt8], _ dice: inout SeededGenerator) {
        let start = Int.random(in: 0...bytes.count, using: &dice)
        let length = Int.random(in: 0...min(3_000, bytes.count - start), using: &dice)
        let part = start..<(start + length)
        switch self {
        case .overwrite: bytes.replaceSubrange(part, with: randomBytes(length, seed: dice.next()))
        case .insert: bytes.insert(contentsOf: randomBytes(length, seed: dice.next()), at: start)
        case .remove: bytes.removeSubrange(part)
        case .cutOff: bytes.removeSubrange(start...)
        case .append: bytes += randomBytes(length, seed: dice.next())
        case .repeatPart: bytes.insert(contentsOf: bytes[part], at: start)
        case .zero: bytes.replaceSubrange(part, with: Array(repeating: 0, count: min(length * 3, 9_000)))
        case .moveAround: bytes = Array(bytes[start...] + bytes[..<start])
        }
    }
}
