import Foundation

/// Progress of a transfer with its observers.
///
/// `@unchecked Sendable` because the observers are behind a lock, and so is every property beyond a number that the
/// engine's thread writes while the app reads. Foundation's `Progress` claims to be `Sendable`, and has no lock on
/// Linux (6.3).
final class ObservableProgress: Progress, @unchecked Sendable {
    private let observers = Locked<[WeakObservation]>([])
    /// Recursive, because Foundation's setters read their properties.
    private let lock = NSRecursiveLock()

    private struct WeakObservation {
        weak let observation: NSKeyValueObservation?
    }

    /// - Parameter count: number of bytes; -1 if it is unknown
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

    /// Waits until every observer knows the present state.
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
