import Synchronization
import Testing

@testable import huddled

@Suite("Lines that a thread of their own writes", .timeLimit(.minutes(5)))
struct LineWriterTests {
    /// The written lines. A test that holds their lock stops the writer, as a held terminal does.
    private final class Page: Sendable {
        let lines = Mutex<[String]>([])
    }

    private let page = Page()
    private let writer: LineWriter

    init() {
        writer = LineWriter(named: "lines", room: 2, missing: { "\($0) missing" }) { [page] line in
            page.lines.withLock { $0.append(line) }
        }
    }

    private func written() async -> [String] {
        await writer.finish(within: .seconds(240))
        return page.lines.withLock { $0 }
    }

    @Test("Lines are written in order")
    func order() async {
        writer("a")
        writer("b")
        #expect(await written() == ["a", "b"])
    }

    @Test("Lines wait for a reader, and a line before the next one counts those left out")
    func missing() async {
        page.lines.withLock { _ in
            for line in ["a", "b", "c", "d", "e"] { writer(line) }
        }
        #expect(await written() == ["a", "b", "3 missing"])
        writer("f")
        #expect(await written() == ["a", "b", "3 missing", "f"])
    }
}
