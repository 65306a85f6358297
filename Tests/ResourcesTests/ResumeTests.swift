import CLinux
import Glibc
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

@testable import Resources

/// Contents that differ in every block.
func patterned(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var dice = SeededGenerator(seed: seed)
    var words = [UInt64](repeating: 0, count: count / 8 + 1)
    for place in words.indices { words[place] = dice.next() }
    return words.withUnsafeBytes { Array($0.prefix(count)) }
}

/// The content of a file, read by simple means; nil if there is no file.
func contents(of path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var raw = stat()
    fstat(file, &raw)
    var bytes = [UInt8](repeating: 0, count: Int(raw.st_size))
    return read(file, &bytes, bytes.count) == bytes.count ? bytes : nil
}

func put(_ bytes: [UInt8], at path: String) throws {
    let file = try retrying("open") { open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) }
    defer { close(file) }
    guard write(file, bytes, bytes.count) == bytes.count else { throw SystemError("write", on: path) }
}

/// Overwrites bytes in the middle of a file.
func overwrite(_ path: String, at offset: Int, with bytes: [UInt8]) throws {
    let file = try retrying("open") { open(path, O_WRONLY | O_CLOEXEC) }
    defer { close(file) }
    try retrying("pwrite") { pwrite(file, bytes, bytes.count, off_t(offset)) }
}

@Suite("Interrupted transfer", .timeLimit(.minutes(10)))
struct ResumeTests {
    static let blockSize = Int(BlockPlan.smallestBlock)

    let from = TemporaryFolder()
    let into = TemporaryFolder()

    private func partialPath() throws -> String {
        into.path(of: try #require(into.names().first { PartialName.matches($0) }))
    }

    @Test(
        "A file resumes at the exact byte",
        arguments: [
            0, 1, 65_536, ResumeTests.blockSize - 1, ResumeTests.blockSize, ResumeTests.blockSize + 1,
            2 * ResumeTests.blockSize, 2 * ResumeTests.blockSize + 12_345,
        ]
    )
    func file(cut: Int) throws {
        let bytes = patterned(2 * Self.blockSize + 12_345)
        try put(bytes, at: from.path(of: "save"))
        try Transfer.cut(ResourceSource(at: from.path(of: "save")), into: into.path, after: cut)
        #expect(into.names().count == 1)
        let (name, start) = try Transfer.whole(ResourceSource(at: from.path(of: "save")), into: into.path)
        #expect(Int(start) == cut)
        #expect(into.names() == [name])
        let isWhole = contents(of: into.path(of: name)) == bytes
        #expect(isWhole)
    }

    @Test("A folder that was interrupted anywhere resumes there and arrives unchanged")
    func folder() throws {
        var maker = RandomTree(seed: 4)
        try maker.make(at: from.path(of: "saves"))
        try put(patterned(50_000), at: from.path(of: "saves/zzz"))
        let path = from.path(of: "saves")
        let sent = TreeListing.of(path)
        let items = try FolderOrigin(at: path, .refused).manifest.items
        let cuts = items.flatMap {
            [$0.start, $0.start + 1, $0.contentStart, $0.contentStart + 1]
        }
        for cut in Set(cuts).sorted() where cut < (items.last?.start ?? 0) {
            let target = TemporaryFolder()
            try Transfer.cut(ResourceSource(at: path), into: target.path, after: Int(cut), step: 997)
            let (_, start) = try Transfer.whole(ResourceSource(at: path), into: target.path)
            // An incomplete record is sent again completely.
            #expect(start <= cut && start + 600 > cut, "cut at \(cut)")
            #expect(target.names() == ["saves"])
            #expect(TreeListing.of(target.path(of: "saves")) == sent, "cut at \(cut)")
        }
    }

    @Test("A folder that was interrupted many times arrives unchanged", arguments: 0..<6 as Range<UInt64>)
    func manyCuts(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        var maker = RandomTree(seed: seed + 100)
        try maker.make(at: from.path(of: "saves"))
        let path = from.path(of: "saves")
        let total = Int(try ResourceSource(at: path).totalBytes)
        for _ in 0..<8 {
            try Transfer.cut(
                ResourceSource(at: path),
                into: into.path,
                after: Int.random(in: 0...(total / 6), using: &dice),
                step: 5_000
            )
        }
        try Transfer.whole(ResourceSource(at: path), into: into.path)
        #expect(into.names() == ["saves"])
        #expect(TreeListing.of(into.path(of: "saves")) == TreeListing.of(path), "seed \(seed)")
    }

    @Test("A receiver that was killed resumes from the bytes that it wrote", arguments: [true, false])
    func killed(isFolder: Bool) async throws {
        let path = from.path(of: "saves")
        mkdir(path, 0o755)
        for number in 0..<40 { try put(patterned(100_000, seed: UInt64(number)), at: "\(path)/\(number)") }
        let sent = isFolder ? path : "\(path)/7"
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [sent = sent as String, into = into.path as String] in
            let source = try ResourceSource(at: sent)
            try Transfer.cut(source, into: into, after: Int(source.totalBytes) * 2 / 3, step: 10_000)
            kill(getpid(), SIGKILL)
        }
        let source = try ResourceSource(at: sent)
        let (name, start) = try Transfer.whole(source, into: into.path)
        #expect(start + 400 > source.totalBytes * 2 / 3)
        #expect(into.names() == [name])
        #expect(TreeListing.of(into.path(of: name)).dropFirst() == TreeListing.of(sent).dropFirst())
    }

    // MARK: Damage

