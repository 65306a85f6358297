import Glibc
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

@testable import Resources

/// A pack built byte by byte, as a hostile peer could.
struct PackBytes {
    var bytes: [UInt8] = PackRecord.magic + PackBytes.stamp

    static let stamp: [UInt8] = [0x01, 0xED] + Array(repeating: 0, count: 12)

    func entry(_ tag: UInt8, _ name: [UInt8], _ rest: [UInt8] = []) -> PackBytes {
        PackBytes(bytes: bytes + [tag, UInt8(name.count)] + name + Self.stamp + rest)
    }

    func folder(_ name: String) -> PackBytes { entry(1, Array(name.utf8)) }

    func file(_ name: String, _ content: [UInt8] = [], size: UInt64? = nil) -> PackBytes {
        entry(2, Array(name.utf8), (size ?? UInt64(content.count)).bigEndianBytes + content)
    }

    func link(_ name: String, to target: String) -> PackBytes {
        entry(3, Array(name.utf8), UInt16(target.utf8.count).bigEndianBytes + Array(target.utf8))
    }

    func raw(_ more: UInt8...) -> PackBytes { PackBytes(bytes: bytes + more) }

    var leave: PackBytes { raw(4) }
    var end: PackBytes { raw(0) }
}

/// Packs of hostile peers with their defects.
enum HostilePacks {
    static let all: [(PackBytes, PackDefect)] = [
        (PackBytes().file(".."), .badName), (PackBytes().file("."), .badName), (PackBytes().file(""), .badName),
        (PackBytes().file("../x"), .badName), (PackBytes().file("/etc/passwd"), .badName),
        (PackBytes().file("a\0b"), .badName), (PackBytes().file("a\nb"), .badName),
        (PackBytes().entry(2, [0xFF], Array(repeating: 0, count: 8)), .badName),
        (PackBytes().folder("a/b"), .badName), (PackBytes().link("../x", to: "y"), .badName),
        (PackBytes().file("a").file("a"), .outOfOrder), (PackBytes().file("b").file("a"), .outOfOrder),
        (PackBytes().file("a").folder("a"), .outOfOrder), (PackBytes().link("a", to: "b").folder("a"), .outOfOrder),
        (PackBytes().folder("a").leave.folder("a"), .outOfOrder),
        (PackBytes().leave, .leftTooOften), (PackBytes().folder("a").leave.leave, .leftTooOften),
        (PackBytes().raw(9), .unknownRecord(9)), (PackBytes().raw(255), .unknownRecord(255)),
        (PackBytes().folder("a").end, .endedWithin), (PackBytes().end.raw(0), .endedWithin),
        (PackBytes().file("a", size: .max).end, .largerThanTheWhole),
        (PackBytes().file("a", [1, 2], size: 4).end, .largerThanTheWhole),
        (PackBytes().link("a", to: "/etc"), .linkLeadsOut), (PackBytes().link("a", to: ".."), .linkLeadsOut),
        (PackBytes().folder("d").link("a", to: "../.."), .linkLeadsOut),
        (PackBytes().link("a", to: ""), .linkLeadsOut), (PackBytes().link("a", to: "b/../.."), .linkLeadsOut),
        (PackBytes().link("a", to: "b\0"), .linkLeadsOut),
        (PackBytes().entry(3, [65], [0xFF, 0xFF]), .linkLeadsOut),
        (PackBytes(bytes: Array("HUDPACK\u{2}".utf8) + PackBytes.stamp), .notAPack),
        (PackBytes(bytes: Array(repeating: 0, count: 22)), .notAPack),
        (PackBytes(bytes: PackRecord.magic + Array(repeating: 0xFF, count: 14)), .badTime),
    ]
}

@Suite("Pack reader", .timeLimit(.minutes(10)))
struct PackReaderTests {
    private func outcome(_ pack: PackBytes, pieces: Int = 3, entries: Int = 1_000) -> PackReader.Outcome {
        pack.bytes.withUnsafeBytes { PackReader.outcome(of: $0, inPiecesOf: pieces, entries: entries) }
    }

    @Test("Hostile packs are refused with their defect", arguments: 0..<HostilePacks.all.count)
    func isRefused(index: Int) {
        let (pack, defect) = HostilePacks.all[index]
        for pieces in [1, 7, 10_000] {
            #expect(outcome(pack, pieces: pieces).defect == defect, "in pieces of \(pieces)")
        }
    }

    @Test("Depth and number of entries have limits")
    func limits() {
        var pack = PackBytes()
        for _ in 0..<PackLimits.depth { pack = pack.folder("d") }
        #expect(outcome(pack).defect == nil && outcome(pack).deepest == PackLimits.depth)
        #expect(outcome(pack.folder("d")).defect == .tooDeep)
        #expect(outcome(PackBytes().file("a").file("b"), entries: 1).defect == .tooManyEntries)
        #expect(outcome(PackBytes().file("a"), entries: 0).defect == .tooManyEntries)
    }

    @Test("A valid pack gives the same result in pieces of any size")
    func sound() {
        let pack = PackBytes().file("a", [1, 2, 3]).folder("b").file("x").link("y", to: "../a").leave.file("c", [9]).end
        let whole = outcome(pack, pieces: 100_000)
        #expect(
            whole.defect == nil && whole.hasEnded && whole.records == 8 && whole.contentBytes == 4
                && whole.fileEnds == 3
        )
        for pieces in 1...60 { #expect(outcome(pack, pieces: pieces) == whole) }
    }

