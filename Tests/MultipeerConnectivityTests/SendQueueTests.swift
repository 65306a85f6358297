import Synchronization
import Testing

@testable import MultipeerConnectivity

@Suite("Send queue of a peer", .timeLimit(.minutes(4)))
struct SendQueueTests {
    @Test("The rest of a message is not sent over a new session if its first part went over the old one")
    func begunOnTheWay() async {
        let sendQueue = SendQueue()
        let room = Mutex(1)
        sendQueue.begin { @Sendable _ in
            room.withLock { room in
                room -= 1
                return room >= 0
            }
        }
        #expect(sendQueue.put([[1], [2], [3]]))
        #expect(sendQueue.put([[4]]))
        sendQueue.pause()
        #expect(await sendQueue.next() == [4])
        sendQueue.sent(1)
        #expect(sendQueue.isEmpty)
    }

    @Test("The rest of a message is not sent over a new session if the sending task has taken the first part")
    func begunFromTheQueue() async {
        let sendQueue = SendQueue()
        #expect(sendQueue.put([[1], [2], [3]]))
        #expect(sendQueue.put([[4], [5]]))
        #expect(await sendQueue.next() == [1])
        sendQueue.pause()
        sendQueue.sent(1)
        #expect(await sendQueue.next() == [4])
        sendQueue.sent(1)
        #expect(await sendQueue.next() == [5])
        sendQueue.sent(1)
        #expect(sendQueue.isEmpty)
    }

    @Test("A message that was sent completely or not at all loses no other")
    func betweenMessages() async {
        let sendQueue = SendQueue()
        #expect(sendQueue.put([[1]]))
        #expect(sendQueue.put([[2], [3]]))
        #expect(await sendQueue.next() == [1])
        sendQueue.pause()
        sendQueue.sent(1)
        #expect(await sendQueue.next() == [2])
        #expect(await sendQueue.next() == [3])
    }

    @Test("A waiting sender continues when the message before is abandoned, or the peer has left")
    func waiting() async throws {
        let sendQueue = SendQueue()
        let large = [UInt8](repeating: 0, count: SendQueue.limit / 2)
        #expect(sendQueue.put([large, large]))
        #expect(!sendQueue.put([[1]]))
        #expect(await sendQueue.next() == large)
        async let isPut = sendQueue.putWaiting([[1]])
        sendQueue.pause()
        #expect(try await isPut)
        async let isPutLater = sendQueue.putWaiting([large, large])
        sendQueue.end()
        #expect(try await !isPutLater)
    }
}
