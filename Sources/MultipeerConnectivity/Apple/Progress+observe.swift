public import Foundation

extension Progress {
    /// Observes a property such as `\.fractionCompleted`, as on Apple's systems; Foundation on Linux has no
    /// observation.
    ///
    /// A progress of this module reports its changes. Any other, such as one of the app with such children, is compared
    /// ten times a second until it is finished or cancelled.
    ///
    /// - Parameters:
    ///   - keyPath: any property; comparable ones are only reported if they differ
    ///   - options: the values that the handler gets
    ///   - changeHandler: called on the observation's own queue, and with `.initial` at once
    /// - Returns: the observation, which ends when it is released
    @preconcurrency
    public func observe<Value>(
        _ keyPath: KeyPath<Progress, Value>,
        options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (Progress, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let watched = WatchedProperty(self, keyPath, options, changeHandler)
        if options.contains(.initial) { watched.tellInitial() }
        let observation = NSKeyValueObservation { watched.look() }
        if let own = self as? ObservableProgress {
            own.add(observation)
        } else {
            observation.lookRepeatedly { watched.isOver }
        }
        // The property may have changed before the observation started.
        observation.ring()
        return observation
    }
}

/// One property with its last reported value.
///
/// `@unchecked Sendable` because after its initializer only the observation's queue uses it. The values read from a
/// `Progress` are numbers, or locked by the properties of this module.
private final class WatchedProperty<Value>: @unchecked Sendable {
    private let progress: Progress
    private let keyPath: KeyPath<Progress, Value>
    private let options: NSKeyValueObservingOptions
    private let handler: @Sendable (Progress, NSKeyValueObservedChange<Value>) -> Void
    private var last: Value

    init(
        _ progress: Progress,
        _ keyPath: KeyPath<Progress, Value>,
        _ options: NSKeyValueObservingOptions,
        _ handler: @escaping @Sendable (Progress, NSKeyValueObservedChange<Value>) -> Void
    ) {
        self.progress = progress
        self.keyPath = keyPath
        self.options = options
        self.handler = handler
        last = progress[keyPath: keyPath]
    }

    var isOver: Bool { progress.isFinished || progress.isCancelled }

    func tellInitial() {
        handler(progress, .init(from: nil, to: options.contains(.new) ? last : nil))
    }

    func look() {
        let (before, now) = (last, progress[keyPath: keyPath])
        guard !isSame(before, now) else { return }
        last = now
        let isOldWanted = options.contains(.old)
        handler(progress, .init(from: isOldWanted ? before : nil, to: options.contains(.new) ? now : nil))
    }

    private func isSame(_ one: Value, _ other: Value) -> Bool {
        if let one = one as? AnyHashable, let other = other as? AnyHashable { return one == other }
        return String(describing: one) == String(describing: other)
    }
}
