import SessionRules
import TestSupport
import Testing
import Vocabulary

@Suite("The allowance of strangers", .timeLimit(.minutes(1)))
struct StrangerAllowanceTests {
    private static let day = 86_400.0

    /// Asks for a stranger and shows the question, if the stranger may ask.
    private func asks(
        _ number: Int64,
        from address: Int,
        at second: Int64 = 0,
        _ allowance: inout StrangerAllowance<Int>
    ) -> Bool {
        guard allowance.mayAsk(peer(number), from: address, at: second) else { return false }
        allowance.ask(id(number), of: peer(number), from: address, at: second)
        allowance.isShown(id(number), at: second)
        return true
    }

    @Test("Ten strangers may ask at once, then one after a pause that doubles up to an hour")
    func questions() {
        var allowance = StrangerAllowance<Int>()
        var asked: [Int64] = []
        // Ten strangers a second ask for a day, and each question is open for ten seconds.
        for second in 0..<Int64(Self.day) {
            if second >= 10, let over = asked.first(where: { $0 == second - 10 }) {
                allowance.isOver(id(over), .unwanted)
            }
            for knock in 0..<10 as Range<Int64> {
                let number = second * 10 + knock
                guard asks(number, from: 1, at: second, &allowance) else { continue }
                asked.append(number)
                if second > 0 { allowance.isOver(id(number), .hungUp) }
            }
        }
        let seconds = asked.map { $0 / 10 }
        #expect(seconds.prefix(10).allSatisfy { $0 == 0 })
        #expect(Array(seconds.dropFirst(10).prefix(4)) == [60, 180, 420, 900])
        let pauses = zip(seconds.dropFirst(16), seconds.dropFirst(17)).map { $1 - $0 }
        #expect(pauses.allSatisfy { $0 == 3600 })
        #expect(asked.count < 50)
    }

    @Test("At most ten questions are open, and a stranger has at most one")
    func open() {
        var allowance = StrangerAllowance<Int>()
        for number in 0..<9 as Range<Int64> { #expect(asks(number, from: 1, &allowance)) }
        #expect(!allowance.mayAsk(peer(3), from: 1, at: 0))
        #expect(asks(9, from: 1, &allowance))
        #expect(!allowance.mayAsk(peer(10), from: 1, at: 7200))
        #expect(allowance.closing(at: 7200) == .untilAnswered)
        allowance.isOver(id(4), .unwanted)
        #expect(!allowance.mayAsk(peer(10), from: 1, at: 59))
        #expect(allowance.closing(at: 59) == .pause(1) && allowance.closing(at: 60) == nil)
        #expect(allowance.mayAsk(peer(10), from: 1, at: 60))
        #expect(allowance.mayAsk(peer(4), from: 1, at: 60))
    }

    @Test("A pairing with a stranger ends the pause")
    func pairing() {
        var allowance = StrangerAllowance<Int>()
        for number in 0..<10 as Range<Int64> {
            #expect(asks(number, from: 1, &allowance))
            allowance.isOver(id(number), .unwanted)
        }
        #expect(!allowance.mayAsk(peer(11), from: 1, at: 1))
        allowance.paired()
        #expect(allowance.mayAsk(peer(11), from: 1, at: 1))
    }

    @Test("Strangers that hang up don't block the question of one at another address")
    func hungUp() {
        var allowance = StrangerAllowance<Int>()
        var shown = 0
        for number in 0..<4_000 as Range<Int64> {
            guard asks(number, from: Int(number) % 20, at: number / 100, &allowance) else { continue }
            shown += 1
            allowance.isOver(id(number), .hungUp)
        }
        #expect(shown == 20)
        #expect(allowance.closing(at: 40) == .pause(20))
        #expect(asks(9_000, from: 99, at: 40, &allowance))
        // The user of that stranger mistypes the code, and needs the next one.
        #expect(!allowance.mayAsk(peer(9_001), from: 99, at: 41))
        allowance.isOver(id(9_000), .taken)
        #expect(asks(9_001, from: 99, at: 42, &allowance))
    }

    @Test("Strangers at one address leave ten places for other addresses")
    func staying() {
        var allowance = StrangerAllowance<Int>()
        for number in 0..<30 as Range<Int64> { _ = asks(number, from: 1, &allowance) }
        for address in 2...11 {
            #expect(asks(Int64(address) * 100, from: address, &allowance))
            #expect(!allowance.mayAsk(peer(Int64(address) * 100 + 1), from: address, at: 0))
        }
        #expect(!allowance.mayAsk(peer(9_000), from: 12, at: 0))
        // Its place is free again, but not for its own address.
        allowance.isOver(id(200), .hungUp)
        #expect(!allowance.mayAsk(peer(9_001), from: 2, at: 1))
        #expect(asks(9_000, from: 12, at: 1, &allowance))
        // If the user declined or gave no answer, the place is not free.
        allowance.isOver(id(300), .unwanted)
        #expect(!allowance.mayAsk(peer(9_002), from: 13, at: 2))
        #expect(allowance.mayAsk(peer(9_002), from: 13, at: 3_600))
    }

    @Test("A question that ends unseen costs nothing, and at most ten are on their way")
    func unseen() {
        var allowance = StrangerAllowance<Int>()
        for number in 0..<1_000 as Range<Int64> {
            #expect(allowance.mayAsk(peer(number), from: Int(number), at: 0))
            allowance.ask(id(number), of: peer(number), from: Int(number), at: 0)
            allowance.isOver(id(number), .hungUp)
        }
        for number in 0..<8 as Range<Int64> { #expect(asks(number, from: 1, &allowance)) }
        var waiting: [Int64] = []
        for number in 100..<200 as Range<Int64> where allowance.mayAsk(peer(number), from: 1, at: 0) {
            allowance.ask(id(number), of: peer(number), from: 1, at: 0)
            waiting.append(number)
        }
        #expect(waiting.count == 2)
    }

    @Test(
        "Strangers at any addresses never ask more often than the limits allow",
        arguments: 0..<8 as Range<UInt64>
    )
    func bound(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var allowance = StrangerAllowance<Int>()
        var shown: [Int64] = []
        var open: [Int64] = []
        for number in 0..<40_000 as Range<Int64> {
            let second = number / 4
            let address = Int.random(in: 0..<(seed % 2 == 0 ? 20 : 1_000), using: &random)
            if asks(number, from: address, at: second, &allowance) {
                shown.append(second)
                open.append(number)
            }
            #expect(open.count <= 20)
            if Bool.random(using: &random), let place = open.indices.randomElement(using: &random) {
                allowance.isOver(id(open.remove(at: place)), seed < 4 ? .hungUp : .unwanted)
            }
        }
        // An hour of the shared places, and one for each address, or ten if machines don't hang up.
        let shared = 10 + 6
        let visits = seed < 4 ? (seed % 2 == 0 ? 20 : 64) : 10
        let most = shown.map { start in shown.count { (start..<start + 3_600).contains($0) } }.max() ?? 0
        #expect(most <= shared + visits, "\(most)")
    }

    @Test(
        "Ten notes in ten minutes are written, and the others become one note with two counts"
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

    @Test("The number of distinguished addresses has a limit, and so has their memory")
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
