import LinuxPlatform
import Household
import Session
import Testing

@testable import Herald

@Engine
@Suite("what the hook is still to be called for", .timeLimit(.minutes(10)))
struct HookQueueTests {
    private func call(_ text: String) throws -> HookCall {
        try #require(HookCall(SessionNews("message", nil, nil) { $0.text = text }))
    }

    @Test("waits in order, a hundred at the most, and what is left out is counted once")
    func count() async throws {
        let queue = HookQueue()
        for number in 0..<HookQueue.countLimit + 7 { queue.add(try call("\(number)")) }
        #expect(queue.takeMissed() == 7)
        #expect(queue.takeMissed() == 0)
        for number in 0..<HookQueue.countLimit {
            let next = try #require(await queue.next())
            #expect(next.input == Array("{\"event\":\"message\",\"text\":\"\(number)\"}\n".utf8))
        }
        queue.add(try call("again"))
        #expect(await queue.next() != nil && queue.takeMissed() == 0)
    }

    @Test("takes only so much memory, though one call always has room")
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
