import LinuxPlatform
import Household
import Session
import Testing
import Vocabulary

@testable import Notifier

@Engine
@Suite("Hook queue", .timeLimit(.minutes(10)))
struct HookQueueTests {
    private func call(_ text: String) throws -> HookCall {
        let peer = PeerTag(try #require(PeerID(bytes: [UInt8](repeating: 7, count: 32))), nil)
        return try #require(HookCall(DaemonLine(.message(MessageEvent(peer, .text(text))), nil)))
    }

    @Test("A queue keeps up to a hundred calls in order, and counts dropped ones once")
    func count() async throws {
        let queue = HookQueue()
        for number in 0..<HookQueue.countLimit + 7 { queue.add(try call("\(number)")) }
        #expect(queue.takeMissed() == 7)
        #expect(queue.takeMissed() == 0)
        for number in 0..<HookQueue.countLimit {
            let next = try #require(await queue.next())
            #expect(String(decoding: next.input, as: UTF8.self).hasSuffix("\"text\":\"\(number)\"}\n"))
        }
        queue.add(try call("again"))
        #expect(await queue.next() != nil && queue.takeMissed() == 0)
    }

    @Test("A queue has a memory limit, but a single call always fits")
    func bytes() async throws {
        let queue = HookQueue()
        queue.add(try call(String(repeating: "x", count: HookQueue.byteLimit)))
        queue.add(try call("small"))
        #expect(queue.takeMissed() == 1)
        _ = await queue.next()
        queue.add(try call("small"))
        #expect(queue.takeMissed() == 0)
    }
}
