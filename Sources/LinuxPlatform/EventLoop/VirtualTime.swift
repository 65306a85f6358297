import Synchronization

/// One thread, one order and one clock for all event loops of a simulated program.
///
/// A program begins it before it makes its first loop. Loops made later have no thread: ``run(until:)`` takes one piece
/// of work after the other from them. A seed decides from which loop, and the clock advances when no loop has work. So
/// a run with the same seed does the same in the same order, and a month without work passes at once.
package final class VirtualTime: Sendable {
    private static let begun = Mutex<VirtualTime?>(nil)
    private static let isBegun = Atomic<Bool>(false)

    /// The virtual time of the program; nil if it runs on the machine's time.
    static var current: VirtualTime? {
        isBegun.load(ordering: .relaxed) ? begun.withLock { $0 } : nil
    }

    fileprivate struct State {
        var now: ContinuousClock.Instant
        /// The calendar clock, as the time since 1970.
        var calendar: Duration
        var dice: UInt64
        var loops: [Reference] = []
        /// The loops that have work, so that a step asks no others.
        var ready: [Reference] = []
        /// Loops that do nothing until then, like one whose disk does not answer.
        var stalled: [ObjectIdentifier: ContinuousClock.Instant] = [:]
        var steps: UInt64 = 0
        var running: ObjectIdentifier?
    }

    /// A loop that exists: it takes itself out when it ends.
    fileprivate struct Reference {
        unowned let loop: EventLoop
        let id: ObjectIdentifier

        init(_ loop: EventLoop) { (self.loop, id) = (loop, ObjectIdentifier(loop)) }
    }

    private let start: ContinuousClock.Instant
    private let state: Mutex<State>

    private init(_ seed: UInt64, _ calendar: Duration) {
        start = .now
        state = Mutex(State(now: start, calendar: calendar, dice: seed))
    }

    /// Makes all loops that the program creates from now on run on the calling thread, in ``run(until:)``.
    /// - Parameters:
    ///   - seed: decides between steps whose order is free
    ///   - calendar: the calendar clock, as the time since 1970
    package static func begin(seed: UInt64, calendar: Duration) -> VirtualTime {
        let time = VirtualTime(seed, calendar)
        begun.withLock { $0 = time }
        isBegun.store(true, ordering: .relaxed)
        return time
    }

    /// The time that the simulation has run by its own clock.
    package var elapsed: Duration { now - start }

    var now: ContinuousClock.Instant { state.withLock { $0.now } }

    var calendar: Duration { state.withLock { $0.calendar + ($0.now - start) } }

    /// The number of pieces of work done.
    package var steps: UInt64 { state.withLock { $0.steps } }

    /// Moves the calendar clock forward or back. Measured durations do not notice.
    package func setCalendar(by change: Duration) { state.withLock { $0.calendar += change } }

    /// Makes a loop do nothing for a while, as if its disk did not answer.
    package func stall(_ loop: EventLoop, for duration: Duration) {
        state.withLock { $0.stalled[ObjectIdentifier(loop)] = $0.now + duration }
    }

    func add(_ loop: EventLoop) { state.withLock { $0.loops.append(Reference(loop)) } }

    /// A loop has work, and had none before.
    func isReady(_ loop: EventLoop) { state.withLock { $0.ready.append(Reference(loop)) } }

    /// A loop ends.
    func remove(_ id: ObjectIdentifier) {
        state.withLock { state in
            state.loops.removeAll { $0.id == id }
            state.ready.removeAll { $0.id == id }
            state.stalled[id] = nil
            if state.running == id { state.running = nil }
        }
    }

    /// The reason why ``run(until:)`` returned.
    package enum End {
        /// The condition holds.
        case reached
        /// No loop has anything to do, now or later.
        case idle
    }

    /// Runs the loops' work until a condition holds, which it checks after each piece of work.
    package func run(until isReached: () -> Bool) -> End {
        while !isReached() {
            if step() { continue }
            guard advance() else { return .idle }
        }
        return .reached
    }

    /// Runs one piece of work of one loop. Returns false if there is none.
    private func step() -> Bool {
        let chosen: EventLoop? = state.withLock { state in
            guard let index = state.next() else { return nil }
            let chosen = state.ready[index]
            state.steps += 1
            state.running = chosen.id
            return chosen.loop
        }
        guard let chosen else { return false }
        chosen.runOne { [id = ObjectIdentifier(chosen)] in state.withLock { $0.ready.removeAll { $0.id == id } } }
        return true
    }

    /// A counter of the pieces of work that the currently running loop does.
    func turnsOfRunningLoop() -> @Sendable () -> UInt64? {
        let running = state.withLock { state in state.loops.first { $0.id == state.running }?.loop }
        return { [weak running] in running?.state.withLock { $0.turns } }
    }

    /// Advances the clock to the next timer of any loop, and runs it. Returns false if there is none.
    private func advance() -> Bool {
        let next: (deadline: ContinuousClock.Instant, loop: EventLoop?)? = state.withLock { state in
            var next: (deadline: ContinuousClock.Instant, loop: EventLoop?)?
            for reference in state.loops {
                let stall = state.stalled.isEmpty ? nil : state.stalled[reference.id]
                guard let timer = reference.loop.nextTimer else {
                    if let stall, reference.loop.hasItems, next.map({ stall < $0.deadline }) ?? true {
                        next = (stall, nil)
                    }
                    continue
                }
                let deadline = stall.map { max(timer, $0) } ?? timer
                if next.map({ deadline < $0.deadline }) ?? true { next = (deadline, reference.loop) }
            }
            if let next {
                state.now = max(state.now, next.deadline)
                if !state.stalled.isEmpty { state.stalled = state.stalled.filter { $0.value > state.now } }
            }
            return next
        }
        guard let next else { return false }
        next.loop?.runNextTimer()
        return true
    }
}

extension VirtualTime.State {
    /// The place of the loop whose work is next; nil if no loop has work that it may do.
    fileprivate mutating func next() -> Int? {
        if stalled.isEmpty { return ready.isEmpty ? nil : choice(of: ready.count) }
        let able = ready.indices.filter { stalled[ready[$0].id] == nil }
        return able.isEmpty ? nil : able[choice(of: able.count)]
    }

    private mutating func choice(of count: Int) -> Int {
        count == 1 ? 0 : Int(dice.nextOfSplitMix() % UInt64(count))
    }
}

extension ContinuousClock.Instant {
    /// The time of the program's event loops: the machine's, or the virtual one in a simulation.
    public static var current: ContinuousClock.Instant { VirtualTime.current?.now ?? .now }
}
