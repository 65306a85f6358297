import Testing

@testable import LabKit

@Suite("The relay's rules", .timeLimit(.minutes(5)))
struct RelayRulesTests {
    private let millisecond: Int64 = 1_000_000

    @Test("A cable without impairment delivers at once")
    func perfectLine() {
        var line = ImpairedDirection(Impairment(), seed: 1)
        #expect(line.fate(ofFrameOf: 1500, at: 77) == .arrives(at: 77))
    }

    @Test("The same seed loses the same frames, about the given percentage")
    func losses() {
        func losses(_ seed: UInt64) -> [Bool] {
            var line = ImpairedDirection(Impairment(lossPercent: 5), seed: seed)
            return (0..<10_000).map { line.fate(ofFrameOf: 100, at: $0) == .lost }
        }
        #expect(losses(3) == losses(3))
        #expect(losses(3) != losses(4))
        #expect((400...600).contains(losses(3).count { $0 }))
    }

    @Test("All frames are lost at 100 percent, and none at 0", arguments: [(100.0, 1000), (0.0, 0)])
    func extremeLosses(percent: Double, expected: Int) {
        var line = ImpairedDirection(Impairment(lossPercent: percent), seed: 1)
        #expect((0..<1000).count { line.fate(ofFrameOf: 100, at: $0) == .lost } == expected)
    }

    @Test("A slow wire sends frames one after the other, and drops those that would wait too long")
    func pacing() {
        // 1,500 bytes take 12 ms at a megabit a second.
        var line = ImpairedDirection(Impairment(bitsPerSecond: 1_000_000), seed: 1)
        #expect(line.fate(ofFrameOf: 1500, at: 0) == .arrives(at: 12 * millisecond))
        #expect(line.fate(ofFrameOf: 1500, at: 0) == .arrives(at: 24 * millisecond))
        #expect(line.fate(ofFrameOf: 1500, at: 100 * millisecond) == .arrives(at: 112 * millisecond))
        let fates = (0..<1000).map { _ in line.fate(ofFrameOf: 1500, at: 200 * millisecond) }
        let passed = fates.count { $0 != .lost }
        // The queue takes at least 64 KiB.
        #expect((43...46).contains(passed))
        #expect(fates.prefix(passed).allSatisfy { $0 != .lost })
    }

    @Test("Jitter stays within its bounds and keeps the order without the option to reorder")
    func jitter() {
        var impairment = Impairment(delay: .milliseconds(10), jitter: .milliseconds(5))
        var line = ImpairedDirection(impairment, seed: 1)
        var last: Int64 = 0
        for now in stride(from: 0, to: 100 * millisecond, by: 100_000) {
            guard case .arrives(let arrival) = line.fate(ofFrameOf: 100, at: now) else { continue }
            #expect(arrival >= last)
            #expect(arrival - now >= 5 * millisecond)
            #expect(arrival - now <= 15 * millisecond)
            last = arrival
        }
        impairment.allowsReordering = true
        line = ImpairedDirection(impairment, seed: 1)
        let arrivals: [Int64] = (0..<100 as Range<Int64>).compactMap { now in
            guard case .arrives(let arrival) = line.fate(ofFrameOf: 100, at: now) else { return nil }
            return arrival
        }
        #expect(arrivals != arrivals.sorted())
    }

    @Test("Frames leave by arrival time, those of one moment in their order, and never early")
    func queueOrder() {
        var queue = FrameQueue(byteBudget: 1 << 20)
        var dice = SeededDice(seed: 5)
        let arrivals = (0..<1000).map { _ in Int64.random(in: 0..<50, using: &dice) }
        for (number, arrival) in arrivals.enumerated() {
            let isTaken = queue.add([UInt8(arrival), UInt8(number >> 8), UInt8(number & 0xff)], arrivingAt: arrival)
            #expect(isTaken)
        }
        #expect(queue.nextArrival == arrivals.min())
        let early = queue.take(at: -1)
        #expect(early == nil)
        var taken: [[UInt8]] = []
        while let frame = queue.take(at: 49) { taken.append(frame) }
        #expect(taken.count == 1000)
        #expect(zip(taken, taken.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
        #expect(queue.nextArrival == nil)
    }

    @Test("A queue takes frames up to its budget, and more once frames have left")
    func queueBudget() {
        var queue = FrameQueue(byteBudget: 100)
        func frame(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }
        var taken = [queue.add(frame(60), arrivingAt: 1), queue.add(frame(41), arrivingAt: 1)]
        taken += [queue.add(frame(40), arrivingAt: 2)]
        #expect(taken == [true, false, true])
        let left = queue.take(at: 1)
        #expect(left?.count == 60)
        let fits = queue.add(frame(60), arrivingAt: 3)
        #expect(fits)
    }

    @Test("A written record reads the same, and other texts are refused")
    func records() throws {
        let process = LabRecord.Process(identifier: 4711, startTime: 99)
        let hosts = [("deck", process), ("living room", process)]
        let record = LabRecord(privilege: .userNamespace, owner: process, network: process, hosts: hosts)
        #expect(LabRecord(record.text) == record)
        for damage in [
            "", "owner 1 2\n", "owner 4711 99 king\nswitch 4711 99 -\nhost 4711 99 a\n", record.text + "x\n",
        ] {
            #expect(LabRecord(damage) == nil)
        }
        #expect(LabRecord(record.text.replacing("4711", with: "-1")) == nil)
    }
}
