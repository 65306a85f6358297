import LinuxPlatform
import Synchronization

/// A number of places; who finds none free waits for one, in order.
final class AsyncPlaces: Sendable {
    private struct State {
        var free: Int
        var waiting: [Resumption<Void>] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) {
        state = Mutex(State(free: count))
    }

    func occupy(_ work: @Sendable () async -> Void) async {
        let turn = Resumption<Void>()
        state.withLock { state in
            guard state.free > 0 else { return state.waiting.append(turn) }
            state.free -= 1
            turn.resume(with: .success(()))
        }
        // Never fails: whoever leaves always gives the place on.
        _ = try? await turn.value
        await work()
        let next = state.withLock { state -> Resumption<Void>? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume(with: .success(()))
    }
}
