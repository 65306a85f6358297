import SessionRules
import TestSupport
import Testing

@Suite("Shared budgets")
struct SharedBudgetTests {
    private func budget(overall: Int = 100, each: Int = 40, floor: Int = 10) -> SharedBudget<String> {
        SharedBudget(.init(overall: overall, each: each, floor: floor))
    }

    @Test("A holder gets at most its own limit, and gets it again after a release")
    func ownLimit() {
        var budget = budget()
        #expect(budget.take(40, for: "a") == .granted)
        #expect(budget.take(1, for: "a") == .refused)
        #expect(budget.held == 40)
        budget.release(1, of: "a")
        #expect(budget.take(1, for: "a") == .granted)
        #expect(budget.take(40, for: "b") == .granted)
    }

    @Test("The holder above the floor for longest must release all, and gets nothing before")
    func oldestGivesWay() {
        var budget = budget()
        #expect(budget.take(40, for: "a") == .granted)
        #expect(budget.take(40, for: "b") == .granted)
        #expect(budget.take(30, for: "c") == .grantedInsteadOf(["a"]))
        #expect(budget.held == 70)
        #expect(budget.take(1, for: "a") == .refused)
        budget.release(39, of: "a")
        #expect(budget.take(1, for: "a") == .refused)
        budget.release(1, of: "a")
        #expect(budget.held == 70)
        #expect(budget.take(1, for: "a") == .granted)
    }

    @Test("Amounts that must be released count against holders above the floor")
    func departing() {
        var budget = budget()
        for holder in ["a", "b"] { #expect(budget.take(40, for: holder) == .granted) }
        #expect(budget.take(40, for: "c") == .grantedInsteadOf(["a"]))
        #expect(budget.take(40, for: "d") == .refused)
        #expect(budget.take(10, for: "friend") == .granted)
        budget.release(40, of: "a")
        #expect(budget.take(40, for: "d") == .grantedInsteadOf(["b"]))
    }

    @Test("A holder that falls to the floor and rises again is the youngest")
    func renewed() {
        var budget = budget()
        #expect(budget.take(40, for: "a") == .granted)
        #expect(budget.take(40, for: "b") == .granted)
        budget.release(30, of: "a")
        #expect(budget.take(30, for: "a") == .granted)
        #expect(budget.take(30, for: "c") == .grantedInsteadOf(["b"]))
    }

    @Test("A holder at its floor never loses its amount")
    func floor() {
        var budget = budget(overall: 60, each: 40, floor: 10)
        #expect(budget.take(10, for: "friend") == .granted)
        #expect(budget.take(40, for: "a") == .granted)
        #expect(budget.take(11, for: "b") == .grantedInsteadOf(["a"]))
        #expect(budget.held(by: "friend") == 10)
    }

    @Test("The holder above the floor for longest is refused itself")
    func oldestAsks() {
        var budget = budget(overall: 60, each: 50, floor: 10)
        #expect(budget.take(40, for: "a") == .granted)
        #expect(budget.take(20, for: "b") == .granted)
        #expect(budget.take(1, for: "a") == .refused)
        #expect(budget.held == 60)
    }

    @Test("If all are at their floor and nothing is left, the next request is refused")
    func allAtFloor() {
        var budget = budget(overall: 40, each: 40, floor: 10)
        for holder in ["a", "b", "c", "d"] { #expect(budget.take(10, for: holder) == .granted) }
        #expect(budget.take(1, for: "e") == .refused)
        #expect(budget.held == 40)
    }

    @Test("All together never hold more than the limit", arguments: 0..<20 as Range<UInt64>)
    func invariant(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var held: [Int: Int] = [:]
        var numbered = SharedBudget<Int>(.init(overall: 100, each: 40, floor: 10))
        for _ in 0..<2_000 {
            let holder = Int.random(in: 0..<12, using: &random)
            let own = held[holder, default: 0]
            if own > 0, Bool.random(using: &random) {
                let count = Int.random(in: 1...own, using: &random)
                numbered.release(count, of: holder)
                held[holder] = own - count
            } else {
                let count = Int.random(in: 1...20, using: &random)
                guard numbered.take(count, for: holder) != .refused else { continue }
                held[holder] = own + count
                let all = held.values.reduce(0, +)
                #expect(all <= 100 + 40 || own + count <= 10)
                #expect(all <= 100 + 40 + 12 * 10)
            }
            #expect(numbered.held <= 100)
            #expect(held.allSatisfy { $0.value <= 40 && numbered.held(by: $0.key) == $0.value })
        }
    }
}
