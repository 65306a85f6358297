public import Foundation
import LinuxPlatform

/// An observation of a `Progress`. It ends when it is released, or with ``invalidate()``.
///
/// `@unchecked Sendable` because its mutable state is behind a lock, and its own queue makes all comparisons.
public final class NSKeyValueObservation: NSObject, @unchecked Sendable {
    private let queue = DispatchQueue(label: "NSKeyValueObservation")
    private let state = Locked(State())

    private struct State {
        /// Compares with the reported value, and reports a change.
        var look: (() -> Void)?
        var isDue = false
        var timer: (any DispatchSourceTimer)?
    }

    /// Interval of comparisons for a property without notifications.
    private static let pace = DispatchTimeInterval.milliseconds(100)

    init(_ look: @escaping () -> Void) {
        super.init()
        state.withLock { $0.look = look }
    }

    deinit {
        invalidate()
    }

    /// Ends the observation: the handler is not called again, except for a call in progress.
    public func invalidate() {
        let timer = state.withLock { state in
            defer { (state.look, state.timer) = (nil, nil) }
            return state.timer
        }
        timer?.cancel()
    }

    /// Schedules a comparison. Several changes before it are reported once.
    func ring() {
        let isFirst = state.withLock { state in
            defer { state.isDue = true }
            return !state.isDue
        }
        guard isFirst else { return }
        queue.async { [weak self] in self?.look() }
    }

    private func look() {
        let look = state.withLock { state in
            state.isDue = false
            return state.look
        }
        look?()
    }

    /// Waits until the observer knows the present value.
    func isCaughtUp() async {
        let turn = Resumption<Void>()
        queue.async { turn.resume(with: .success(())) }
        try? await turn.valueUnlessCancelled()
    }

    /// Compares repeatedly until the value is final.
    func lookRepeatedly(until isOver: @escaping @Sendable () -> Bool) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + Self.pace, repeating: Self.pace, leeway: Self.pace)
        timer.setEventHandler { @Sendable [weak self] in
            let wasOver = isOver()
            self?.look()
            if wasOver { self?.endsLooking() }
        }
        state.withLock { $0.timer = timer }
        timer.activate()
    }

    private func endsLooking() {
        let timer = state.withLock { state in
            defer { state.timer = nil }
            return state.timer
        }
        timer?.cancel()
    }
}
