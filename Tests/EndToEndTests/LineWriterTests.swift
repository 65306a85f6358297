import Synchronization
import Testing

@testable import huddled

@Suite("lines that a thread of their own writes", .timeLimit(.minutes(5)))
struct LineWriterTests {
    /// What was written. Whoever holds it holds up the writer, as a held terminal does.
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

    @Test("come in order")
    func order() async {
        writer("a")
        writer("b")
        #expect(await written() == ["a", "b"])
    }

    @Test("wait for whoever reads them; those for which there is no room are counted, and told before the next")
    func missing() async {
        page.lines.withLock { _ in
            for line in ["a", "b", "c", "d", "e"] { writer(line) }
        }
        #expect(await written() == ["a", "b", "3 missing"])
        writer("f")
        #expect(await written() == ["a", "b", "3 missing", "f"])
    }
}
