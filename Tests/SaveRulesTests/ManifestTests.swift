import SaveProperties
import SaveRules
import Testing
import TestSupport
import Vocabulary

@Suite("A manifest", .timeLimit(.minutes(5)))
struct ManifestTests {
    static let rich = Sample.manifest(
        Sample.folder("Saves", mode: 0o700),
        Sample.file("Saves/0.celeste", "a", "b", mode: 0o600, at: -3),
        Sample.file("Saves/empty"),
        Sample.folder("Saves/none"),
        Sample.link("Saves/newest", to: "./0.celeste"),
        Sample.link("Saves/up", to: "../settings"),
        Sample.file("Zoë 🎮", "a", mode: 0o777, at: 4_000_000_000),
        Sample.file("settings", "s")
    )

    private func fault(_ entries: ManifestEntry...) -> SaveFormatError.Fault? {
        do throws(SaveFormatError) {
            _ = try Manifest(entries)
            return nil
        } catch { return error.fault }
    }

    @Test("a manifest is read from its encoding, which there is one of")
    func roundTrip() throws {
        for manifest in [Self.rich, .empty] {
            #expect(try Manifest(decoding: manifest.encoded) == manifest)
        }
        #expect(Manifest.empty.encoded == Array("HUDMANI".utf8) + [1, 0])
    }

    @Test("a manifest finds the entry at a path, and the size of all")
    func lookUp() {
        for entry in Self.rich.entries { #expect(Self.rich[entry.path] == entry) }
        #expect(Self.rich[Sample.path("Saves/1")] == nil && Self.rich[Sample.path("zz")] == nil)
        #expect(Self.rich.size == ByteCount(400))
        #expect(Array(Self.rich.pieces).count == 4)
    }

    @Test("a manifest can't have a path twice, out of order, or in a missing folder")
    func order() {
        #expect(fault(Sample.file("a"), Sample.file("a")) == .outOfOrder)
        #expect(fault(Sample.file("b"), Sample.file("a")) == .outOfOrder)
        #expect(fault(Sample.file("a/b")) == .noFolderAround)
        #expect(fault(Sample.file("a"), Sample.file("a/b")) == .noFolderAround)
        #expect(fault(Sample.link("a", to: "b"), Sample.file("a/b")) == .noFolderAround)
        #expect(fault(Sample.folder("a"), Sample.file("a/b/c")) == .noFolderAround)
        #expect(
            fault(Sample.folder("a"), Sample.folder("a/b"), Sample.folder("c"), Sample.file("c/b/x")) == .noFolderAround
        )
        #expect(fault(Sample.folder("a"), Sample.folder("ab"), Sample.file("a/b")) == .outOfOrder)
        #expect(fault(Sample.folder("a"), Sample.folder("a/b"), Sample.file("a/b/c"), Sample.file("a/d")) == nil)
    }

    @Test("a manifest can't have a link that leads out, wherever the link was made")
    func links() throws {
        let target = try #require(LinkTarget("../../x".utf8, depth: 2))
        #expect(fault(Sample.folder("a"), ManifestEntry(Sample.path("a/l"), .link(target))) == .linkLeadsOut)
    }

    @Test("a million entries are taken, and of ten million the next is refused")
    func entryLimit() throws {
        var bytes = Self.bytes()
        for number in 0...Manifest.maximumEntryCount {
            bytes += [1, 0, 4]
            // The four bytes of a name: all printable, in the order of the numbers.
            for shift in [15, 10, 5, 0] { bytes.append(0x41 + UInt8(truncatingIfNeeded: number >> shift & 31)) }
            bytes += [1, 0xED]
        }
        let error = try #require(throws: SaveFormatError.self) { try Manifest(decoding: bytes) }
        #expect(error.fault == .tooManyEntries && error.offset == bytes.count)
    }

