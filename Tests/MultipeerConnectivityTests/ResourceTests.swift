import Foundation
import LinuxPlatform
import Session
import TestSupport
import Testing
import Vocabulary

@testable import MultipeerConnectivity

@Suite("Resources", .timeLimit(.minutes(5)))
struct ResourceTests {
    let room = TestRoom()
    let folder = TemporaryFolder()

    private func pair() async throws -> (Player, Player) {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        try await deck.connect(to: desk)
        return (deck, desk)
    }

    private func file(_ name: String, _ size: Int) throws -> URL {
        let url = URL(fileURLWithPath: folder.path(of: name))
        try Data(repeating: UInt8(truncatingIfNeeded: size), count: size).write(to: url)
        return url
    }

    private func ending(at player: Player) async throws -> (name: String, url: URL?, content: Data?, error: MCError?) {
        try await player.wait {
            if case .resourceFinished(let name, _, let url, let content, let error) = $0 {
                (name, url, content, error)
            } else {
                nil
            }
        }
    }

    @Test(
        "A file arrives with its name, both sides see the progress, and the handler is called once",
        arguments: [0, 1, 300_000]
    )
    func file(size: Int) async throws {
        let (deck, desk) = try await pair()
        let url = try file("castle.save", size)
        let done = Resumption<MCError?>()
        let progress = deck.session.sendResource(at: url, withName: "my save", toPeer: desk.peer) {
            #expect(done.resume(with: .success($0 as? MCError)))
        }
        let started = try await desk.wait {
            if case .resourceStarted(let name, let peer, let progress) = $0 { (name, peer, progress) } else { nil }
        }
        #expect(started.0 == "my save" && started.1 == deck.peer)
        #expect(try await done.value() == nil)
        let ended = try await ending(at: desk)
        let content = try Data(contentsOf: url)
        #expect(ended.name == "my save" && ended.content == content && ended.error == nil)
        #expect(ended.url?.lastPathComponent == "my save")
        #expect(progress?.isFinished == true || size == 0)
        #expect(started.2.completedUnitCount == size)
        for shown in [progress, started.2] {
            #expect(shown?.estimatedTimeRemaining == 0 && shown?.throughput != nil)
        }
    }

    @Test("Further values of a progress are in its user info, and nil removes them")
    func userInfo() {
        let progress = Progress(totalUnitCount: 1)
        (progress.throughput, progress.estimatedTimeRemaining) = (1000, 2.5)
        (progress.fileTotalCount, progress.fileCompletedCount) = (3, 2)
        (progress.fileURL, progress.fileOperationKind) = (URL(fileURLWithPath: "/castle"), .receiving)
        #expect(progress.userInfo[.throughputKey] as? Int == 1000 && progress.throughput == 1000)
        #expect(progress.userInfo[.estimatedTimeRemainingKey] as? Double == 2.5)
        #expect(progress.estimatedTimeRemaining == 2.5)
        #expect((progress.fileTotalCount, progress.fileCompletedCount) == (3, 2))
        #expect(progress.fileURL?.path == "/castle" && progress.fileOperationKind == .receiving)
        progress.setUserInfoObject(7, forKey: .throughputKey)
        #expect(progress.throughput == 7)
        (progress.throughput, progress.fileURL) = (nil, nil)
        #expect(progress.throughput == nil && progress.fileURL == nil && progress.userInfo.count == 4)
    }

    @Test("An app may read a progress and set its cancellation handler during reports")
    func fromThreads() {
        let progress = ObservableProgress(of: 100)
        DispatchQueue.concurrentPerform(iterations: 4) { hand in
            for number in 0..<100_000 {
                if hand.isMultiple(of: 2) {
                    progress.throughput = number
                    progress.cancellationHandler = { _ = number }
                } else {
                    _ = (progress.throughput, progress.cancellationHandler)
                }
            }
        }
        #expect(progress.throughput == 99_999)
        // A progress of the app for several transfers.
        let overall = Progress(totalUnitCount: 1)
        DispatchQueue.concurrentPerform(iterations: 4) { hand in
            for number in 0..<50_000 {
                if hand.isMultiple(of: 2) { overall.fileCompletedCount = number } else { _ = overall.throughput }
            }
        }
        #expect(overall.fileCompletedCount == 49_999)
    }

