/// When a file was changed, as the kernel keeps it: no time zone, no calendar.
public struct FileTime: Hashable, Comparable, Sendable {
    /// Whole seconds since 1970, negative before.
    public let seconds: Int64
    /// The rest, less than a second.
    public let nanoseconds: UInt32

    /// - Parameters:
    ///   - seconds: whole seconds since 1970
    ///   - nanoseconds: the rest; what makes a second or more is cut
    public init(seconds: Int64, nanoseconds: UInt32) {
        self.seconds = seconds
        self.nanoseconds = min(nanoseconds, 999_999_999)
    }

    /// The earlier is less.
    public static func < (left: FileTime, right: FileTime) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}
