import Dispatch
import LinuxPlatform
import Synchronization

/// Brings what happens to the app, in order, on a queue of its own; and keeps back what the app is not quick enough for, so that its peers wait and
/// not its memory.
final class Courier: Sendable {
    let queue: DispatchQueue
    private let state = Mutex(State())

    /// What the app may have before it, in bytes; each thing counts for something.
    private static let limit = 4 << 20
    private static let least = 1 << 10

    private struct State {
        var owed = 0
        var waiting: [Resumption<Void>] = []
    }

    init(for name: String) {
        queue = DispatchQueue(label: "MCSession \(name)")
    }

    /// Held by whatever has something to do with an event; when nobody has any more, it is done.
    final class Credit: Sendable {
        private let courier: Courier
        private let cost: Int

        fileprivate init(_ courier: Courier, _ cost: Int) {
            self.courier = courier
            self.cost = cost
        }

        deinit { courier.paid(cost) }
    }

    /// Whether there is room without waiting.
    var hasRoom: Bool { state.withLock { $0.owed < Self.limit } }

    /// Whether anybody waits for room.
    var isWaitedFor: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Waits for room.
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

    /// Does something on the app's queue, after everything before it.
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