    @Test("An observer on either side sees the progress grow, and the end before the handler is called")
    func observed() async throws {
        let (deck, desk) = try await pair()
        let (sending, receiving) = (Steps(), Steps())
        desk.whenReceived { entry in
            guard case .resourceStarted(_, _, let progress) = entry else { return }
            receiving.keep(
                progress.observe(\.fractionCompleted, options: [.initial, .new, .old]) { receiving.add($0, $1) }
            )
        }
        let done = Resumption<[Double]>()
        let progress = deck.session.sendResource(
            at: try file("castle.save", 3 << 20),
            withName: "castle.save",
            toPeer: desk.peer
        ) { _ in done.resume(with: .success(sending.values)) }
        let options: NSKeyValueObservingOptions = [.initial, .new]
        sending.keep(try #require(progress).observe(\.fractionCompleted, options: options) { sending.add($0, $1) })
        #expect(try await done.value().last == 1)
        _ = try await ending(at: desk)
        #expect(receiving.values.last == 1)
        for steps in [sending, receiving] {
            #expect(steps.values == steps.values.sorted() && Set(steps.values).count == steps.values.count)
        }
    }

    @Test("Cancelling is observed, and so is a progress of the app with a transfer as its child")
    func observedParent() async throws {
        let (deck, desk) = try await pair()
        let whole = Progress(totalUnitCount: 2)
        let half = Resumption<Void>()
        let parts = whole.observe(\.fractionCompleted) { progress, change in
            #expect(change.newValue == nil && change.kind == .setting)
            if progress.fractionCompleted == 0.5 { half.resume(with: .success(())) }
        }
        let url = try file("castle.save", 1000)
        let first = try #require(deck.session.sendResource(at: url, withName: "1", toPeer: desk.peer))
        whole.addChild(first, withPendingUnitCount: 1)
        try await half.value()
        parts.invalidate()
        let cancelled = Resumption<Void>()
        let large = try file("large", 64 << 20)
        let second = try #require(deck.session.sendResource(at: large, withName: "2", toPeer: desk.peer))
        let cancelling = second.observe(\.isCancelled, options: .new) { _, change in
            if change.newValue == true { cancelled.resume(with: .success(())) }
        }
        whole.addChild(second, withPendingUnitCount: 1)
        whole.cancel()
        try await cancelled.value()
        withExtendedLifetime((parts, cancelling)) {}
    }

    /// The reports of an observer.
    ///
    /// `@unchecked Sendable` because it is behind a lock.
    private final class Steps: @unchecked Sendable {
        private let reported = Locked((values: [Double](), observation: NSKeyValueObservation?.none))

        var values: [Double] { reported.withLock { $0.values } }

        func keep(_ observation: NSKeyValueObservation) { reported.withLock { $0.observation = observation } }

        func add(_ progress: Progress, _ change: NSKeyValueObservedChange<Double>) {
            reported.withLock { $0.values.append(change.newValue ?? progress.fractionCompleted) }
        }
    }

    @Test("The file exists until the delegate returns, and is removed afterwards")
    func temporary() async throws {
        let (deck, desk) = try await pair()
        let url = try file("castle.save", 1000)
        try await deck.session.sendResource(at: url, withName: "castle.save", to: desk.peer)
        let ended = try await ending(at: desk)
        #expect(ended.content?.count == 1000)
        try deck.session.send(Data([1]), toPeers: [desk.peer], with: .reliable)
        _ = try await desk.received()
        let path = try #require(ended.url).path
        while FileManager.default.fileExists(atPath: path) { await EventLoop.shared.letOthersRun() }
        #expect(!FileManager.default.fileExists(atPath: (path as NSString).deletingLastPathComponent))
    }

    @Test("Files of a killed program are removed by the next one, and those of a running one stay")
    func leftovers() throws {
        let (begun, other) = ("multipeer-connectivity-\(UUID().uuidString)", "multipeer-connectivity-0")
        for name in [begun, other] {
            try FileManager.default.createDirectory(atPath: folder.path(of: name), withIntermediateDirectories: false)
            try folder.put("half a level", at: "\(name)/level")
        }
        let alive = try ReceptionFolder(in: folder.path)
        let name = (alive.path as NSString).lastPathComponent
        ReceptionFolder.removeLeftovers(in: folder.path)
        #expect(Set(folder.names()) == [other, name])
        _ = consume alive
        #expect(folder.names() == [other])
    }

    @Test(
        "A name that is no file name leads to no other place and arrives unchanged",
        arguments: ["../../x", "a/b", "..", "100%", "tab\tand\nline", "é"]
    )
    func names(name: String) async throws {
        let (deck, desk) = try await pair()
        try await deck.session.sendResource(at: try file("x", 5), withName: name, to: desk.peer)
        let ended = try await ending(at: desk)
        #expect(ended.name == name && ended.content?.count == 5)
    }

    @Test("A web address, an empty name, a missing file and a peer outside the session are refused")
    func refused() async throws {
        let (deck, desk) = try await pair()
        func error(_ url: URL, _ name: String, _ peer: MCPeerID) async throws -> (MCError?, Bool) {
            let done = Resumption<MCError?>()
            let progress = deck.session.sendResource(at: url, withName: name, toPeer: peer) {
                done.resume(with: .success($0 as? MCError))
            }
            return (try await done.value(), progress == nil)
        }
        let url = try file("x", 5)
        let web = try #require(URL(string: "http://127.0.0.1/x"))
        #expect(try await error(web, "x", desk.peer) == (MCError(.unsupported), true))
        #expect(try await error(url, "", desk.peer) == (MCError(.invalidParameter), true))
        #expect(try await error(url, "x", MCPeerID(displayName: "?")) == (MCError(.notConnected), true))
        let missing = URL(fileURLWithPath: folder.path(of: "missing"))
        #expect(try await error(missing, "x", desk.peer).0?.code == .unavailable)
    }

    @Test("Cancelling on either side stops the transfer, and both sides learn it", arguments: [true, false])
    func cancelled(here: Bool) async throws {
        let (deck, desk) = try await pair()
        // So large that it is still in transfer when the app handles it, however busy the machine is; and it uses no
        // disk space.
        let url = try file("large", 1)
        let handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: 4 << 30)
        try handle.close()
        if !here {
            desk.whenReceived { if case .resourceStarted(_, _, let progress) = $0 { progress.cancel() } }
        }
        let done = Resumption<MCError?>()
        let progress = deck.session.sendResource(at: url, withName: "large", toPeer: desk.peer) {
            done.resume(with: .success($0 as? MCError))
        }
        if here { progress?.cancel() }
        let error = try await done.value()
        #expect(error != nil)
        if here {
            #expect(error?.code == .cancelled)
        } else {
            #expect(try await ending(at: desk).error?.code == .cancelled)
        }
    }

