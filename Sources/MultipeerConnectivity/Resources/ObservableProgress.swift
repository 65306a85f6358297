import Foundation

/// How far a transfer is, and who observes it.
///
/// `@unchecked Sendable` because the observers are behind a lock, and what the engine's thread writes while the app reads is, where it is more than a number:
/// Foundation's `Progress` says that it is `Sendable`, and on Linux (6.3) has no lock.
final class ObservableProgress: Progress, @unchecked Sendable {
    private let observers = Guarded<[WeakObservation]>([])
    /// Recursive, for Foundation's setters ask what they have set.
    private let lock = NSRecursiveLock()

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

    override var userInfo: [ProgressUserInfoKey: Any] { lock.withLock { super.userInfo } }

    override func setUserInfoObject(_ objectOrNil: Any?, forKey key: ProgressUserInfoKey) {
        lock.withLock { super.setUserInfoObject(objectOrNil, forKey: key) }
        hasChanged()
    }

    override var cancellationHandler: (@Sendable () -> Void)? {
        get { lock.withLock { super.cancellationHandler } }
        set { lock.withLock { super.cancellationHandler = newValue } }
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
