import CLinux
import Glibc
import LinuxPlatform
import TestSupport
import Testing
import Vocabulary

@testable import Resources

@Suite("Mode and time of a received file", .timeLimit(.minutes(5)))
struct ArrivingStampTests {
    private static let then = FileTime(seconds: 1_500_000_000, nanoseconds: 123_456_789)

    let from = TemporaryFolder()
    let into = TemporaryFolder()

    private func source(mode: mode_t, modified: FileTime = then, bytes: Int = 1_000) throws -> ResourceSource {
        let path = from.path(of: "go.sh")
        unlink(path)
        try put(patterned(bytes), at: path)
        try OwnedDescriptor.openFile(at: path).setModified(modified)
        try retrying("chmod") { chmod(path, mode) }
        return try ResourceSource(at: path)
    }

    private func facts(_ name: String) throws -> stat {
        var raw = stat()
        try retrying("stat", on: name) { stat(into.path(of: name), &raw) }
        return raw
    }

    /// All bits of `chmod`, beyond permissions, too.
    private func mode(_ name: String) throws -> mode_t { try facts(name).st_mode & 0o7777 }

    private func arrive(_ offer: ResourceOffer, _ source: ResourceSource) throws -> String {
        let reader = source.reader()
        let sink = try ResourceSink(for: offer, from: Transfer.sender, into: into.path)
        try sink.start(at: reader.begin(after: sink.held()))
        try Transfer.pump(reader, into: sink)
        return try sink.finish(expecting: reader.finish()).text
    }

    @Test(
        "A received file keeps its permissions, except for execution",
        arguments: [(0o755, 0o644), (0o700, 0o600), (0o600, 0o600), (0o444, 0o444), (0o6755, 0o644), (0o1644, 0o644)]
            as [(mode_t, mode_t)]
    )
    func mode(there: mode_t, here: mode_t) throws {
        let name = try Transfer.whole(source(mode: there), into: into.path).name
        #expect(try mode(name) == here)
        #expect(into.names() == [name])
    }

    @Test("A received file keeps its modification time")
    func time() throws {
        let name = try Transfer.whole(source(mode: 0o644), into: into.path).name
        #expect(try FileFacts(at: into.path(of: name)).modified == Self.then)
    }

    @Test(
        "A received file has only permissions within this machine's mask",
        arguments: [(0o022, 0o644), (0o077, 0o600), (0o177, 0o600)]
    )
    func mask(mask: mode_t, mode: mode_t) async throws {
        let path = try (source(mode: 0o777), from.path(of: "go.sh")).1
        await #expect(processExitsWith: .success) {
            [path = path as String, into = into.path as String, mask = mask as mode_t] in
            umask(mask)
            try Transfer.whole(ResourceSource(at: path), into: into)
        }
        #expect(try self.mode("go.sh") == mode)
    }

    @Test("The owner can read a received file, whatever mode the sender gave")
    func unreadable() throws {
        let source = try source(mode: 0o644)
        var offer = source.offer
        offer.stamp = ResourceStamp(mode: FileMode(rawValue: 0), modified: Self.then)
        #expect(try mode(arrive(offer, source)) == 0o400)
    }

    @Test("A time in the future or before 1970 is replaced by the time of arrival")
    func hostileTimes() throws {
        let source = try source(mode: 0o644)
        let now = FileTime.now
        let kept: [Int64] = [0, 1, now.seconds, now.seconds + 23 * 3600]
        for seconds in kept + [.min, -1, now.seconds + 25 * 3600, 253_402_300_800, .max] {
            var offer = source.offer
            offer.stamp = ResourceStamp(mode: .program, modified: FileTime(seconds: seconds, nanoseconds: 5))
            let path = into.path(of: try arrive(offer, source))
            let modified = try FileFacts(at: path).modified
            if kept.contains(seconds) {
                #expect(modified == FileTime(seconds: seconds, nanoseconds: 5))
            } else {
                #expect(abs(modified.seconds - now.seconds) < 3600, "announced time \(seconds)")
            }
            unlink(path)
        }
    }

    @Test("A file without mode and time gets those of a new file")
    func unknown() throws {
        let source = try source(mode: 0o755)
        var offer = source.offer
        offer.stamp = nil
        let name = try arrive(offer, source)
        try put([1], at: into.path(of: "own"))
        #expect(try mode(name) == mode("own"))
        #expect(abs(try FileFacts(at: into.path(of: name)).modified.seconds - FileTime.now.seconds) < 3600)
    }

    @Test("A partial file is never more open than the final one, and gets all permissions after an interruption")
    func cut() throws {
        for there: mode_t in [0o700, 0o755, 0o400, 0o444] {
            let source = try source(mode: there, bytes: 200_000)
            try Transfer.cut(source, into: into.path, after: 100_000)
            let partial = try #require(into.names().first { PartialName.matches($0) })
            #expect(try mode(partial) == (there | 0o600) & ~0o111)
            let (name, start) = try Transfer.whole(source, into: into.path)
            #expect(start == 100_000)
            #expect(try mode(name) == there & ~0o111)
            #expect(try FileFacts(at: into.path(of: name)).modified == Self.then)
            unlink(into.path(of: name))
        }
    }

    @Test("A file gets its latest mode if that changed after an interruption")
    func changedMeanwhile() throws {
        for (before, after) in [(0o600, 0o644), (0o644, 0o600)] as [(mode_t, mode_t)] {
            let source = try source(mode: before, bytes: 200_000)
            try Transfer.cut(source, into: into.path, after: 100_000)
            try retrying("chmod") { chmod(from.path(of: "go.sh"), after) }
            let (name, _) = try Transfer.whole(ResourceSource(at: from.path(of: "go.sh")), into: into.path)
            #expect(try mode(name) == after)
            unlink(into.path(of: name))
        }
    }

    @Test("A partial file has the time of its arrival until it is renamed, so it does not count as abandoned")
    func notStale() throws {
        let source = try source(mode: 0o644)
        let name = PartialName.name(of: source.offer, from: Transfer.sender)
        let partial = try FilePartial(name, in: TargetFolder(at: into.path), for: source.offer)
        try partial.start(at: 0)
        try [UInt8](repeating: 1, count: 1_000).withUnsafeBytes { try partial.write($0) }
        try partial.flush()
        #expect(try FileFacts(at: into.path(of: name.text)).modified.seconds > FileTime.now.seconds - 3600)
        let adopted = try partial.adopt(as: FileName("go.sh"))
        #expect(try FileFacts(at: into.path(of: adopted.text)).modified == Self.then)
    }

    @Test("A transfer that stopped after the last byte, with the mode set, still resumes")
    func cutAtTheEnd() throws {
        let source = try source(mode: 0o444)
        try Transfer.cut(source, into: into.path, after: 1_000)
        let partial = into.path(of: try #require(into.names().first { PartialName.matches($0) }))
        try retrying("chmod") { chmod(partial, 0o444) }
        let (name, start) = try Transfer.whole(source, into: into.path)
        #expect(start == 1_000)
        #expect(try mode(name) == 0o444)
    }
}