    @Test("A damaged partial file is sent again from the damaged block", arguments: [0, 1, 2])
    func flippedByte(block: Int) throws {
        try put(patterned(3 * Self.blockSize + 5), at: from.path(of: "save"))
        let source = try ResourceSource(at: from.path(of: "save"))
        try Transfer.cut(source, into: into.path, after: 3 * Self.blockSize)
        try overwrite(partialPath(), at: block * Self.blockSize + 77, with: [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(try Transfer.whole(source, into: into.path).start == UInt64(block * Self.blockSize))
        #expect(contents(of: into.path(of: "save")) == contents(of: from.path(of: "save")))
    }

    @Test("A tail of zeros, as after a power cut, is sent again")
    func zeroTail() throws {
        try put(patterned(2 * Self.blockSize), at: from.path(of: "save"))
        let source = try ResourceSource(at: from.path(of: "save"))
        try Transfer.cut(source, into: into.path, after: Self.blockSize + 100)
        truncate(try partialPath(), off_t(Self.blockSize + 50))
        truncate(try partialPath(), off_t(2 * Self.blockSize))
        #expect(try Transfer.whole(source, into: into.path).start == UInt64(Self.blockSize))
    }

    @Test("A partial file that is too long is truncated")
    func tooLong() throws {
        try put(patterned(1_000), at: from.path(of: "save"))
        let source = try ResourceSource(at: from.path(of: "save"))
        try Transfer.cut(source, into: into.path, after: 900)
        truncate(try partialPath(), 5_000)
        #expect(try Transfer.whole(source, into: into.path).start == 0)
        #expect(into.names() == ["save"])
    }

    enum Damage: CaseIterable {
        case flippedContent, shortContent, missingFile, missingFolder, flippedJournal, shortJournal, zeroJournal,
            foreignEntries
    }

    @Test("A damaged partial folder still arrives unchanged", arguments: Damage.allCases)
    func damagedFolder(damage: Damage) throws {
        let path = from.path(of: "saves")
        for folder in ["", "/a", "/b"] {
            mkdir(path + folder, 0o755)
            for number in 1...9 { try put(patterned(3_000, seed: UInt64(number)), at: "\(path)\(folder)/\(number)") }
        }
        let source = try ResourceSource(at: path)
        try Transfer.cut(source, into: into.path, after: Int(source.totalBytes) * 4 / 5, step: 4_000)
        let partial = try partialPath()
        switch damage {
        case .flippedContent: try overwrite("\(partial)/tree/a/4", at: 1_000, with: [0, 1])
        case .shortContent: truncate("\(partial)/tree/a/4", 10)
        case .missingFile: unlink("\(partial)/tree/a/4")
        case .missingFolder: rename("\(partial)/tree/a", "\(partial)/tree/zz")
        case .flippedJournal: try overwrite("\(partial)/pack", at: 300, with: [0xFF, 0xFF])
        case .shortJournal: truncate("\(partial)/pack", 333)
        case .zeroJournal:
            truncate("\(partial)/pack", 333)
            truncate("\(partial)/pack", 3_000)
        case .foreignEntries:
            try put([1], at: "\(partial)/tree/zzz")
            mkdir("\(partial)/tree/b/zzz", 0o500)
        }
        try Transfer.whole(source, into: into.path)
        #expect(into.names() == ["saves"])
        #expect(TreeListing.of(into.path(of: "saves")) == TreeListing.of(path))
    }

    @Test("A changed source is another resource, and starts again")
    func changedBetween() throws {
        try put(patterned(100_000), at: from.path(of: "save"))
        try Transfer.cut(ResourceSource(at: from.path(of: "save")), into: into.path, after: 50_000)
        try put(patterned(100_000, seed: 2), at: from.path(of: "save"))
        #expect(try Transfer.whole(ResourceSource(at: from.path(of: "save")), into: into.path).start == 0)
        #expect(into.names().count == 2)
    }

    @Test("A sender that resumes at a wrong offset is refused", arguments: [1, 49_999, 50_001, 100_001])
    func badOffset(offset: UInt64) throws {
        try put(patterned(100_000), at: from.path(of: "save"))
        let source = try ResourceSource(at: from.path(of: "save"))
        try Transfer.cut(source, into: into.path, after: 50_000)
        let sink = try ResourceSink(for: source.offer, from: Transfer.sender, into: into.path)
        #expect(try sink.held().bytes == 50_000)
        #expect(refusal("resource.bad-offset") { try sink.start(at: offset) })
    }

    @Test("A receiver's impossible claim of held bytes is ignored")
    func liesAboutHeld() throws {
        try put(patterned(100_000), at: from.path(of: "save"))
        let reader = try ResourceSource(at: from.path(of: "save")).reader()
        let digest = try #require(ContentDigest(bytes: Array(repeating: 1, count: 16)))
        for held in [
            HeldPrefix(bytes: 100_001, blockSize: 4 << 20, digests: [digest]),
            HeldPrefix(bytes: .max, blockSize: 4 << 20, digests: [digest]),
            HeldPrefix(bytes: 50_000, blockSize: 0, digests: [digest]),
            HeldPrefix(bytes: 50_000, blockSize: 4 << 20, digests: []),
            HeldPrefix(bytes: 50_000, blockSize: 4 << 20, digests: [digest, digest]),
            HeldPrefix(bytes: 50_000, blockSize: 4 << 20, digests: [digest]),
        ] {
            #expect(try reader.begin(after: held) == 0)
        }
    }
}

/// True if a call throws this code.
func refusal(_ code: ErrorCode, _ body: () throws -> Void) -> Bool {
    do {
        try body()
        return false
    } catch let error as ResourceError {
        return error.code == code && !error.nextStep.isEmpty && !error.message.isEmpty
    } catch {
        return false
    }
}
