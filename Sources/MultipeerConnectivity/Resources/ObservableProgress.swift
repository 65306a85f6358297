import Foundation

/// How far a transfer is, and who observes it.
///
/// `@unchecked Sendable` because `Progress` locks itself, and the observers are behind a lock.
final class ObservableProgress: Progress, @unchecked Sendable {
    private let observers = Guarded<[WeakObservation]>([])

    private struct WeakObservation {
        weak let observation: NSKeyValueObservation?
    }

    /// - Parameter count: of bytes; -1 where it is not known yet
    convenience init(of count: Int64) {
        self.init(parent: .current(), userInfo: nil)
        totalUnitCount = count
    }

    func add(_ observation: NSKeyValueObservation) {
        observers.withLock { observers in
            observers = observers.filter { $0.observation != nil } + [WeakObservation(observation: observation)]
        }
    }

    private var observing: [NSKeyValueObservation] { observers.withLock { $0.compactMap(\.observation) } }

    private func hasChanged() {
        for observation in observing { observation.ring() }
    }

    /// Waits until every observer knows how far it is.
    func isKnown() async {
        for observation in observing { await observation.isCaughtUp() }
    }

    override var completedUnitCount: Int64 {
        didSet { hasChanged() }
    }

    override var totalUnitCount: Int64 {
        didSet { hasChanged() }
    }

    override func cancel() {
        super.cancel()
        hasChanged()
    }

    override func pause() {
        super.pause()
        hasChanged()
    }

    override func resume() {
        super.resume()
        hasChanged()
    }
}
