import CLinux
import Glibc
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

@testable import Resources

@Suite("Resource sink", .timeLimit(.minutes(10)))
struct SinkTests {
    let from = TemporaryFolder()
    let into = TemporaryFolder()

    private func file(_ count: Int = 1_000, name: String = "save.dat") throws -> ResourceSource {
        try put(patterned(count), at: from.path(of: name))
        return try ResourceSource(at: from.path(of: name))
    }

    private func folder(name: String = "saves") throws -> ResourceSource {
        mkdir(from.path(of: name), 0o755)
        try put(patterned(1_000), at: from.path(of: "\(name)/a"))
        return try ResourceSource(at: from.path(of: name))
    }

    @Test("A sink never overwrites: a taken name gets a number")
    func takenNames() throws {
        for expected in ["save.dat", "save (2).dat", "save (3).dat"] {
            #expect(try Transfer.whole(file(), into: into.path).name == expected)
        }
        for expected in ["saves.d", "saves.d (2)"] {
            #expect(try Transfer.whole(folder(name: "saves.d"), into: into.path).name == expected)
        }
        symlink("/nowhere", into.path(of: "link"))
        #expect(try Transfer.whole(file(name: "link"), into: into.path).name == "link (2)")
        #expect(into.names().count == 7)
    }

    @Test(
        "A number is inserted before the suffix, and a long name is shortened for it",
        arguments: [
            ("a", "a (2)"), (".bashrc", ".bashrc (2)"), ("_.bashrc", "_.bashrc (2)"), ("a.tar.gz", "a.tar (2).gz"),
            ("a.", "a (2)."),
            (String(repeating: "é", count: 127), String(repeating: "é", count: 125) + " (2)"),
            (String(repeating: "x", count: 251) + ".dat", String(repeating: "x", count: 247) + " (2).dat"),
            ("a." + String(repeating: "b", count: 200), "a." + String(repeating: "b", count: 200) + " (2)"),
        ]
    )
    func numbers(name: String, expected: String) throws {
        #expect(try FileName(name).numbered(1, keepingSuffix: true).text == name)
        #expect(try FileName(name).numbered(2, keepingSuffix: true).text == expected)
    }

