import LinuxPlatform
import Session
import Testing
import Vocabulary

@testable import Household

@Engine
@Suite("The bus of events", .timeLimit(.minutes(5)))
struct EventBusTests {
    private let bus = EventBus()

    private func progress(_ transfer: Int, _ bytes: UInt64) throws -> DaemonLine {
        let event = TransferProgressEvent(.sending, try peer(), "a", done: bytes, total: 30, transfer: transfer)
        return DaemonLine(.progress(event), nil)
    }

    private func peer() throws -> PeerTag {
        PeerTag(try #require(PeerID(bytes: [UInt8](repeating: 7, count: 32))), nil)
    }

    private func line(_ event: String) -> DaemonLine { DaemonLine(.unknown(UnknownEvent(event)), nil) }

    @Test("A reader gets all events since it follows, in order")
    func follows() async {
        bus.put(line("before"))
        let (first, second) = (bus.follow(), bus.follow())
        bus.put(line("one"))
        bus.put(line("two"))
        for reader in [first, second] { #expect(await reader.next()?.map(\.name) == ["one", "two"]) }
    }

    @Test("An event wakes a reader that waits")
    func wakes() async {
        let reader = bus.follow()
        async let latest = reader.next()
        await Task.yield()
        bus.put(line("late"))
        #expect(await latest?.map(\.name) == ["late"])
    }

    @Test("The progress of a transfer replaces its earlier progress")
    func progress() async throws {
        let reader = bus.follow()
        for line in [try progress(1, 10), try progress(2, 5), try progress(1, 20)] { bus.put(line) }
        let done = reader.rest().map { line -> UInt64 in
            if case .progress(let event) = line.event { event.done } else { 0 }
        }
        #expect(done == [20, 5])
    }

    @Test("A slow reader learns how many events it missed, and at most a few megabytes wait for it")
    func missed() async throws {
        let reader = bus.follow()
        let long = String(repeating: "x", count: 1 << 20)
        for _ in 0..<10 { bus.put(DaemonLine(.message(MessageEvent(try peer(), .text(long))), nil)) }
        let lines = reader.rest()
        #expect(lines.count == 4)
        #expect(lines.last?.name == "missed")
        #expect(lines.last?.event == .missed(MissedEvent(count: 7)))
        bus.put(line("after"))
        #expect(reader.rest().map(\.name) == ["after"])
    }

    @Test("The bus forgets a reader that was released")
    func letGo() async {
        do {
            let reader = bus.follow()
            #expect(bus.readerCount == 1)
            withExtendedLifetime(reader) {}
        }
        #expect(bus.readerCount == 0)
    }
}