    @Test(
        "A transfer that is cancelled at its start gives no file, however quick it is",
        arguments: [0, 1000, 8 << 20]
    )
    func cancelledAtOnce(size: Int) async throws {
        let (deck, desk) = try await pair()
        desk.whenReceived { if case .resourceStarted(_, _, let progress) = $0 { progress.cancel() } }
        deck.session.sendResource(at: try file("small", size), withName: "small", toPeer: desk.peer)
        let ended = try await ending(at: desk)
        #expect(ended.url == nil && ended.error?.code == .cancelled)
    }

    @Test("When the sender leaves, the receiver learns it and gets no file")
    func senderLeaves() async throws {
        let (deck, desk) = try await pair()
        desk.whenReceived { if case .resourceStarted = $0 { deck.session.disconnect() } }
        deck.session.sendResource(at: try file("large", 64 << 20), withName: "large", toPeer: desk.peer)
        let ended = try await ending(at: desk)
        #expect(ended.url == nil && ended.error != nil)
    }

    @Test("A file of the async API exists as long as it is held")
    func owned() async throws {
        let (deck, desk) = (Player("Deck", in: room), Player("Desk", in: room))
        let events = desk.session.events
        try await deck.connect(to: desk)
        try await deck.session.sendResource(at: try file("x", 5), withName: "x", to: desk.peer)
        var file: MCReceivedFile?
        for await event in events {
            guard case .resourceFinished(let received) = event else { continue }
            file = received
            break
        }
        #expect(try Data(contentsOf: #require(file).url).count == 5)
    }
}
