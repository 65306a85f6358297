import SaveRules
import Testing
import TestSupport

@Suite("Retention", .timeLimit(.minutes(5)))
struct RetentionTests {
    /// Versions in order of age, version 0 first. Each arrived a day after the one before.
    private func candidates(_ count: UInt64) -> [RetentionRule.Candidate] {
        (0..<count).map { .init(Sample.id($0), cameAt: Int64($0) * 86_400) }
    }

    /// The time at which the last of so many versions arrived.
    private func now(_ count: UInt64) -> Int64 { Int64(count - 1) * 86_400 }

    /// The pieces of a version: 10 bytes of its own, and 100 that it shares with all others.
    private func stored(_ id: SnapshotID) -> [(piece: PieceID, byteCount: UInt64)] {
        [(Sample.piece(id.description).id, 10), (Sample.piece("shared").id, 100)]
    }

    private func dropped(_ rule: RetentionRule, _ count: UInt64, protecting: Set<SnapshotID> = []) -> [SnapshotID] {
        rule.verdict(on: candidates(count), at: now(count), protected: protecting, stored: stored).dropped
    }

    @Test("new versions, by number or by time, are kept, and the others are dropped, the oldest first")
    func countAndAge() {
        #expect(dropped(RetentionRule(count: 3, age: nil), 5) == [Sample.id(0), Sample.id(1)])
        #expect(dropped(RetentionRule(count: 1, age: .seconds(3 * 86_400)), 5) == [Sample.id(0), Sample.id(1)])
        #expect(dropped(RetentionRule(), 40).isEmpty)
        #expect(dropped(RetentionRule(count: 3, age: nil), 2).isEmpty)
    }

    @Test("a clock that is years off, for a moment or for good, makes nothing older than a day")
    func wrongClock() {
        let (day, years) = (Int64(86_400), Int64(10 * 365 * 86_400))
        let rule = RetentionRule(count: 1, age: .seconds(30 * day))
        func dropped(_ times: [Int64], at now: Int64) -> Int {
            let candidates = times.enumerated().map { RetentionRule.Candidate(Sample.id(UInt64($0)), cameAt: $1) }
            return rule.verdict(on: candidates, at: now, protected: [], stored: stored).dropped.count
        }
        let honest = (0..<20).map { $0 * day + years }
        for wrong in [0, 3 * years, -years, .min, .max] {
            #expect(dropped(honest, at: wrong) == 0)
            // One version arrived while the clock was wrong.
            #expect(dropped(honest + [wrong], at: 20 * day + years) == 0)
            #expect(dropped([wrong] + honest, at: 20 * day + years) == 0)
        }
        // If a clock counts the days, old versions are dropped, even if its year is wrong.
        #expect(dropped((0..<40).map { $0 * day }, at: 40 * day) == 11)
    }

    @Test("the oldest versions are dropped until there is room, and shared pieces count once")
    func space() {
        let rule = RetentionRule(count: 10, age: nil, space: 130)
        let verdict = rule.verdict(on: candidates(6), at: now(6), protected: [], stored: stored)
        #expect(verdict.dropped == (0..<3).map { Sample.id($0) } && verdict.remaining == 130 && !verdict.isOverLimit)
        let tight = RetentionRule(count: 10, age: nil, space: 0).verdict(
            on: candidates(6),
            at: now(6),
            protected: [],
            stored: stored
        )
        #expect(tight.dropped == (0..<5).map { Sample.id($0) } && tight.remaining == 110 && tight.isOverLimit)
    }

    @Test("only so many of the newest versions are kept for their age alone, and for other reasons as many as before")
    func mostForAge() {
        let rule = RetentionRule(count: 2, age: .seconds(1_000_000))
        func dropped(_ most: Int, protecting kept: Set<SnapshotID> = []) -> [SnapshotID] {
            rule.verdict(on: candidates(6), at: now(6), protected: kept, mostForAge: most, stored: stored).dropped
        }
        #expect(dropped(.max).isEmpty)
        #expect(dropped(4) == [Sample.id(0), Sample.id(1)])
        #expect(dropped(1, protecting: [Sample.id(0)]) == [Sample.id(1), Sample.id(2), Sample.id(3)])
    }

    @Test("a protected version is never dropped, whatever that costs")
    func protected() {
        let kept: Set = [Sample.id(0), Sample.id(3)]
        #expect(dropped(RetentionRule(count: 1, age: nil), 5, protecting: kept) == [Sample.id(1), Sample.id(2)])
        let rule = RetentionRule(count: 9, age: nil, space: 1)
        #expect(dropped(rule, 5, protecting: kept) == [Sample.id(1), Sample.id(2)])
    }

