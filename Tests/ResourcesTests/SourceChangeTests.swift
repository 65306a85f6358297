import CLinux
import Glibc
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

@testable import Resources

@Suite("Changing source", .timeLimit(.minutes(10)))
struct SourceChangeTests {
    enum Change: CaseIterable { case grown, shrunk, touched, replaced, removed }
    enum Stage: CaseIterable { case offered, begun, readHalf, readWhole }

    let from = TemporaryFolder()

    private func apply(_ change: Change, to path: String) throws {
        switch change {
        case .grown:
            let file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
            defer { close(file) }
            try retrying("write") { write(file, "x", 1) }
        case .shrunk: truncate(path, 10)
        case .touched:
            let times = [timespec(tv_sec: 5, tv_nsec: 5), timespec(tv_sec: 5, tv_nsec: 5)]
            utimensat(AT_FDCWD, path, times, 0)
        case .replaced:
            try put(patterned(600_000), at: path + ".new")
            rename(path + ".new", path)
        case .removed: unlink(path)
        }
    }

    private func send(_ source: ResourceSource, _ changed: String, _ change: Change, at stage: Stage) throws {
        let into = TemporaryFolder()
        if stage == .offered { try apply(change, to: changed) }
        let reader = source.reader()
        let sink = try ResourceSink(for: source.offer, from: Transfer.sender, into: into.path)
        try sink.start(at: reader.begin(after: sink.held()))
        if stage == .begun { try apply(change, to: changed) }
        try Transfer.pump(reader, into: sink, step: 10_000, limit: Int(source.totalBytes / 2))
        if stage == .readHalf { try apply(change, to: changed) }
        try Transfer.pump(reader, into: sink, step: 10_000)
        if stage == .readWhole { try apply(change, to: changed) }
        _ = try sink.finish(expecting: reader.finish())
    }

    @Test("A file that changes at any stage is not sent as complete", arguments: Change.allCases, Stage.allCases)
    func file(change: Change, stage: Stage) throws {
        let path = from.path(of: "save")
        try put(patterned(600_000), at: path)
        let source = try ResourceSource(at: path)
        #expect(refusal("resource.source-changed") { try send(source, path, change, at: stage) })
        if change != .removed { #expect(try ResourceSource(at: path).identity != source.identity) }
    }

    @Test(
        "A file that changes in a folder at any stage is named",
        arguments: Change.allCases.flatMap { change in Stage.allCases.map { (change, $0) } },
        ["1/a", "9/z"]
    )
    func folder(change: (Change, Stage), file: String) throws {
        let path = from.path(of: "saves")
        for folder in ["", "/1", "/9"] { mkdir(path + folder, 0o755) }
        try put(patterned(600_000), at: "\(path)/1/a")
        try put(patterned(600_000), at: "\(path)/9/z")
        let source = try ResourceSource(at: path)
        do {
            try send(source, "\(path)/\(file)", change.0, at: change.1)
            Issue.record("it was sent")
        } catch let error as ResourceError {
            #expect(error.code == "resource.source-changed")
            #expect(error.message.contains("saves/\(file.prefix(1))"))
        }
    }

    @Test("An entry that was added late is noticed")
    func added() throws {
        let path = from.path(of: "saves")
        mkdir(path, 0o755)
        try put([1], at: "\(path)/a")
        let source = try ResourceSource(at: path)
        try put([1], at: "\(path)/b")
        #expect(refusal("resource.source-changed") { _ = try source.reader().begin(after: .nothing) })
    }

    @Test("An unchanged source keeps its identity, and another source has another")
    func identity() throws {
        for name in ["a", "b"] {
            mkdir(from.path(of: name), 0o755)
            try put([1, 2, 3], at: from.path(of: "\(name)/x"))
        }
        let first = try ResourceSource(at: from.path(of: "a"))
        #expect(try ResourceSource(at: from.path(of: "a")).identity == first.identity)
        #expect(try ResourceSource(at: from.path(of: "b")).identity != first.identity)
        let file = try ResourceSource(at: from.path(of: "a/x"))
        #expect(file.identity != first.identity)
        symlink("a", from.path(of: "link"))
        let linked = try ResourceSource(at: from.path(of: "link"))
        #expect(linked.identity == first.identity && linked.name.text == "link")
        #expect(ResourceIdentity(bytes: first.identity.bytes) == first.identity)
        #expect(ResourceIdentity(bytes: [1]) == nil)
    }
}
