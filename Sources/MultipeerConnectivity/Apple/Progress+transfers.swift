public import Foundation

/// What Foundation has on Apple's systems and not on Linux, for those who show a transfer. Each stands in the user info, where it stands there, too.
///
/// They are disfavored because Foundation may have them one day: code that imports both modules would find two of each otherwise, and have to choose.
extension Progress {
    /// In how many seconds it is probably done.
    @_disfavoredOverload
    public var estimatedTimeRemaining: TimeInterval? {
        get { number(.estimatedTimeRemainingKey)?.doubleValue }
        set { show(newValue.map { NSNumber(value: $0) }, .estimatedTimeRemainingKey) }
    }

    /// How many bytes a second it goes.
    @_disfavoredOverload
    public var throughput: Int? {
        get { number(.throughputKey)?.intValue }
        set { show(newValue.map { NSNumber(value: $0) }, .throughputKey) }
    }

    /// What is done to files.
    @_disfavoredOverload
    public var fileOperationKind: FileOperationKind? {
        get { shown(.fileOperationKindKey) as? FileOperationKind }
        set { show(newValue, .fileOperationKindKey) }
    }

    /// Which file it is about.
    @_disfavoredOverload
    public var fileURL: URL? {
        get { shown(.fileURLKey) as? URL }
        set { show(newValue, .fileURLKey) }
    }

    /// How many files there are.
    @_disfavoredOverload
    public var fileTotalCount: Int? {
        get { number(.fileTotalCountKey)?.intValue }
        set { show(newValue.map { NSNumber(value: $0) }, .fileTotalCountKey) }
    }

    /// How many of them are done.
    @_disfavoredOverload
    public var fileCompletedCount: Int? {
        get { number(.fileCompletedCountKey)?.intValue }
        set { show(newValue.map { NSNumber(value: $0) }, .fileCompletedCountKey) }
    }

    /// For what is written on one thread while it is shown on another: on Linux, Foundation's user info has no lock.
    private static let lock = NSRecursiveLock()

    private func shown(_ key: ProgressUserInfoKey) -> Any? { Self.lock.withLock { userInfo[key] } }

    private func show(_ value: Any?, _ key: ProgressUserInfoKey) {
        Self.lock.withLock { setUserInfoObject(value, forKey: key) }
    }

    private func number(_ key: ProgressUserInfoKey) -> NSNumber? { shown(key) as? NSNumber }
}
