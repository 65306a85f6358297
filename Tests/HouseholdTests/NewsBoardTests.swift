import LinuxPlatform
import Session
import Testing
import Vocabulary

@testable import Household

@Engine
@Suite("The board of events", .timeLimit(.minutes(5)))
struct NewsBoardTests {
    private let board = NewsBoard()

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
        board.put(line("before"))
        let (first, second) = (board.follow(), board.follow())
        board.put(line("one"))
        board.put(line("two"))
        for reader in [first, second] { #expect(await reader.next()?.map(\.name) == ["one", "two"]) }
    }

    @Test("An event wakes a reader that waits")
    func wakes() async {
        let reader = board.follow()
        async let latest = reader.next()
        await Task.yield()
        board.put(line("late"))
        #expect(await latest?.map(\.name) == ["late"])
    }

    @Test("The progress of a transfer replaces its earlier progress")
    func progress() async throws {
        let reader = board.follow()
        for news in [try progress(1, 10), try progress(2, 5), try progress(1, 20)] { board.put(news) }
        let done = reader.rest().map { news -> UInt64 in
            if case .progress(let event) = news.event { event.done } else { 0 }
        }
        #expect(done == [20, 5])
    }

    @Test("A slow reader learns how many events it missed, and at most a few megabytes wait for it")
    func missed() async throws {
        let reader = board.follow()
        let long = String(repeating: "x", count: 1 << 20)
        for _ in 0..<10 { board.put(DaemonLine(.message(MessageEvent(try peer(), .text(long))), nil)) }
        let news = reader.rest()
        #expect(news.count == 4)
        #expect(news.last?.name == "missed")
        #expect(news.last?.event == .missed(MissedEvent(count: 7)))
        board.put(line("after"))
        #expect(reader.rest().map(\.name) == ["after"])
    }

    @Test("The board forgets a reader that was released")
    func letGo() async {
        do {
            let reader = board.follow()
            #expect(board.readerCount == 1)
            withExtendedLifetime(reader) {}
        }
        #expect(board.readerCount == 0)
    }
}
