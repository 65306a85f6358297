import Dispatch
import LinuxPlatform
import Synchronization

/// Delivers events to the app, in order, on a queue of its own. It holds back events if the app is slow, so that the
/// peers wait instead of filling the app's memory.
final class DelegateQueue: Sendable {
    let queue: DispatchQueue
    private let state = Mutex(State())

    /// Maximum cost of undelivered events in bytes; each event has a minimum cost.
    private static let limit = 4 << 20
    private static let least = 1 << 10

    private struct State {
        var owed = 0
        var waiting: [Resumption<Void>] = []
    }

    init(for name: String) {
        queue = DispatchQueue(label: "MCSession \(name)")
    }

    /// Token of an event in progress: the event is done when the last reference is released.
    final class Credit: Sendable {
        private let delegateQueue: DelegateQueue
        private let cost: Int

        fileprivate init(_ delegateQueue: DelegateQueue, _ cost: Int) {
            self.delegateQueue = delegateQueue
            self.cost = cost
        }

        deinit { delegateQueue.paid(cost) }
    }

    /// True if an event can be delivered without waiting.
    var hasRoom: Bool { state.withLock { $0.owed < Self.limit } }

    /// True if a task waits for room.
    var isWaitedFor: Bool { state.withLock { !$0.waiting.isEmpty } }

    func room() async {
        while true {
            let turn = Resumption<Void>()
            let isFull = state.withLock { state in
                guard state.owed >= Self.limit else { return false }
                state.waiting.append(turn)
                return true
            }
            guard isFull else { return }
            try? await turn.valueUnlessCancelled()
            if Task.isCancelled { return }
        }
    }

    /// Runs work on the app's queue, after all earlier work.
    func deliver(cost: Int = 0, _ work: @escaping @Sendable (Credit) -> Void) {
        let cost = cost + Self.least
        state.withLock { $0.owed += cost }
        let credit = Credit(self, cost)
        queue.async { work(credit) }
    }

    private func paid(_ cost: Int) {
        let waiting = state.withLock { state in
            state.owed -= cost
            guard state.owed < Self.limit else { return [Resumption<Void>]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for turn in waiting { turn.resume(with: .success(())) }
    }
}
