import LinuxPlatform
import Session
import Testing

@testable import Household

@Engine
@Suite("the board where news are put up", .timeLimit(.minutes(5)))
struct NewsBoardTests {
    private let board = NewsBoard()

    private func progress(_ transfer: Int, _ bytes: UInt64) -> SessionNews {
        SessionNews("progress", nil, nil) { ($0.transfer, $0.bytes) = (transfer, bytes) }
    }

    @Test("shows each follower all that happens from when it began to follow, in order")
    func follows() async {
        board.put(SessionNews("before", nil, nil))
        let (first, second) = (board.follow(), board.follow())
        board.put(SessionNews("one", nil, nil))
        board.put(SessionNews("two", nil, nil))
        for reader in [first, second] { #expect(await reader.next()?.map(\.event) == ["one", "two"]) }
    }

    @Test("wakes a follower that waits")
    func wakes() async {
        let reader = board.follow()
        async let latest = reader.next()
        await Task.yield()
        board.put(SessionNews("late", nil, nil))
        #expect(await latest?.map(\.event) == ["late"])
    }

    @Test("replaces how far a transfer was by how far it is, and keeps those of others")
    func progress() async {
        let reader = board.follow()
        for news in [progress(1, 10), progress(2, 5), progress(1, 20)] { board.put(news) }
        #expect(reader.rest().map(\.bytes) == [20, 5])
    }

    @Test("tells a follower that does not read how much it missed, and keeps no more than a few megabytes")
    func missed() async {
        let reader = board.follow()
        let long = String(repeating: "x", count: 1 << 20)
        for _ in 0..<10 { board.put(SessionNews("message", nil, nil) { $0.text = long }) }
        let news = reader.rest()
        #expect(news.count == 4)
        #expect(news.last?.event == "missed")
        #expect(news.last?.number == 7)
        board.put(SessionNews("after", nil, nil))
        #expect(reader.rest().map(\.event) == ["after"])
    }

    @Test("forgets a follower that was let go")
    func letGo() async {
        do {
            let reader = board.follow()
            #expect(board.readerCount == 1)
            withExtendedLifetime(reader) {}
        }
        #expect(board.readerCount == 0)
    }
}
