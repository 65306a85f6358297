import CLinux
import Glibc
import LinuxPlatform
import TestSupport
import Testing
import Vocabulary

@testable import Resources

@Suite("A file that has arrived", .timeLimit(.minutes(5)))
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

    /// Every bit that `chmod` knows, not only those of permission.
    private func mode(_ name: String) throws -> mode_t { try facts(name).st_mode & 0o7777 }

    private func arrive(_ offer: ResourceOffer, _ source: ResourceSource) throws -> String {
        let reader = source.reader()
        let sink = try ResourceSink(for: offer, from: Transfer.sender, into: into.path)
        try sink.start(at: reader.begin(after: sink.held()))
        try Transfer.pump(reader, into: sink)
        return try sink.finish(expecting: reader.finish()).text
    }

    @Test(
        "has the mode that it had, no bit beyond permission, and none of a program",
        arguments: [(0o755, 0o644), (0o700, 0o600), (0o600, 0o600), (0o444, 0o444), (0o6755, 0o644), (0o1644, 0o644)]
            as [(mode_t, mode_t)]
    )
    func mode(there: mode_t, here: mode_t) throws {
        let name = try Transfer.whole(source(mode: there), into: into.path).name
        #expect(try mode(name) == here)
        #expect(into.names() == [name])
    }

    @Test("has the time of change that it had")
    func time() throws {
        let name = try Transfer.whole(source(mode: 0o644), into: into.path).name
        #expect(try FileFacts(at: into.path(of: name)).modified == Self.then)
    }

    @Test("has no more than this machine's mask allows", arguments: [(0o022, 0o644), (0o077, 0o600), (0o177, 0o600)])
    func mask(mask: mode_t, mode: mode_t) async throws {
        let path = try (source(mode: 0o777), from.path(of: "go.sh")).1
        await #expect(processExitsWith: .success) {
            [path = path as String, into = into.path as String, mask = mask as mode_t] in
            umask(mask)
            try Transfer.whole(ResourceSource(at: path), into: into)
        }
        #expect(try self.mode("go.sh") == mode)
    }

    @Test("can be read by its owner whatever the sender says of it")
    func unreadable() throws {
        let source = try source(mode: 0o644)
        var offer = source.offer
        offer.stamp = ResourceStamp(mode: FileMode(rawValue: 0), modified: Self.then)
        #expect(try mode(arrive(offer, source)) == 0o400)
    }

    @Test("keeps the time of its arrival where the sender's is of the future or before 1970")
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
                #expect(abs(modified.seconds - now.seconds) < 3600, "said to be of \(seconds)")
            }
            unlink(path)
        }
    }

    @Test("from a sender that says neither is as any new file of this machine is")
    func unknown() throws {
        let source = try source(mode: 0o755)
        var offer = source.offer
        offer.stamp = nil
        let name = try arrive(offer, source)
        try put([1], at: into.path(of: "own"))
        #expect(try mode(name) == mode("own"))
        #expect(abs(try FileFacts(at: into.path(of: name)).modified.seconds - FileTime.now.seconds) < 3600)
    }

    @Test("was no more open to others while it came than it is now, and gets it all after a cut")
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

    @Test("has the mode that it had last, where it was opened to others, or made private, after a cut")
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

    @Test("is as old as its arrival until it has its name, so that it is not taken for one that nobody goes on with")
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

    @Test("that was cut off behind its last byte, with its mode set, goes on all the same")
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
