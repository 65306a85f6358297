public import Foundation

extension Progress {
    /// Tells of a property's changes, such as `\.fractionCompleted`, as on Apple's systems; Foundation on Linux has nothing of the kind.
    ///
    /// Those of this module say by themselves when they change. At others, such as one of the app's that has these as children, is looked ten times a
    /// second until they are finished or cancelled.
    ///
    /// - Parameters:
    ///   - keyPath: any property; those that can be compared are told only when they differ
    ///   - options: what the handler wants to know
    ///   - changeHandler: called on a queue of the observation's own, and with `.initial` at once
    /// - Returns: what has to be held for as long as it is to last
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
        // It may have changed before anybody listened.
        observation.ring()
        return observation
    }
}

/// One property, and what was told of it last.
///
/// `@unchecked Sendable` because after its making it is used on the observation's queue alone, and what is read of a `Progress` is a number, or locked by the
/// properties of this module.
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
