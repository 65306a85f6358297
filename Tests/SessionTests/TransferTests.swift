import Glibc
import Ledger
import LinuxPlatform
import ScriptedPeers
import SessionRules
import TestSupport
import Testing
import Transport
import Vocabulary
import Wire

@testable import Session

@Suite("Files and folders on their way", .timeLimit(.minutes(10)))
@Engine
struct TransferTests {
    private static func content(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        var content = [UInt8](repeating: UInt8(truncatingIfNeeded: seed), count: count)
        // One random number in each page makes the page unique, and is quick.
        for place in stride(from: 0, to: count, by: 4093) { content[place] = UInt8(truncatingIfNeeded: random.next()) }
        return content
    }

    /// Waits until a transfer has reached this number of bytes.
    private func untilMoved(_ offer: IncomingResource, to bytes: UInt64) async {
        while offer.progress.done < bytes { await Task.yield() }
    }

    @Test(
        "a link that is cut again and again in the middle of a file makes it late and never broken",
        arguments: [1, 2, 3]
    )
    func cuts(seed: Int) async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        let (here, there) = try await deck.connect(to: desk)
        let (source, target) = (TemporaryFolder(), TemporaryFolder())
        let content = Self.content(48 << 20, seed: UInt64(seed))
        try source.write(content, to: "big.dat")
        let sending = try await here.sendResource(at: source.path(of: "big.dat"))[0]
        let offer = try await there.nextResource()
        try await offer.accept(into: target.path)
        for round in 1...6 {
            await untilMoved(offer, to: UInt64(round) * (7 << 20))
            // The two sides lose the link in turn.
            let (node, peer) = round % 2 == 0 ? (deck, desk) : (desk, deck)
            node.node.link(to: peer.id)?.channel.abort()
        }
        #expect(try await sending.finished().text == "big.dat")
        #expect(try await offer.finished().text == "big.dat")
        #expect(try target.holds(content, in: "big.dat"))
        #expect(target.names() == ["big.dat"])
        await deck.stop()
        await desk.stop()
    }

    @Test("a receiver that was restarted continues a transfer where it was")
    func receiverRestarts() async throws {
        let deck = try await TestNode.open("Deck")
        var desk = try await TestNode.open("Desk")
        let (here, first) = try await deck.connect(to: desk)
        var there = first
        let (source, target) = (TemporaryFolder(), TemporaryFolder())
        let content = Self.content(160 << 20)
        try source.write(content, to: "big.dat")
        let sending = try await here.sendResource(at: source.path(of: "big.dat"))[0]
        for round in 1...3 {
            let offer = try await there.nextResource()
            try await offer.accept(into: target.path)
            await untilMoved(offer, to: UInt64(round) * (8 << 20))
            let port = desk.node.port
            await desk.stop(atOnce: true)
            desk = try await TestNode.open("Desk", in: desk.folder) { $0.port = port }
            there = try await desk.nextJoined()
        }
        let offer = try await there.nextResource()
        try await offer.accept(into: target.path)
        await untilMoved(offer, to: 1)
        #expect(offer.progress.done >= 20 << 20, "it goes on where it was")
        #expect(try await sending.finished().text == "big.dat")
        #expect(try target.holds(content, in: "big.dat"))
        #expect(target.names() == ["big.dat"])
        await deck.stop()
        await desk.stop()
    }

    @Test("a line that is slow for long is not taken for one without progress")
    func slowLine() async throws {
        let change: (inout NodeConfiguration) -> Void = {
            $0.patience.liveness = .init(ping: .seconds(1), suspect: .seconds(8), lost: .seconds(240))
            $0.patience.transfers = TransferPatience(stall: .seconds(20))
        }
        try await TestNode.with(change) { desk in
            let peer = try await ScriptedPeer.trusted(by: desk.node)
            let session = try await peer.enter()
            let there = try await desk.nextJoined()
            let target = TemporaryFolder()
            let offer = OfferBytes(session: session, name: "save.dat", total: 1000)
            try await peer.offer(offer)
            let incoming = try await there.nextResource()
            try await incoming.accept(into: target.path)
            _ = try await peer.hear { if case .resourceAnswer = $0 { true } else { nil } }
            let channel = try await peer.readyChannel()
            try await channel.say(.resourceBegin(offer.transfer))
            guard case .held = try await channel.hear() else { throw ScriptedPeer.Unexpected.frame }
            try await channel.say(.startAt(0))
            // Each frame comes about eight seconds after the one before. So together they take longer than a transfer
            // may make no progress.
            for _ in 0..<4 where incoming.isRunning {
                try await channel.say(.data([1]))
                try await peer.hear { if case .ping = $0 { () } else { nil } }
            }
            #expect(incoming.isRunning)
            #expect(incoming.progress.done > 0)
        }
    }

    @Test("an offer to a machine that leaves while it decides ends at once")
    func leftWhileLookedAt() async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        let (here, _) = try await deck.connect(to: desk)
        let source = TemporaryFolder()
        try source.write(Self.content(1 << 20), to: "big.dat")
        let path = source.path(of: "big.dat")
        let offering = Task { @Engine in try await here.sendResource(at: path) }
        // This runs after the task's first step, and before the file is read.
        Engine.loop.perform { @Sendable in
            Engine.assumeIsolated {
                if let member = here.members[desk.id] { deck.node.peer(desk.id).drop(member, because: .left) }
            }
        }
        let transfers = try await offering.value
        try #require(transfers.count == 1)
        await #expect(throws: SessionError(TransferOutcome.gone(.left))) { try await transfers[0].finished() }
        await deck.stop()
        await desk.stop()
    }

    @Test("a transfer that is cancelled on either side ends on both with the reason", arguments: [true, false])
    func cancelled(here cancelsHere: Bool) async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        let (here, there) = try await deck.connect(to: desk)
        let (source, target) = (TemporaryFolder(), TemporaryFolder())
        try source.write(Self.content(64 << 20), to: "big.dat")
        let sending = try await here.sendResource(at: source.path(of: "big.dat"))[0]
        let offer = try await there.nextResource()
        try await offer.accept(into: target.path)
        await untilMoved(offer, to: 4 << 20)
        if cancelsHere { sending.cancel() } else { offer.cancel() }
        let (sent, received) = (await sending.outcomeCode(), await offer.outcomeCode())
        #expect(sent == (cancelsHere ? "transfer.cancelled" : "transfer.cancelled-there"))
        #expect(received == (cancelsHere ? "transfer.cancelled-there" : "transfer.cancelled"))
        #expect(!target.names().contains("big.dat"))
        await deck.stop()
        await desk.stop()
    }

    enum Canceller: CaseIterable { case sender, receiver }

    @Test(
        "a transfer that is cancelled before it has its name leaves no file, and reports none",
        arguments: Canceller.allCases
    )
    func cancelledBeforeNaming(by canceller: Canceller) async throws {
        let (sent, received, names) = try await cancelled(by: canceller, at: .aboutToDecide)
        #expect(sent == (canceller == .sender ? "transfer.cancelled" : "transfer.cancelled-there"))
        #expect(received == (canceller == .sender ? "transfer.cancelled-there" : "transfer.cancelled"))
        #expect(!names.contains("save.dat"))
    }

    @Test("a transfer that is cancelled too late has its file, and both sides say so", arguments: Canceller.allCases)
    func cancelledTooLate(by canceller: Canceller) async throws {
        let (sent, received, names) = try await cancelled(by: canceller, at: .decided)
        #expect(sent == "save.dat")
        #expect(received == "save.dat")
        #expect(names == ["save.dat"])
    }

    /// Cancels a file that has arrived whole, while the thread that is about to name it is held.
    private func cancelled(
        by canceller: Canceller,
        at moment: NamingDecision.Moment
    ) async throws -> (sent: String, received: String, names: [String]) {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        let (here, there) = try await deck.connect(to: desk)
        let (source, target) = (TemporaryFolder(), TemporaryFolder())
        try source.write(Self.content(1000), to: "save.dat")
        let sending = try await here.sendResource(at: source.path(of: "save.dat"))[0]
        let offer = try await there.nextResource()
        let (reached, gate) = (Resumption<Void>(), BlockingGate())
        offer.naming = NamingDecision { now in
            guard now == moment else { return }
            reached.resume(with: .success(()))
            gate.pass()
        }
        try await offer.accept(into: target.path)
        try await reached.value()
        switch canceller {
        case .sender: sending.cancel()
        case .receiver: offer.cancel()
        }
        if moment == .aboutToDecide {
            while !offer.isOver { await Task.yield() }
        }
        gate.open()
        let codes = (await sending.outcomeCode(), await offer.outcomeCode())
        await deck.stop()
        await desk.stop()
        return (codes.0, codes.1, target.names())
    }

    @Test("a file that is offered again while an older transfer of it hangs takes its place and continues")
    func offeredAgain() async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        let (here, there) = try await deck.connect(to: desk)
        let (source, target) = (TemporaryFolder(), TemporaryFolder())
        try source.write(Self.content(1000), to: "big.dat")
        // The file is so large that the first transfer runs for as long as this test takes. Nearly all of the file is a
        // hole.
        try retrying("truncate") { truncate(source.path(of: "big.dat"), 8 << 30) }
        let sending = try await here.sendResource(at: source.path(of: "big.dat"))[0]
        let offer = try await there.nextResource()
        try await offer.accept(into: target.path)
        await untilMoved(offer, to: 24 << 20)
        let again = try await here.sendResource(at: source.path(of: "big.dat"))[0]
        let second = try await there.nextResource()
        try await second.accept(into: target.path)
        #expect(await sending.outcomeCode() == "transfer.cancelled-there")
        #expect(await offer.outcomeCode() == "transfer.cancelled")
        await untilMoved(second, to: 1)
        #expect(second.progress.done >= 16 << 20, "it continues where it was")
        again.cancel()
        #expect(await second.outcomeCode() == "transfer.cancelled-there")
        await deck.stop()
        await desk.stop()
    }

    @Test("a folder arrives with its content")
    func folder() async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        let (here, there) = try await deck.connect(to: desk)
        let (source, target) = (TemporaryFolder(), TemporaryFolder())
        try retrying("mkdir") { mkdir(source.path(of: "saves"), 0o755) }
        for number in 0..<300 {
            try source.write(Self.content(number * 13, seed: UInt64(number)), to: "saves/\(number)")
        }
        let sending = try await here.sendResource(at: source.path(of: "saves"))[0]
        let offer = try await there.nextResource()
        #expect(offer.isFolder)
        try await offer.accept(into: target.path)
        #expect(try await sending.finished().text == "saves")
        for number in 0..<300 {
            #expect(try target.holds(Self.content(number * 13, seed: UInt64(number)), in: "saves/\(number)"))
        }
        await deck.stop()
        await desk.stop()
    }

    @Test("a file that can't be stored is refused with the reason, on both sides, and leaves nothing")
    func noPlace() async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        let (here, there) = try await deck.connect(to: desk)
        let source = TemporaryFolder()
        try source.write(Self.content(1000), to: "small.dat")
        let sending = try await here.sendResource(at: source.path(of: "small.dat"))[0]
        let offer = try await there.nextResource()
        await #expect(throws: (any Error).self) { try await offer.accept(into: "/proc/nowhere") }
        #expect(await sending.outcomeCode() == "transfer.failed-there")
        await deck.stop()
        await desk.stop()
    }

    @Test("a file that changes while it is sent fails on both sides with that reason, and leaves nothing")
    func sourceChanges() async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        let (here, there) = try await deck.connect(to: desk)
        let (source, target) = (TemporaryFolder(), TemporaryFolder())
        try source.write(Self.content(64 << 20), to: "big.dat")
        let sending = try await here.sendResource(at: source.path(of: "big.dat"))[0]
        let offer = try await there.nextResource()
        try await offer.accept(into: target.path)
        await untilMoved(offer, to: 4 << 20)
        try source.write([1, 2, 3], to: "big.dat")
        #expect(await sending.outcomeCode() == "transfer.failed")
        // A command that has nothing else to send does the same.
        here.leave()
        #expect(await offer.outcomeCode() == "transfer.failed-there")
        await desk.stop()
        await deck.stop()
        #expect(target.names().isEmpty)
    }

    @Test(
        "a receiver that is stopped in the middle of a file gets the rest, and the sender learns that it has arrived",
        arguments: 0..<5
    )
    func stopped(round: Int) async throws {
        let deck = try await TestNode.open("Deck")
        let desk = try await TestNode.open("Desk") { $0.patience.shutdown = .init(drain: .seconds(20)) }
        let (here, there) = try await deck.connect(to: desk)
        let (source, target) = (TemporaryFolder(), TemporaryFolder())
        try source.write(Self.content(24 << 20), to: "big.dat")
        let sending = try await here.sendResource(at: source.path(of: "big.dat"))[0]
        let offer = try await there.nextResource()
        try await offer.accept(into: target.path)
        await untilMoved(offer, to: 4 << 20)
        await desk.stop()
        #expect(target.names() == ["big.dat"])
        let timer = Engine.schedule(at: .now + .seconds(10)) { sending.cancel() }
        defer { timer.cancel() }
        #expect(await sending.outcomeCode() == "big.dat")
        await deck.stop()
    }

    @Test("a file without enough space leaves nothing behind")
    func noRoom() async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        let (here, there) = try await deck.connect(to: desk)
        let (source, target) = (TemporaryFolder(), TemporaryFolder())
        try source.write([1], to: "huge.dat")
        // Hardly any disk has 15 TiB free, and a file with such a large hole is made quickly.
        try #require(truncate(source.path(of: "huge.dat"), 15 << 40) == 0)
        let sending = try await here.sendResource(at: source.path(of: "huge.dat"))[0]
        let offer = try await there.nextResource()
        try? await offer.accept(into: target.path)
        #expect(["transfer.failed", "transfer.refused"].contains(await offer.outcomeCode()))
        let refusal = await #expect(throws: (any Error).self) { try await sending.finished() } as? any ExplainedError
        #expect(["transfer.failed-there", "transfer.refused"].contains(refusal?.code))
        // The sender must not learn how full the receiver's disk is.
        let reported = refusal.map { "\($0)" } ?? ""
        #expect(reported.contains("not enough room") && !reported.contains("iB"), "\(reported)")
        await desk.stop()
        await deck.stop()
        #expect(target.names().isEmpty)
    }

    @Test("one file to several peers is read from the disk once")
    func toMany() async throws {
        let deck = try await TestNode.open("Deck")
        let chat = try deck.session()
        let content = Self.content(20 << 20)
        let source = TemporaryFolder()
        try source.write(content, to: "big.dat")
        var (others, sessions, targets) = ([TestNode](), [Session](), [TemporaryFolder]())
        for number in 0..<4 {
            let other = try await TestNode.open("Desk \(number)")
            try await deck.befriend(other)
            try await deck.node.invite(.address(try other.address), to: chat)
            others.append(other)
            sessions.append(try await other.nextJoined())
            targets.append(TemporaryFolder())
        }
        let sendings = try await chat.sendResource(at: source.path(of: "big.dat"))
        #expect(sendings.count == 4)
        for (session, target) in zip(sessions, targets) {
            try await session.nextResource().accept(into: target.path)
        }
        for sending in sendings { #expect(try await sending.finished().text == "big.dat") }
        for target in targets { #expect(try target.holds(content, in: "big.dat")) }
        for node in [deck] + others { await node.stop() }
    }
}

/// One of the two sides of a transfer.
@Engine
private protocol TransferSide {
    func finished() async throws -> FileName
}

extension OutgoingResource: TransferSide {}
extension IncomingResource: TransferSide {}

extension TransferSide {
    /// The name that the file has got, or the code of the error.
    fileprivate func outcomeCode() async -> String {
        do { return try await finished().text } catch {
            return (error as? SessionError)?.code.description ?? "\(error)"
        }
    }
}
