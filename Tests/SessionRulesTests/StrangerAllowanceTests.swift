import SessionRules
import Testing
import Vocabulary

@Suite("What strangers together may cost", .timeLimit(.minutes(1)))
struct StrangerAllowanceTests {
    private static let day = 86_400.0

    @Test("ten strangers may ask at once, each once, and then one after a pause that doubles up to an hour")
    func questions() {
        var allowance = StrangerAllowance<Int>()
        var asked: [Int64] = []
        // Ten strangers a second knock for a day, and each question is open for ten seconds.
        for second in 0..<Int64(Self.day) {
            if second >= 10, let over = asked.first(where: { $0 == second - 10 }) { allowance.isOver(id(over)) }
            for knock in 0..<10 as Range<Int64> {
                let number = second * 10 + knock
                guard allowance.mayAsk(peer(number), at: second) else { continue }
                allowance.ask(id(number), of: peer(number), at: second)
                asked.append(number)
                if second > 0 { allowance.isOver(id(number)) }
            }
        }
        let seconds = asked.map { $0 / 10 }
        #expect(seconds.prefix(10).allSatisfy { $0 == 0 })
        #expect(Array(seconds.dropFirst(10).prefix(4)) == [60, 180, 420, 900])
        let pauses = zip(seconds.dropFirst(16), seconds.dropFirst(17)).map { $1 - $0 }
        #expect(pauses.allSatisfy { $0 == 3600 })
        #expect(asked.count < 50)
    }

    @Test("no more than ten questions are open, and none of a stranger whose question is")
    func open() {
        var allowance = StrangerAllowance<Int>()
        for number in 0..<9 as Range<Int64> { allowance.ask(id(number), of: peer(number), at: 0) }
        #expect(!allowance.mayAsk(peer(3), at: 0))
        #expect(allowance.mayAsk(peer(9), at: 0))
        allowance.ask(id(9), of: peer(9), at: 0)
        #expect(!allowance.mayAsk(peer(10), at: 7200))
        #expect(allowance.closing(at: 7200) == .untilAnswered)
        allowance.isOver(id(4))
        #expect(!allowance.mayAsk(peer(10), at: 59))
        #expect(allowance.closing(at: 59) == .pause(1) && allowance.closing(at: 60) == nil)
        #expect(allowance.mayAsk(peer(10), at: 60))
        #expect(allowance.mayAsk(peer(4), at: 60))
    }

    @Test("a pairing that a person wanted ends the pause")
    func pairing() {
        var allowance = StrangerAllowance<Int>()
        for number in 0..<10 as Range<Int64> {
            allowance.ask(id(number), of: peer(number), at: 0)
            allowance.isOver(id(number))
        }
        #expect(!allowance.mayAsk(peer(11), at: 1))
        allowance.paired()
        #expect(allowance.mayAsk(peer(11), at: 1))
    }

    @Test(
        "ten notes in ten minutes are written, and the others are one note with their number and that of their addresses"
    )
    func notes() {
        var allowance = StrangerAllowance<Int>()
        var written = 0
        var due: [ContinuousClock.Instant] = []
        for number in 0..<4_030 {
            switch allowance.note(from: number % 20, at: .at(Double(number) / 100)) {
            case .write: written += 1
            case .fold(let moment): if let moment { due.append(moment) }
            }
        }
        #expect(written == 10)
        #expect(due == [.at(600)])
        let folded = allowance.takeFolded()
        #expect(folded?.count == 4_020 && folded?.addressCount == 20)
        #expect(allowance.takeFolded() == nil)
        guard case .write = allowance.note(from: 1, at: .at(601)) else {
            Issue.record("a new span begins with a note that is written")
            return
        }
    }

    @Test("addresses are told apart up to a number, so that they take no memory without end")
    func addresses() {
        var allowance = StrangerAllowance<Int>()
        for number in 0..<10_000 { _ = allowance.note(from: number, at: .at(0)) }
        #expect(allowance.takeFolded()?.addressCount == 256)
    }

    private func id(_ number: Int64) -> InvitationID { InvitationID(high: 1, low: UInt64(number)) }

    private func peer(_ number: Int64) -> PeerID {
        let bytes = (0..<32).map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> (8 * $0)) : 0 }
        guard let peer = PeerID(bytes: bytes) else { preconditionFailure("32 bytes are an id") }
        return peer
    }
}
