import Synchronization
import Testing

@testable import MultipeerConnectivity

@Suite("what waits for a peer", .timeLimit(.minutes(4)))
struct OutboxTests {
    @Test("the rest of a message does not follow over a new pair where its beginning went over the old one")
    func begunOnTheWay() async {
        let outbox = Outbox()
        let room = Mutex(1)
        outbox.begin { @Sendable _ in
            room.withLock { room in
                room -= 1
                return room >= 0
            }
        }
        #expect(outbox.put([[1], [2], [3]]))
        #expect(outbox.put([[4]]))
        outbox.pause()
        #expect(await outbox.next() == [4])
        outbox.sent(1)
        #expect(outbox.isEmpty)
    }

    @Test("nor where the one who sends what waits has taken the beginning")
    func begunFromTheQueue() async {
        let outbox = Outbox()
        #expect(outbox.put([[1], [2], [3]]))
        #expect(outbox.put([[4], [5]]))
        #expect(await outbox.next() == [1])
        outbox.pause()
        outbox.sent(1)
        #expect(await outbox.next() == [4])
        outbox.sent(1)
        #expect(await outbox.next() == [5])
        outbox.sent(1)
        #expect(outbox.isEmpty)
    }

    @Test("a message that has gone whole, or not at all, costs no other")
    func betweenMessages() async {
        let outbox = Outbox()
        #expect(outbox.put([[1]]))
        #expect(outbox.put([[2], [3]]))
        #expect(await outbox.next() == [1])
        outbox.pause()
        outbox.sent(1)
        #expect(await outbox.next() == [2])
        #expect(await outbox.next() == [3])
    }

    @Test("who waits for room is let through when the message before is given up, or the peer is gone")
    func waiting() async throws {
        let outbox = Outbox()
        let large = [UInt8](repeating: 0, count: Outbox.limit / 2)
        #expect(outbox.put([large, large]))
        #expect(!outbox.put([[1]]))
        #expect(await outbox.next() == large)
        async let isPut = outbox.putWaiting([[1]])
        outbox.pause()
        #expect(try await isPut)
        async let isPutLater = outbox.putWaiting([large, large])
        outbox.end()
        #expect(try await !isPutLater)
    }
}
