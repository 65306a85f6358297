/// Modification time of a file, without a time zone or calendar.
public struct FileTime: Hashable, Comparable, Sendable {
    /// Whole seconds since 1970, negative before.
    public let seconds: Int64
    /// The fraction of a second.
    public let nanoseconds: UInt32

    /// - Parameters:
    ///   - seconds: whole seconds since 1970
    ///   - nanoseconds: the fraction; a second or more is cut off
    public init(seconds: Int64, nanoseconds: UInt32) {
        self.seconds = seconds
        self.nanoseconds = min(nanoseconds, 999_999_999)
    }

    /// Compares the times.
    public static func < (left: FileTime, right: FileTime) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}