    @Test("a list of another machine is read as far as memory goes: 100,000 files fit, and a million don't")
    func memoryLimit() throws {
        let piece = PieceReference(PieceID(words: (1, 2, 3, 4)), length: 9)
        let file = SavedFile(mode: .readableFile, modified: FileTime(seconds: 0, nanoseconds: 0), pieces: [piece])
        let path = Sample.path("worlds and players and regions 1000000.dat")
        let save = try Manifest([ManifestEntry(path, .file(file))])
        #expect(save.memoryByteCount * 100_000 < Manifest.maximumForeignMemory)
        #expect(save.memoryByteCount * 1_000_000 > Manifest.maximumForeignMemory)
        let rich = Self.rich
        #expect(try Manifest(decoding: rich.encoded, memoryLimit: rich.memoryByteCount) == rich)
        let error = try #require(throws: SaveFormatError.self) {
            try Manifest(decoding: rich.encoded, memoryLimit: rich.memoryByteCount - 1)
        }
        #expect(error.fault == .listTooLong && error.offset != nil && error.nextStep.contains("--ignore"))
        // Bytes that can't fit are not read at all.
        let unread = try #require(throws: SaveFormatError.self) { try Manifest(decoding: rich.encoded, memoryLimit: 9) }
        #expect(unread.fault == .listTooLong && unread.offset == nil)
    }

    private static func bytes(_ parts: [UInt8]...) -> [UInt8] { Array("HUDMANI".utf8) + [1] + parts.flatMap { $0 } }
    private static let folderA: [UInt8] = [1, 0, 1, 0x61, 1, 0xED]

    @Test(
        "bytes of a stranger are refused by the rule that they break",
        arguments: [
            ([], SaveFormatError.Fault.foreign), (Array("HUDSNAP".utf8) + [1, 0], .foreign),
            (Array("HUDMANI".utf8) + [2, 0], .newerForm(2)), (Array("HUDMANI".utf8) + [0, 0], .foreign),
            (bytes(), .cutShort), (bytes([0, 0]), .bytesAfterTheEnd), (bytes([4]), .unknownEntry(4)),
            (bytes(folderA), .cutShort), (bytes(folderA, folderA, [0]), .outOfOrder),
            (bytes([1, 0, 2, 0x2E, 0x2E, 0, 0], [0]), .badPath(.name(.leadsElsewhere))),
            (bytes([1, 0, 2, 0x2F, 0x61, 0, 0], [0]), .badPath(.name(.empty))),
            (bytes([1, 0, 1, 0x61, 2, 0], [0]), .badMode),
            (bytes([1, 0xFF, 0xFF], [0]), .cutShort),
            (bytes([3, 0, 1, 0x61, 0, 2, 0x2E, 0x2E], [0]), .linkLeadsOut),
            (bytes([3, 0, 1, 0x61, 0, 1, 0x2F], [0]), .linkLeadsOut),
            (
                bytes([2, 0, 1, 0x61, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0], [0x3B, 0x9A, 0xCA, 0], [0, 0, 0, 0], [0]),
                .badTime
            ),
            (
                bytes([2, 0, 1, 0x61, 0, 0], [UInt8](repeating: 0, count: 12), [0xFF, 0xFF, 0xFF, 0xFF], [0]),
                .tooManyPieces
            ),
            (bytes([2, 0, 1, 0x61, 0, 0], [UInt8](repeating: 0, count: 12), [0, 0x3D, 0, 0], [0]), .cutShort),
            (
                bytes(
                    [2, 0, 1, 0x61, 0, 0],
                    [UInt8](repeating: 0, count: 12),
                    [0, 0, 0, 1],
                    [UInt8](repeating: 0, count: 36),
                    [0]
                ),
                .badPieceLength
            ),
        ] as [([UInt8], SaveFormatError.Fault)]
    )
    func refuses(bytes: [UInt8], fault: SaveFormatError.Fault) throws {
        let error = try #require(throws: SaveFormatError.self) { try Manifest(decoding: bytes) }
        #expect(error.fault == fault)
        #expect(error.offset != nil && !error.message.isEmpty && error.code.description.hasPrefix("save."))
    }

    @Test("every beginning of a manifest is refused, and every change is refused or read as it says")
    func mutations() {
        let bytes = Self.rich.encoded
        for count in 0..<bytes.count {
            #expect(throws: SaveFormatError.self) { try Manifest(decoding: Array(bytes.prefix(count))) }
        }
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<3_000 {
            var mutated = [0] + bytes
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 1..<mutated.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: mutated[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: mutated.remove(at: place)
                default: mutated.insert(UInt8.random(in: 0...255, using: &generator), at: place)
                }
            }
            #expect(SaveProperties.violation(for: mutated) == nil)
        }
    }
}

@Suite("The sizes of pieces", .timeLimit(.minutes(5)))
struct PieceSizesTests {
    @Test("a file of 1 GiB has about 16,384 pieces, a larger one larger pieces, up to 1 MiB")
    func sizes() {
        #expect(PieceSizes(forFileOf: 0).average == 64 << 10 && PieceSizes(forFileOf: 1 << 30).average == 64 << 10)
        #expect(PieceSizes(forFileOf: 1 << 30 + 1).average == 128 << 10)
        #expect(PieceSizes(forFileOf: 16 << 30).average == 1 << 20)
        let largest = PieceSizes(forFileOf: .max)
        #expect(largest.average == 1 << 20 && largest.minimum == 256 << 10)
        #expect(largest.maximum == PieceReference.lengths.upperBound && largest.wholeUpTo == 256 << 10)
    }
}
