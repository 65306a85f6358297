import Glibc
import Ledger
import LinuxPlatform
import SessionRules
import TestSupport
import Testing
import Transport
import Vocabulary

@testable import Session

@Suite("Files and folders on their way", .timeLimit(.minutes(2)))
@Engine
struct TransferTests {
    private static func content(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        var content = [UInt8](repeating: UInt8(truncatingIfNeeded: seed), count: count)
        // One number in each page makes it its own, and is quick.
        for place in stride(from: 0, to: count, by: 4093) { content[place] = UInt8(truncatingIfNeeded: random.next()) }
        return content
    }

    /// Waits until a transfer has come some way.
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
            // Each side in turn loses the link.
            let (node, peer) = round % 2 == 0 ? (deck, desk) : (desk, deck)
            node.node.links[peer.id]?.lane.abort()
        }
        #expect(try await sending.finished().text == "big.dat")
        #expect(try await offer.finished().text == "big.dat")
        #expect(try target.holds(content, in: "big.dat"))
        #expect(target.names() == ["big.dat"])
        await deck.stop()
        await desk.stop()
    }

    @Test("a receiver that was stopped and started anew goes on where it was")
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

    @Test("what is cancelled, on either side, ends on both with the reason", arguments: [true, false])
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

    @Test("a folder arrives with what is in it")
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

    @Test("what can't be stored is refused with the reason, on both sides, and leaves nothing")
    func noPlace() async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        let (here, there) = try await deck.connect(to: desk)
        let source = TemporaryFolder()
        try source.write(Self.content(1000), to: "small.dat")
        let sending = try await here.sendResource(at: source.path(of: "small.dat"))[0]
        let offer = try await there.nextResource()
        await #expect(throws: (any Error).self) { try await offer.accept(into: "/proc/nowhere") }
        #expect(await sending.outcomeCode() == "transfer.refused")
        await deck.stop()
        await desk.stop()
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

extension OutgoingResource {
    fileprivate func outcomeCode() async -> String {
        do { return try await finished().text } catch {
            return (error as? SessionError)?.code.description ?? "\(error)"
        }
    }
}

extension IncomingResource {
    fileprivate func outcomeCode() async -> String {
        do { return try await finished().text } catch {
            return (error as? SessionError)?.code.description ?? "\(error)"
        }
    }
}
