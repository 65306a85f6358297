public import Foundation

/// Properties of a transfer that Foundation has on Apple's systems and not on Linux. Each is stored in the user info,
/// as on Apple's systems.
///
/// They are disfavored because Foundation may add them later: code that imports both modules would otherwise find two
/// of each.
extension Progress {
    /// Estimated time to completion in seconds.
    @_disfavoredOverload
    public var estimatedTimeRemaining: TimeInterval? {
        get { number(.estimatedTimeRemainingKey)?.doubleValue }
        set { show(newValue.map { NSNumber(value: $0) }, .estimatedTimeRemainingKey) }
    }

    /// Speed in bytes per second.
    @_disfavoredOverload
    public var throughput: Int? {
        get { number(.throughputKey)?.intValue }
        set { show(newValue.map { NSNumber(value: $0) }, .throughputKey) }
    }

    /// Kind of the file operation.
    @_disfavoredOverload
    public var fileOperationKind: FileOperationKind? {
        get { shown(.fileOperationKindKey) as? FileOperationKind }
        set { show(newValue, .fileOperationKindKey) }
    }

    /// The file of the operation.
    @_disfavoredOverload
    public var fileURL: URL? {
        get { shown(.fileURLKey) as? URL }
        set { show(newValue, .fileURLKey) }
    }

    /// Number of files.
    @_disfavoredOverload
    public var fileTotalCount: Int? {
        get { number(.fileTotalCountKey)?.intValue }
        set { show(newValue.map { NSNumber(value: $0) }, .fileTotalCountKey) }
    }

    /// Number of completed files.
    @_disfavoredOverload
    public var fileCompletedCount: Int? {
        get { number(.fileCompletedCountKey)?.intValue }
        set { show(newValue.map { NSNumber(value: $0) }, .fileCompletedCountKey) }
    }

    /// Protects a value that one thread writes while another shows it: on Linux, Foundation's user info has no lock.
    private static let lock = NSRecursiveLock()

    private func shown(_ key: ProgressUserInfoKey) -> Any? { Self.lock.withLock { userInfo[key] } }

    private func show(_ value: Any?, _ key: ProgressUserInfoKey) {
        Self.lock.withLock { setUserInfoObject(value, forKey: key) }
    }

    private func number(_ key: ProgressUserInfoKey) -> NSNumber? { shown(key) as? NSNumber }
}
