/// A number of bytes: the size of a file, a budget, a limit.
public struct ByteCount: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// How many.
    public let bytes: UInt64

    /// - Parameter bytes: how many
    public init(_ bytes: UInt64) {
        self.bytes = bytes
    }

    /// The largest binary unit that says it exactly: `64KiB`, `1GiB`, `1000B`.
    public var description: String {
        var (count, unit) = (bytes, 0)
        let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
        while count > 0, count.isMultiple(of: 1024) {
            (count, unit) = (count / 1024, unit + 1)
        }
        return "\(count)\(units[unit])"
    }

    /// The smaller number is less.
    public static func < (left: ByteCount, right: ByteCount) -> Bool {
        left.bytes < right.bytes
    }
}
