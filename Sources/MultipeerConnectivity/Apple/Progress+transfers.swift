public import Foundation

/// What Foundation has on Apple's systems and not on Linux, for those who show a transfer. Each stands in the user info, where it stands there, too.
///
/// They are disfavored because Foundation may have them one day: code that imports both modules would find two of each otherwise, and have to choose.
extension Progress {
    /// In how many seconds it is probably done.
    @_disfavoredOverload
    public var estimatedTimeRemaining: TimeInterval? {
        get { number(.estimatedTimeRemainingKey)?.doubleValue }
        set { setUserInfoObject(newValue.map { NSNumber(value: $0) }, forKey: .estimatedTimeRemainingKey) }
    }

    /// How many bytes a second it goes.
    @_disfavoredOverload
    public var throughput: Int? {
        get { number(.throughputKey)?.intValue }
        set { setUserInfoObject(newValue.map { NSNumber(value: $0) }, forKey: .throughputKey) }
    }

    /// What is done to files.
    @_disfavoredOverload
    public var fileOperationKind: FileOperationKind? {
        get { userInfo[.fileOperationKindKey] as? FileOperationKind }
        set { setUserInfoObject(newValue, forKey: .fileOperationKindKey) }
    }

    /// Which file it is about.
    @_disfavoredOverload
    public var fileURL: URL? {
        get { userInfo[.fileURLKey] as? URL }
        set { setUserInfoObject(newValue, forKey: .fileURLKey) }
    }

    /// How many files there are.
    @_disfavoredOverload
    public var fileTotalCount: Int? {
        get { number(.fileTotalCountKey)?.intValue }
        set { setUserInfoObject(newValue.map { NSNumber(value: $0) }, forKey: .fileTotalCountKey) }
    }

    /// How many of them are done.
    @_disfavoredOverload
    public var fileCompletedCount: Int? {
        get { number(.fileCompletedCountKey)?.intValue }
        set { setUserInfoObject(newValue.map { NSNumber(value: $0) }, forKey: .fileCompletedCountKey) }
    }

    private func number(_ key: ProgressUserInfoKey) -> NSNumber? { userInfo[key] as? NSNumber }
}
