import Glibc
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

@testable import Resources

@Suite("Source with several receivers", .timeLimit(.minutes(10)))
struct SharedSourceTests {
    let from = TemporaryFolder()
    let size = 9_000_000

    private func source(isFolder: Bool) throws -> ResourceSource {
        mkdir(from.path(of: "saves"), 0o755)
        for number in 0..<9 { try put(patterned(size / 9, seed: UInt64(number)), at: from.path(of: "saves/\(number)")) }
        try put(patterned(size), at: from.path(of: "save"))
        return try ResourceSource(at: from.path(of: isFolder ? "saves" : "save"))
    }

    @Test("Receivers close to each other read the disk once and get the same bytes", arguments: [false, true])
    func together(isFolder: Bool) throws {
        let source = try source(isFolder: isFolder)
        let into = (0..<3).map { _ in TemporaryFolder() }
        let pairs = try into.map { folder in
            (source.reader(), try ResourceSink(for: source.offer, from: Transfer.sender, into: folder.path))
        }
        for (reader, sink) in pairs { try sink.start(at: reader.begin(after: sink.held())) }
        while pairs[0].1.receivedBytes < source.totalBytes {
            for (reader, sink) in pairs { try Transfer.pump(reader, into: sink, limit: 300_000) }
        }
        for (reader, sink) in pairs {
            try Transfer.pump(reader, into: sink)
            _ = try sink.finish(expecting: reader.finish())
        }
        #expect(source.stream.bytesRead == source.totalBytes)
        let sent = TreeListing.of(from.path(of: source.name.text))
        for folder in into {
            #expect(TreeListing.of(folder.path(of: source.name.text)).dropFirst() == sent.dropFirst())
        }
    }

    @Test("A receiver that falls far behind reads for itself and gets the same bytes")
    func behind() throws {
        let source = try source(isFolder: false)
        let (ahead, late) = (source.reader(), source.reader())
        var digests: [ContentDigest] = []
        for reader in [ahead, late] {
            let into = TemporaryFolder()
            let sink = try ResourceSink(for: source.offer, from: Transfer.sender, into: into.path)
            try sink.start(at: reader.begin(after: sink.held()))
            try Transfer.pump(reader, into: sink)
            digests.append(try reader.finish())
            _ = try sink.finish(expecting: digests[0])
        }
        #expect(digests[0] == digests[1])
        #expect(source.stream.bytesRead <= 2 * source.totalBytes)
    }

    @Test("A reader far ahead of a sharing one is marked as such, and a reader that fell behind delays no other")
    func pace() throws {
        let source = try source(isFolder: false)
        let (ahead, late) = (source.reader(), source.reader())
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 100_000, alignment: 1)
        defer { room.deallocate() }
        for reader in [ahead, late] { #expect(try reader.begin(after: .nothing) == 0) }
        #expect(!ahead.isFarAhead)
        while !ahead.isFarAhead { #expect(try ahead.read(into: room) > 0) }
        #expect(!late.isFarAhead)
        let read = source.stream.bytesRead
        while late.position < ahead.position { #expect(try late.read(into: room) > 0) }
        #expect(source.stream.bytesRead <= read + 300_000)
        #expect(!ahead.isFarAhead)
        // This time it does not wait.
        while ahead.position < source.totalBytes { #expect(try ahead.read(into: room) > 0) }
        #expect(!ahead.isFarAhead)
    }

    @Test("Receivers on many threads at once each get all bytes", arguments: [false, true])
    func threads(isFolder: Bool) async throws {
        let source = try source(isFolder: isFolder)
        try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<4 {
                group.addTask {
                    try await runBlocking("receiver \(number)") {
                        let into = TemporaryFolder()
                        return try Transfer.whole(source, into: into.path, step: 100_000 + number * 70_000).name
                    }
                }
            }
            for try await name in group { #expect(name == source.name.text) }
        }
    }

    @Test("Receivers with different prefixes each resume at their own position")
    func differentBeginnings() throws {
        let source = try source(isFolder: false)
        for cut in [0, 1_000_000, 5_000_000, 9_000_000] {
            let into = TemporaryFolder()
            try Transfer.cut(source, into: into.path, after: cut)
            #expect(try Transfer.whole(ResourceSource(at: from.path(of: "save")), into: into.path).start == UInt64(cut))
            try Transfer.cut(source, into: into.path, after: cut)
            #expect(try Transfer.whole(source, into: into.path).start == UInt64(cut))
        }
    }
}
