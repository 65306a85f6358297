public import Foundation
import LinuxPlatform

/// What holds an observation of a `Progress`: it ends when nobody holds this any more, or with ``invalidate()``.
///
/// `@unchecked Sendable` because what changes in it is behind a lock, and what looks is done on its own queue alone.
public final class NSKeyValueObservation: NSObject, @unchecked Sendable {
    private let queue = DispatchQueue(label: "NSKeyValueObservation")
    private let state = Guarded(State())

    private struct State {
        /// Compares with what was told last, and tells what is new.
        var look: (() -> Void)?
        var isDue = false
        var timer: (any DispatchSourceTimer)?
    }

    /// How often is looked at what can't say that it has changed.
    private static let pace = DispatchTimeInterval.milliseconds(100)

    init(_ look: @escaping () -> Void) {
        super.init()
        state.withLock { $0.look = look }
    }

    deinit {
        invalidate()
    }

    /// Ends it: the handler is called no more, unless it is being called at this moment.
    public func invalidate() {
        let timer = state.withLock { state in
            defer { (state.look, state.timer) = (nil, nil) }
            return state.timer
        }
        timer?.cancel()
    }

    /// Something may have changed. What changes several times before the observer comes to it is told once.
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

    /// Waits until the observer knows what is known now.
    func isCaughtUp() async {
        let turn = Resumption<Void>()
        queue.async { turn.resume(with: .success(())) }
        try? await turn.valueUnlessCancelled()
    }

    /// Looks again and again, until the answer is that nothing more will change.
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
