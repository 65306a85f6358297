@testable import LinuxPlatform
import Testing
import TestSupport

/// A simple implementation for comparison.
private struct SortedModel {
    private(set) var timers: [(deadline: Int, id: UInt64)] = []

    mutating func add(_ id: UInt64, at deadline: Int) {
        let place = timers.firstIndex { $0.deadline > deadline } ?? timers.count
        timers.insert((deadline, id), at: place)
    }

    mutating func cancel(_ id: UInt64) -> Bool {
        guard let place = timers.firstIndex(where: { $0.id == id }) else { return false }
        timers.remove(at: place)
        return true
    }

    mutating func popDue(_ now: Int) -> UInt64? {
        guard let first = timers.first, first.deadline <= now else { return nil }
        return timers.removeFirst().id
    }
}

@Suite("TimerQueue", .timeLimit(.minutes(5)))
struct TimerQueueTests {
    @Test("An empty queue has no next and no due timer")
    func empty() {
        var queue = TimerQueue<Int, String>()
        #expect(queue.next == nil)
        #expect(queue.popDue(.max) == nil)
        #expect(queue.cancel(1) == nil)
        #expect(queue.count == 0)
    }

    @Test("Equal deadlines keep their order")
    func equalDeadlines() {
        var queue = TimerQueue<Int, Int>()
        for number in 0..<100 { _ = queue.add(number, at: 7) }
        #expect((0..<100).map { _ in queue.popDue(7) } == Array(0..<100))
        #expect(queue.popDue(7) == nil)
    }

    @Test("A deadline is due at its instant and not before")
    func dueAtItsInstant() {
        var queue = TimerQueue<Int, String>()
        _ = queue.add("a", at: 10)
        #expect(queue.popDue(9) == nil)
        #expect(queue.popDue(10) == "a")
    }

    @Test("A cancelled timer returns its payload once and is never due")
    func cancels() {
        var queue = TimerQueue<Int, String>()
        let first = queue.add("a", at: 1)
        _ = queue.add("b", at: 2)
        #expect(queue.cancel(first) == "a")
        #expect(queue.cancel(first) == nil)
        #expect(queue.next == 2)
        #expect(queue.popDue(5) == "b")
        #expect(queue.count == 0)
    }

    @Test("Cancelling nearly all timers leaves the rest unchanged")
    func cancelsNearlyEverything() {
        var queue = TimerQueue<Int, Int>()
        let ids = (0..<10_000).map { queue.add($0, at: 10_000 - $0) }
        for (number, id) in ids.enumerated() where number % 100 != 0 { #expect(queue.cancel(id) == number) }
        #expect(queue.count == 100)
        var order: [Int] = []
        while let number = queue.popDue(.max) { order.append(number) }
        #expect(order == stride(from: 9_900, through: 0, by: -100).map { $0 })
    }

    @Test("Random operations agree with a sorted list", arguments: 1...20 as ClosedRange<UInt64>)
    func agreesWithModel(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var (queue, model) = (TimerQueue<Int, UInt64>(), SortedModel())
        var (now, lastID) = (0, 0 as UInt64)
        for _ in 0..<2_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let deadline = now + Int.random(in: -5...50, using: &random)
                lastID = queue.add(lastID + 1, at: deadline)
                model.add(lastID, at: deadline)
            case 5..<8:
                let id = UInt64.random(in: 0...lastID + 1, using: &random)
                #expect((queue.cancel(id) == id) == model.cancel(id), "seed \(seed)")
            default:
                now += Int.random(in: 0...10, using: &random)
                drain(&queue, &model, now, seed)
            }
            #expect(queue.next == model.timers.first?.deadline, "seed \(seed)")
            #expect(queue.count == model.timers.count, "seed \(seed)")
        }
        drain(&queue, &model, .max, seed)
    }

    private func drain(_ queue: inout TimerQueue<Int, UInt64>, _ model: inout SortedModel, _ now: Int, _ seed: UInt64) {
        while true {
            let (popped, expected) = (queue.popDue(now), model.popDue(now))
            #expect(popped == expected, "seed \(seed)")
            guard popped != nil, expected != nil else { return }
        }
    }
}
