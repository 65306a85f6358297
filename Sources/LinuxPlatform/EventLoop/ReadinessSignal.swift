import CLinux
import Synchronization

/// Whether a descriptor may be ready, kept up to date by a loop's thread, so that no call to the kernel is needed to
/// begin or end a wait.
///
/// The order that loses no wake-up is: ``expect(_:)``, then the call on the descriptor, and only if that would block,
/// ``wait(for:since:)``.
final class ReadinessSignal: Sendable {
    private struct Side {
        /// How often it has become ready.
        var count: UInt64 = 0
        /// What the count was at the last expectation.
        var expected: UInt64 = 0
        /// What the count was when a read began that took everything.
        var emptied: UInt64?
        var waiter: Resumption<Void>?
    }

    private struct State {
        var reading = Side()
        var writing = Side()
        /// Whether the other side has finished or the descriptor has failed, which comes once, perhaps together with bytes.
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

    /// To be called before the descriptor is closed.
    func end() {
        watch.cancel()
    }

    /// Forgets earlier readiness: whatever comes from now on will be noticed by the wait.
    ///
    /// - Returns: a mark for the wait, needed where another task may begin to expect before this one waits
    @discardableResult
    func expect(_ interest: EventLoop.Interest) -> UInt64 {
        state.value.withLock { state in
            state[interest].expected = state[interest].count
            return state[interest].count
        }
    }

    /// How often it had become readable when a read begins; nil where nothing can have come since one took everything.
    func beginReading() -> UInt64? {
        state.value.withLock { state in
            state.reading.count == state.reading.emptied ? nil : state.reading.count
        }
    }

    /// A read that began with this count took everything. What has come since then was or will be noted, and counts anew; only an end that was
    /// noted before is still to be read.
    func noteEmptied(_ count: UInt64) {
        state.value.withLock { state in
            if !state.hasEnded { state.reading.emptied = count }
        }
    }

    /// Ends every wait, and those that have been expected and not begun, as though the descriptor were ready.
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
