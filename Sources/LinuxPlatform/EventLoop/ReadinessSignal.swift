import CLinux
import Synchronization

/// The possible readiness of a descriptor, kept current by a loop's thread, so that a wait begins and ends without a
/// kernel call.
///
/// The order that loses no wake-up: ``expect(_:)``, then the call on the descriptor, and only if that would block,
/// ``wait(for:since:)``.
final class ReadinessSignal: Sendable {
    private struct Side {
        /// The number of times it became ready.
        var count: UInt64 = 0
        /// The count at the last expectation.
        var expected: UInt64 = 0
        /// The count when a read began that emptied the descriptor.
        var emptied: UInt64?
        var waiter: Resumption<Void>?
    }

    private struct State {
        var reading = Side()
        var writing = Side()
        /// True once the other side has finished or the descriptor has failed. It comes once, perhaps together with
        /// bytes.
        var hasEnded = false

        subscript(_ interest: EventLoop.Interest) -> Side {
            get { interest == .readable ? reading : writing }
            set {
                switch interest {
                case .readable: reading = newValue
                case .writable: writing = newValue
                }
            }
        }
    }

    private let state: SharedState
    private let watch: DescriptorWatch
    private let executor: LoopTaskExecutor

    private final class SharedState: Sendable {
        let value = Mutex(State())
    }

    init(_ descriptor: CInt, on loop: EventLoop) throws(SystemError) {
        let state = SharedState()
        self.state = state
        executor = loop.taskExecutor
        let bits = Readiness.readable.rawValue | Readiness.writable.rawValue | EPOLLET.rawValue
        watch = try loop.watch(descriptor, epollBits: bits) { @Sendable readiness in
            Self.note(readiness, in: state)
        }
    }

    /// Ends the watch. Call this before the descriptor is closed.
    func end() {
        watch.cancel()
    }

    /// Forgets earlier readiness: the wait notices everything from now on.
    ///
    /// - Returns: a mark for the wait, needed if another task may begin to expect before this one waits
    @discardableResult
    func expect(_ interest: EventLoop.Interest) -> UInt64 {
        state.value.withLock { state in
            state[interest].expected = state[interest].count
            return state[interest].count
        }
    }

    /// The readable count as a read begins; nil if nothing can have arrived since a read emptied the descriptor.
    func beginReading() -> UInt64? {
        state.value.withLock { state in
            state.reading.count == state.reading.emptied ? nil : state.reading.count
        }
    }

    /// Notes that a read which began with this count emptied the descriptor. Anything that arrived since then was or
    /// will be noted, and counts again. Only an end that was noted before must still be read.
    func noteEmptied(_ count: UInt64) {
        state.value.withLock { state in
            if !state.hasEnded { state.reading.emptied = count }
        }
    }

    /// Ends every wait, including those that are expected but have not begun, as if the descriptor were ready.
    func wake() {
        Self.note([.readable, .writable], in: state)
    }

    /// Suspends until the descriptor has become ready since ``expect(_:)``.
    nonisolated(nonsending) func wait(for interest: EventLoop.Interest, since mark: UInt64? = nil) async throws {
        let resumption = Resumption<Void>()
        let isReady = state.value.withLock { state in
            guard state[interest].count == mark ?? state[interest].expected else { return true }
            precondition(state[interest].waiter == nil, "two tasks wait for one direction of a descriptor")
            state[interest].waiter = resumption
            return false
        }
        guard !isReady else { return }
        try await resumption.value(from: executor, onCancel: { state.value.withLock { $0[interest].waiter = nil } })
    }

    private static func note(_ readiness: Readiness, in state: SharedState) {
        for (interest, bits) in [(EventLoop.Interest.readable, Readiness.readable), (.writable, .writable)] {
            guard readiness.touches(bits) || readiness.touches(.ended) else { continue }
            let waiter = state.value.withLock { state in
                state[interest].count &+= 1
                if readiness.touches(.finished) { state.hasEnded = true }
                return state[interest].waiter.take()
            }
            waiter?.resume(with: .success(()))
        }
    }
}