    @Test("Records are read back unchanged")
    func records() throws {
        let stamp = ResourceStamp(
            mode: FileMode(rawValue: 0o741),
            modified: FileTime(seconds: -9, nanoseconds: 999_999_999)
        )
        let target = try #require(LinkTarget(Array("../é".utf8), depth: 1))
        let records: [PackRecord] = [
            .root(stamp), .folder(try FileName("é"), stamp), .file(try FileName("a"), stamp, size: 0),
            .link(try FileName("b"), stamp, target), .leave, .end,
        ]
        let bytes = records.flatMap(\.bytes)
        #expect(bytes.count == records.reduce(0) { $0 + $1.byteCount })
        var reader = PackReader(total: UInt64(bytes.count), entries: 3)
        var read: [PackRecord] = []
        try bytes.withUnsafeBytes { all in
            var input = all
            while let event = try reader.next(&input) { if case .record(let record) = event { read.append(record) } }
        }
        #expect(read == records)
    }

    @Test(
        "For any bytes the reader ends, and the size of the pieces makes no difference",
        arguments: 0..<40 as Range<UInt64>
    )
    func mutated(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        let sound = PackBytes().file("a", [1, 2, 3]).folder("b").file("x", [7, 7]).link("y", to: "../a").leave.file(
            "c",
            [9]
        ).end
        for _ in 0..<60 {
            var pack = sound
            for _ in 0...Int.random(in: 0...3, using: &dice) {
                let place = Int.random(in: 0..<pack.bytes.count, using: &dice)
                switch Int.random(in: 0..<4, using: &dice) {
                case 0: pack.bytes[place] = UInt8.random(in: 0...255, using: &dice)
                case 1: pack.bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
                case 2: pack.bytes.insert(UInt8.random(in: 0...4, using: &dice), at: place)
                default: pack.bytes.remove(at: place)
                }
            }
            let whole = outcome(pack, pieces: 100_000)
            let cut = outcome(pack, pieces: Int.random(in: 1...30, using: &dice))
            #expect(whole == cut, "seed \(seed): \(pack.bytes)")
        }
    }
}

@Suite("Hostile folder at the sink", .timeLimit(.minutes(10)))
struct HostileFolderTests {
    private func offer(_ pack: PackBytes, entries: Int = 100) throws -> ResourceOffer {
        let identity = try #require(ResourceIdentity(bytes: Array(repeating: 3, count: 16)))
        return ResourceOffer(
            name: try FileName("saves"),
            kind: .folder,
            totalBytes: UInt64(pack.bytes.count),
            entryCount: entries,
            identity: identity,
            stamp: nil
        )
    }

    @Test("A hostile folder is refused, and nothing is written outside", arguments: 0..<HostilePacks.all.count)
    func refused(index: Int) throws {
        let pack = HostilePacks.all[index].0
        let around = TemporaryFolder()
        let into = around.path(of: "into")
        mkdir(into, 0o755)
        let sink = try ResourceSink(for: offer(pack), from: Transfer.sender, into: into)
        _ = try sink.held()
        try sink.start(at: 0)
        #expect(refusal("resource.bad-pack") { try pack.bytes.withUnsafeBytes { try sink.write($0) } })
        try sink.abandon(keepingPartial: false)
        #expect(around.names() == ["into"])
        #expect(try Folder(at: into).entries(limit: 10).isEmpty)
    }

    @Test("A link in the tree is never followed, even if another program planted it")
    func plantedLink() throws {
        let around = TemporaryFolder()
        let into = around.path(of: "into")
        mkdir(into, 0o755)
        mkdir(around.path(of: "outside"), 0o755)
        let pack = PackBytes().folder("d").file("x", [1]).leave.end
        let sink = try ResourceSink(for: offer(pack), from: Transfer.sender, into: into)
        _ = try sink.held()
        try sink.start(at: 0)
        let partial = try #require(try Folder(at: into).entries(limit: 10).first?.name)
        symlink(around.path(of: "outside"), "\(into)/\(partial)/tree/d")
        #expect(throws: ResourceError.self) { try pack.bytes.withUnsafeBytes { try sink.write($0) } }
        #expect(try Folder(at: around.path(of: "outside")).entries(limit: 10).isEmpty)
    }

    @Test("A pack that ends before its total is not accepted")
    func neverEnds() throws {
        let into = TemporaryFolder()
        let pack = PackBytes().folder("d").file("x", [1])
        let sink = try ResourceSink(for: offer(pack), from: Transfer.sender, into: into.path)
        _ = try sink.held()
        try sink.start(at: 0)
        // The byte of content leaves none for the end record.
        #expect(refusal("resource.bad-pack") { try pack.bytes.withUnsafeBytes { try sink.write($0) } })
    }
}

@Suite("Blocks and digests", .timeLimit(.minutes(10)))
struct BlockTests {
    @Test("Blocks grow so that their digests fit into one frame")
    func plans() {
        for total in [0, 1, 4 << 20, (4 << 20) + 1, 1 << 38, BlockPlan.largestTotal] as [UInt64] {
            let plan = BlockPlan(total: total)
            #expect(UInt64(plan.blockCount) <= BlockPlan.mostBlocks && plan.blockSize <= UInt64(UInt32.max))
            #expect(plan.blockCount == 0 || plan.end(of: plan.blockCount - 1) == total)
        }
        #expect(BlockPlan(total: 65_000 * (4 << 20)).blockSize == 4 << 20)
        #expect(BlockPlan(total: 65_000 * (4 << 20) + 1).blockSize == 8 << 20)
    }

    @Test("Digests of no bytes and of a known text are those of XXH3")
    func known() {
        let state = DigestState()
        #expect(state.digest.description == "99aa06d3014798d86001c324468d497f")
        state.update(Array("abc".utf8))
        #expect(state.digest.description == "06b05ab6733a618578af5f94892f3950")
        #expect(ContentDigest(bytes: state.digest.bytes) == state.digest)
    }
}
