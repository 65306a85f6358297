import LinuxPlatform
import Resources
import SessionRules
import Vocabulary
import Wire

/// The partial file of an incoming resource. One task at a time works with it.
@Engine
final class ReceivingFile {
    private let offer: Resources.ResourceOffer
    private let peer: PeerID
    private let files: FileSemaphore
    private(set) var folder = ""
    private var sink: UncheckedTransfer<ResourceSink>?
    /// Settles when the present task has released the sink.
    private(set) var working: Promise<Void>?
    /// True if the content can never fit the sender's file.
    private var isWorthless = false
    private(set) var contentBytes: UInt64?
    /// Decides if the transfer ends before the file has its name, or with it.
    var naming = NamingDecision()

    init(_ offer: Resources.ResourceOffer, from peer: PeerID, _ files: FileSemaphore) {
        (self.offer, self.peer, self.files) = (offer, peer, files)
    }

    func setFolder(_ folder: String) { self.folder = folder }

    func setWorthless(_ isWorthless: Bool) { self.isWorthless = isWorthless }

    /// Opens the partial file. Throws before anything is sent if there is no room.
    func open() async throws { sink = try await openSink() }

    /// Opens the partial file again, except for the first attempt.
    func reopen(isFirst: Bool) async throws {
        if isFirst, sink != nil { return }
        sink = nil
        sink = try await openSink()
    }

    private func openSink() async throws -> UncheckedTransfer<ResourceSink> {
        let (offer, peer, folder) = (offer, peer, folder)
        return try await files.run("sink") { UncheckedTransfer(try ResourceSink(for: offer, from: peer, into: folder)) }
    }

    /// Reads the content that is there already, which can take long.
    func held() async throws -> HeldPrefix {
        let sink = try opened()
        return try await files.run("measure") { try sink.value.held() }
    }

    func start(at offset: UInt64) async throws -> UncheckedTransfer<ResourceSink> {
        let sink = try opened()
        try await files.run("start") { try sink.value.start(at: offset) }
        return sink
    }

    /// Checks the file, flushes it, and gives it its name. Flushing to the disk can take long.
    func store(_ sink: UncheckedTransfer<ResourceSink>, expecting digest: ContentDigest) async throws -> FileName {
        let naming = naming
        let name = try await files.run("store") {
            try sink.value.finish(expecting: digest) { naming.decideForName() }
        }
        contentBytes = sink.value.contentBytes
        return name
    }

    private func opened() throws -> UncheckedTransfer<ResourceSink> {
        guard let sink else { throw CancellationError() }
        return sink
    }

    /// Runs a task after the one before has released the partial file.
    func work(_ body: @Engine () async -> Void, isDone: @Engine () -> Bool) async {
        let before = working
        let working = Promise<Void>()
        self.working = working
        await before?.settled()
        await body()
        await release(isDone: isDone())
        working.settle(.success(()))
    }

    /// Releases the partial file without a task that works with it.
    func releaseSoon(in tasks: TaskScope, isDone: @escaping @Engine @Sendable () -> Bool) {
        guard working?.isSettled ?? true else { return }
        let working = Promise<Void>()
        self.working = working
        let begins = tasks.add {
            await self.release(isDone: isDone())
            working.settle(.success(()))
        }
        if !begins { working.settle(.success(())) }
    }

    /// Closes the partial file.
    ///
    /// - Parameter isDone: true if the transfer has failed for good. Worthless content is removed then
    func release(isDone: Bool) async {
        guard let sink else { return }
        self.sink = nil
        guard isDone else { return }
        let isWorthless = isWorthless
        try? await files.run("tidy") { try sink.value.abandon(keepingPartial: !isWorthless) }
    }
}