    @Test("a version that the user has named is dropped only for want of space, and after all others")
    func named() {
        let named = candidates(5).map {
            RetentionRule.Candidate($0.id, cameAt: $0.cameAt, isNamed: $0.id == Sample.id(1))
        }
        let few = RetentionRule(count: 1, age: nil)
        #expect(
            few.verdict(on: named, at: now(5), protected: [], stored: stored).dropped
                == [0, 2, 3].map { Sample.id($0) }
        )
        let tight = RetentionRule(count: 5, age: nil, space: 120).verdict(
            on: named,
            at: now(5),
            protected: [],
            stored: stored
        )
        #expect(tight.dropped == [0, 2, 3].map { Sample.id($0) } && tight.remaining == 120 && !tight.isOverLimit)
        let tighter = RetentionRule(count: 5, age: nil, space: 119).verdict(
            on: named,
            at: now(5),
            protected: [],
            stored: stored
        )
        #expect(tighter.dropped == (0..<4).map { Sample.id($0) } && tighter.remaining == 110)
    }

    @Test("sizes are requested only if there is a limit of space")
    func lazily() {
        let verdict = RetentionRule(count: 1, age: nil).verdict(on: candidates(9), at: now(9), protected: []) { _ in
            Issue.record("no rule asks for the sizes")
            return []
        }
        #expect(verdict.dropped.count == 8 && verdict.remaining == nil)
    }

    @Test(
        "a version that is protected, newest or within the limits is never dropped, in any history",
        arguments: 0..<200 as Range<UInt64>
    )
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let count = UInt64.random(in: 1...20, using: &generator)
        let rule = RetentionRule(
            count: Int.random(in: 1...10, using: &generator),
            age: Bool.random(using: &generator) ? nil : .seconds(Int64.random(in: 0...20, using: &generator) * 86_400),
            space: Bool.random(using: &generator) ? nil : UInt64.random(in: 0...300, using: &generator)
        )
        let protected = Set(
            (0..<count).filter { _ in Int.random(in: 0..<4, using: &generator) == 0 }.map { Sample.id($0) }
        )
        let verdict = rule.verdict(on: candidates(count), at: now(count), protected: protected, stored: stored)
        let dropped = Set(verdict.dropped)
        let staying = candidates(count).map(\.id).filter { !dropped.contains($0) }
        #expect(dropped.isDisjoint(with: protected) && !dropped.contains(Sample.id(count - 1)), "seed \(seed)")
        #expect(verdict.dropped == verdict.dropped.sorted(), "seed \(seed)")
        if let space = rule.space {
            #expect(verdict.remaining == 100 + 10 * UInt64(staying.count), "seed \(seed)")
            let mustStay = staying.allSatisfy { protected.contains($0) || $0 == Sample.id(count - 1) }
            #expect(verdict.isOverLimit == (100 + 10 * UInt64(staying.count) > space), "seed \(seed)")
            #expect(!verdict.isOverLimit || mustStay, "seed \(seed)")
        } else {
            #expect(staying.count >= min(rule.count, Int(count)), "seed \(seed)")
        }
    }
}

@Suite("Settling", .timeLimit(.minutes(5)))
struct SettlingTests {
    @Test("a folder is read 300 ms after its last change, once no program writes")
    func quiet() {
        var settling = Settling()
        _ = settling.changed(at: .at(0))
        _ = settling.changed(at: .at(0.2))
        #expect(settling.deadline == .at(0.2) + .milliseconds(300))
        #expect(settling.deadlinePassed(at: .at(0.4)) == [] && settling.deadlinePassed(at: .at(0.5)) == [.check])
        #expect(settling.checked(isOccupied: true) == [] && settling.deadline == .at(30))
        // The program closes the file.
        _ = settling.changed(at: .at(9))
        #expect(settling.deadlinePassed(at: .at(9.3)) == [.check] && settling.checked(isOccupied: false) == [.read])
        #expect(settling.read() == [] && settling.deadline == nil)
    }

    @Test("the user hears once of a folder that never settles, and once that it has settled")
    func unsettled() {
        var (settling, reported, now) = (Settling(), [Settling.Action](), 0.0)
        while now < 100 {
            _ = settling.changed(at: .at(now))
            now += 0.25
            reported += settling.deadlinePassed(at: .at(now))
        }
        #expect(reported == [.tellUnsettled(.seconds(30))])
        #expect(settling.deadlinePassed(at: .at(now + 1)) == [.check])
        _ = settling.checked(isOccupied: false)
        #expect(settling.read() == [.tellSettled])
        _ = settling.changed(at: .at(200))
        #expect(settling.deadlinePassed(at: .at(231)) == [.check, .tellUnsettled(.seconds(31))])
    }

    @Test("a file that changes while it is read is read again")
    func disturbed() {
        var settling = Settling()
        _ = settling.changed(at: .at(0))
        _ = settling.deadlinePassed(at: .at(1))
        _ = settling.checked(isOccupied: false)
        _ = settling.changed(at: .at(1.1))
        #expect(settling.read() == [] && settling.state == .stirring)
        #expect(settling.deadlinePassed(at: .at(1.5)) == [.check])
    }
}