    @Test(
        "A sink gives no name that hides the file, looks like an option or deceives a reader",
        arguments: [
            ("\u{202E}gnp", #"\u{202e}gnp"#), ("-rf", "_-rf"), (" ", #"\u{20}"#),
            (".bash_profile", "_.bash_profile"), (".ssh", "_.ssh"),
        ],
        [false, true]
    )
    func arriving(name: (sent: String, stored: String), isFolder: Bool) throws {
        let source = isFolder ? try folder(name: name.sent) : try file(name: name.sent)
        #expect(try Transfer.whole(source, into: into.path).name == name.stored)
        #expect(try Transfer.whole(source, into: into.path).name == "\(name.stored) (2)")
        #expect(into.names() == [name.stored, "\(name.stored) (2)"].sorted())
    }

    @Test("A sink gives no file the name of an incomplete one")
    func partialName() throws {
        let name = try PartialName.name(of: file().offer, from: Transfer.sender).text
        let stored = try Transfer.whole(file(name: name), into: into.path).name
        #expect(stored == "_\(name)")
        let future = FileTime(seconds: 4_000_000_000, nanoseconds: 0)
        #expect(try StalePartial.list(in: into.path, before: future).isEmpty)
    }

    @Test("A sink keeps partials within the sender's limit, and removes the oldest idle ones beyond it")
    func share() throws {
        let other = try #require(PeerID(bytes: Array(repeating: 8, count: 32)))
        let sources = try (0..<6).map { try file(1_000 + $0, name: "\($0)") }
        for (age, source) in sources.enumerated() {
            try Transfer.cut(source, into: into.path, after: 500)
            let partial = into.path(of: PartialName.name(of: source.offer, from: Transfer.sender).text)
            try OwnedDescriptor.openFile(at: partial).setModified(FileTime(seconds: 1_000 + Int64(age), nanoseconds: 0))
        }
        try put([1], at: into.path(of: PartialName.name(of: sources[0].offer, from: other).text))
        func left() -> [Int] {
            let names = into.names()
            return sources.indices.filter { index in
                names.contains(PartialName.name(of: sources[index].offer, from: Transfer.sender).text)
            }
        }
        let target = try TargetFolder(at: into.path)
        let own = PartialName.name(of: sources[1].offer, from: Transfer.sender)
        let held = try ResourceSink(for: sources[0].offer, from: Transfer.sender, into: into.path)
        PartialShare(count: 5, bytes: 1 << 20).enforce(in: target, of: Transfer.sender, beside: own)
        #expect(left() == [0, 1, 2, 3, 4, 5])
        PartialShare(count: 4, bytes: 1 << 20).enforce(in: target, of: Transfer.sender, beside: own)
        #expect(left() == [0, 1, 3, 4, 5])
        PartialShare(count: 4, bytes: 2_100).enforce(in: target, of: Transfer.sender, beside: own)
        #expect(left() == [0, 1, 5])
        #expect(into.names().contains(PartialName.name(of: sources[0].offer, from: other).text))
        withExtendedLifetime(held) {}
    }

    @Test("Two sinks can't receive the same resource from one sender, but can from two", arguments: [false, true])
    func busy(isFolder: Bool) throws {
        let source = isFolder ? try folder() : try file()
        var first: ResourceSink? = try ResourceSink(for: source.offer, from: Transfer.sender, into: into.path)
        #expect(
            refusal("resource.busy") {
                _ = try ResourceSink(for: source.offer, from: Transfer.sender, into: into.path)
            }
        )
        let other = try #require(PeerID(bytes: Array(repeating: 8, count: 32)))
        let second = try ResourceSink(for: source.offer, from: other, into: into.path)
        #expect(into.names().count == 2)
        try second.abandon(keepingPartial: false)
        #expect(try first?.held().bytes == 0)
        first = nil
        try Transfer.whole(source, into: into.path)
        #expect(into.names() == [source.name.text])
    }

    @Test("An abandoned sink keeps or removes its bytes as requested", arguments: [false, true])
    func abandoned(isFolder: Bool) throws {
        let source = isFolder ? try folder() : try file()
        for (bytes, keeping, left) in [(0, true, 0), (500, false, 0), (500, true, 1)] {
            let reader = source.reader()
            let sink = try ResourceSink(for: source.offer, from: Transfer.sender, into: into.path)
            try sink.start(at: reader.begin(after: sink.held()))
            try Transfer.pump(reader, into: sink, limit: bytes)
            try sink.abandon(keepingPartial: keeping)
            #expect(into.names().count == left)
        }
    }

    @Test("A sink refuses too many bytes, too few, and wrong ones")
    func wrongBytes() throws {
        let source = try file()
        func begun() throws -> (ResourceReader, ResourceSink) {
            let (reader, sink) = (
                source.reader(), try ResourceSink(for: source.offer, from: Transfer.sender, into: into.path)
            )
            _ = try sink.held()
            _ = try reader.begin(after: .nothing)
            try sink.start(at: 0)
            return (reader, sink)
        }
        let bytes = patterned(1_001)
        let greedy = try begun().1
        #expect(refusal("resource.more-than-announced") { try bytes.withUnsafeBytes { try greedy.write($0) } })
        try greedy.abandon(keepingPartial: false)
        let digest = try #require(ContentDigest(bytes: Array(repeating: 0, count: 16)))
        try refusesEarlyEnd(begun().1, digest)
        let (reader, sink) = try begun()
        try Transfer.pump(reader, into: sink)
        #expect(refusal("resource.damaged") { _ = try sink.finish(expecting: digest) })
        #expect(into.names().allSatisfy { PartialName.matches($0) })
    }

