import Glibc
import Ledger
import LinuxPlatform
import SessionRules
import TestSupport
import Testing
import Transport
import Vocabulary

@testable import Session

@Suite("Messages, streams and files in a session", .timeLimit(.minutes(5)))
@Engine
struct TravelTests {
    private func withPair(
        _ body: (TestNode, TestNode, Session, Session) async throws -> Void
    ) async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        let (here, there) = try await deck.connect(to: desk)
        do {
            try await body(deck, desk, here, there)
        } catch {
            await deck.stop()
            await desk.stop()
            throw error
        }
        await deck.stop()
        await desk.stop()
    }

    @Test("messages of every size arrive whole and in order, both ways")
    func messages() async throws {
        try await withPair { deck, desk, here, there in
            let sizes = [0, 1, 64, 65_507, 65_508, 65_509, 200_000, 1 << 20]
            for (session, other) in [(here, there), (there, here)] {
                for size in sizes { try await session.send([UInt8](repeating: UInt8(size % 251), count: size)) }
                for size in sizes {
                    let message = try await other.nextMessage()
                    #expect(areEqual(message.bytes, [UInt8](repeating: UInt8(size % 251), count: size)))
                }
            }
            await #expect(throws: SessionError.messageTooLarge) {
                try await here.send([UInt8](repeating: 0, count: (1 << 20) + 1))
            }
        }
    }

    @Test("a peer that does not read makes the sender wait, and loses nothing")
    func backPressure() async throws {
        try await withPair { deck, desk, here, there in
            let message = [UInt8](repeating: 7, count: 100_000)
            let sent = Count()
            let sending = Task(executorPreference: EventLoop.shared.taskExecutor) {
                for _ in 0..<100 {
                    try await here.send(message)
                    await sent.increase()
                }
            }
            _ = try await there.next { if case .joined = $0 { true } else { nil } }
            // When this has gone back and forth, the sender has done all that it could do without the reader.
            for _ in 0..<20 {
                try await there.send([1])
                _ = try await here.nextMessage()
            }
            #expect(sent.value < 25)
            for _ in 0..<100 { #expect(try await there.nextMessage().bytes.count == 100_000) }
            try await sending.value
        }
    }

    @Test("messages that several threads send at once arrive whole, those of each in order, over cuts too")
    func anyThread() async throws {
        try await withPair { deck, desk, here, there in
            let (threads, count) = (4, 300)
            let sending = (0..<threads).map { thread in
                Task.detached {
                    for place in 0..<count {
                        let rest = [UInt8](repeating: 7, count: place % 10 == 0 ? 90_000 : 0)
                        try await here.send([UInt8(thread), UInt8(place >> 8), UInt8(place & 0xFF)] + rest)
                    }
                }
            }
            var next = [Int](repeating: 0, count: threads)
            for received in 0..<threads * count {
                let bytes = try await there.nextMessage().bytes
                let (thread, place) = (Int(bytes[0]), Int(bytes[1]) << 8 | Int(bytes[2]))
                #expect(place == next[thread])
                #expect(bytes.count == (place % 10 == 0 ? 90_003 : 3))
                next[thread] += 1
                if received % 400 == 200 { deck.node.link(to: desk.id)?.channel.abort() }
            }
            for thread in sending { try await thread.value }
        }
    }

    @Test("a message that another thread sends while a peer joins is not lost once it was accepted")
    func whileInvited() async throws {
        let (deck, desk) = (try await TestNode.open("Deck"), try await TestNode.open("Desk"))
        try await deck.befriend(desk)
        for _ in 0..<5 {
            let here = try deck.session()
            let sending = Task.detached {
                var number: UInt8 = 0
                while number < 50 {
                    do {
                        try await here.send([number], to: [desk.id])
                        number += 1
                    } catch let error as SessionError where error == .notInSession {
                        await Task.yield()
                    }
                }
            }
            try await deck.node.invite(.address(try desk.address), to: here)
            let there = try await desk.nextJoined()
            for number in 0..<50 as Range<UInt8> { #expect(try await there.nextMessage().bytes == [number]) }
            try await sending.value
            here.leave()
        }
        await deck.stop()
        await desk.stop()
    }

    @Test("a stream carries the written bytes and ends cleanly")
    func stream() async throws {
        try await withPair { deck, desk, here, there in
            for (session, other, peer) in [(here, there, desk.id), (there, here, deck.id)] {
                async let opened = session.openStream(named: try Label("log"), to: peer)
                let incoming = try await other.nextStream()
                let outgoing = try await opened
                #expect(incoming.name.text == "log")
                let writing = Task(executorPreference: EventLoop.shared.taskExecutor) {
                    for round in 0..<50 { try await outgoing.write([UInt8](repeating: UInt8(round), count: 40_000)) }
                    try await outgoing.finish()
                }
                var received: [UInt8] = []
                while let bytes = try await incoming.read() { received += bytes }
                var expected: [UInt8] = []
                for round in 0..<50 { expected += [UInt8](repeating: UInt8(round), count: 40_000) }
                #expect(areEqual(received, expected))
                try await writing.value
            }
        }
    }

    @Test("a stream can be abandoned while its writer waits for a slow reader, and that is no end")
    func streamGivenUp() async throws {
        try await withPair { _, desk, here, there in
            let stream = try await here.openStream(named: try Label("log"), to: desk.id)
            let reading = try await there.nextStream()
            let written = Count()
            let writing = Task(executorPreference: EventLoop.shared.taskExecutor) {
                while true {
                    try await stream.write([UInt8](repeating: 1, count: 1 << 20))
                    await written.increase()
                }
            }
            // Nothing is read, so the writer soon waits.
            var before = -1
            while before != written.value {
                before = written.value
                // because no event reports that a writer must wait
                try await Engine.loop.sleep(for: .milliseconds(200))
            }
            await stream.abort()
            await #expect(throws: (any Error).self) { try await writing.value }
            await #expect(throws: (any Error).self) { while try await reading.read() != nil {} }
        }
    }

    @Test("a stream whose writer leaves the session breaks for its reader with a reason")
    func writerLeaves() async throws {
        try await withPair { _, desk, here, there in
            let stream = try await here.openStream(named: try Label("log"), to: desk.id)
            let reading = try await there.nextStream()
            try await stream.write([1])
            _ = try await reading.read()
            here.leave()
            do {
                while try await reading.read() != nil {}
                Issue.record("that is no clean end")
            } catch {
                // The end of the channel or the end of the membership may come first: this side has closed neither.
                #expect(error as? ChannelError != .closed)
            }
            withExtendedLifetime(stream) {}
        }
    }

    @Test("a partial file from long ago is removed, and a newer one is not")
    func stalePartials() async throws {
        try await withPair { _, desk, _, _ in
            let folder = TemporaryFolder()
            let names = ["0", "1"].map { ".huddle-0123456789abcdef-\(String(repeating: $0, count: 32))-2a.partial" }
            for name in names + ["mine"] { try folder.put("begun", at: name) }
            var times = [timeval](repeating: timeval(tv_sec: 1_000_000, tv_usec: 0), count: 2)
            for name in [names[0], "mine"] { utimes(folder.path(of: name), &times) }
            try await PartialFiles.removeStale(in: folder.path)
            #expect(folder.names() == [names[1], "mine"])
        }
    }

    @Test("a file arrives whole under its name, and beside one of the same name")
    func file() async throws {
        try await withPair { deck, desk, here, there in
            var random = SeededGenerator(seed: 1)
            var content = [UInt8](repeating: 7, count: 3_000_000)
            for place in stride(from: 0, to: content.count, by: 997) {
                content[place] = .random(in: 0...255, using: &random)
            }
            let (source, target) = (TemporaryFolder(), TemporaryFolder())
            try source.write(content, to: "save.dat")
            for expected in ["save.dat", "save (2).dat"] {
                let sending = try await here.sendResource(at: source.path + "/save.dat")
                let offer = try await there.nextResource()
                #expect(offer.totalBytes == 3_000_000)
                try await offer.accept(into: target.path)
                #expect(try await sending[0].finished().text == expected)
                #expect(try await offer.finished().text == expected)
                #expect(try target.holds(content, in: expected))
            }
        }
    }
}

@Engine
private final class Count {
    private(set) var value = 0

    func increase() { value += 1 }
}