    private func refusesEarlyEnd(_ sink: ResourceSink, _ digest: ContentDigest) throws {
        #expect(refusal("resource.incomplete") { _ = try sink.finish(expecting: digest) })
        try sink.abandon(keepingPartial: false)
    }

    @Test("A sink refuses an impossible offer before it writes")
    func impossibleOffers() throws {
        var offer = try file().offer
        offer.totalBytes = .max
        #expect(
            refusal("resource.too-large") { _ = try ResourceSink(for: offer, from: Transfer.sender, into: into.path) }
        )
        offer.totalBytes = BlockPlan.largestTotal
        let sink = try ResourceSink(for: offer, from: Transfer.sender, into: into.path)
        _ = try sink.held()
        #expect(refusal("resource.no-space") { try sink.start(at: 0) })
        try sink.abandon(keepingPartial: true)
        offer.entryCount = 2_000_000
        #expect(
            refusal("resource.too-many-entries") {
                _ = try ResourceSink(for: offer, from: Transfer.sender, into: into.path)
            }
        )
        offer.entryCount = 1
        #expect(
            refusal("resource.not-found") {
                _ = try ResourceSink(for: offer, from: Transfer.sender, into: into.path(of: "no"))
            }
        )
        #expect(into.names().isEmpty)
    }

    @Test("A sink does not follow a link in place of its partial file")
    func plantedLink() throws {
        let source = try file()
        let name = PartialName.name(of: source.offer, from: Transfer.sender).text
        try from.put("precious", at: "precious")
        symlink(from.path(of: "precious"), into.path(of: name))
        #expect(throws: ResourceError.self) { try Transfer.whole(source, into: into.path) }
        #expect(from.text(at: "precious") == "precious")
    }

    @Test("An old partial is found and removed", arguments: [false, true])
    func stale(isFolder: Bool) throws {
        let source = isFolder ? try folder() : try file()
        try Transfer.cut(source, into: into.path, after: 500)
        try into.put("", at: ".huddle-0123.partial")
        let future = FileTime(seconds: 4_000_000_000, nanoseconds: 0)
        #expect(try StalePartial.list(in: into.path, before: FileTime(seconds: 1_000, nanoseconds: 0)).isEmpty)
        let sink = try ResourceSink(for: source.offer, from: Transfer.sender, into: into.path)
        #expect(try StalePartial.list(in: into.path, before: future).isEmpty)
        withExtendedLifetime(sink) {}
    }

    @Test("A partial that is not in use is removed with its content", arguments: [false, true])
    func staleRemoved(isFolder: Bool) throws {
        let source = isFolder ? try folder() : try file()
        try Transfer.cut(source, into: into.path, after: 500)
        try into.put("", at: ".huddle-0123.partial")
        let found = try StalePartial.list(in: into.path, before: FileTime(seconds: 4_000_000_000, nanoseconds: 0))
        #expect(found.count == 1 && found.first?.kind == source.kind)
        for partial in found { #expect(try partial.remove(in: into.path)) }
        for partial in found { #expect(try !partial.remove(in: into.path)) }
        #expect(into.names() == [".huddle-0123.partial"])
    }

    @Test(
        "An error of the kernel is explained with a next step",
        arguments: [
            (ENOSPC, "resource.no-space"), (EDQUOT, "resource.quota"), (EFBIG, "resource.file-too-large"),
            (EROFS, "resource.read-only"), (EACCES, "resource.no-permission"), (EPERM, "resource.no-permission"),
            (ENOENT, "resource.not-found"), (EMFILE, "resource.too-many-open"), (EIO, "resource.disk"),
        ] as [(CInt, String)]
    )
    func explained(number: CInt, code: String) {
        let error = ResourceError(SystemError("write", number), at: "/x/\u{1B}y")
        #expect(error.code.description == code)
        #expect(!error.nextStep.isEmpty)
        // The message about a missing file is complete.
        #expect((error.cause is SystemError) == (number != ENOENT))
        #expect(!error.message.contains("\u{1B}"))
    }
}
