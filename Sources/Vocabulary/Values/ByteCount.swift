/// A number of bytes: the size of a file, a budget, a limit.
public struct ByteCount: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Number of bytes.
    public let bytes: UInt64

    /// - Parameter bytes: number of bytes
    public init(_ bytes: UInt64) {
        self.bytes = bytes
    }

    /// The exact value in the largest binary unit: `64KiB`, `1GiB`, `1000B`.
    public var description: String {
        var (count, unit) = (bytes, 0)
        while count > 0, count.isMultiple(of: 1024) {
            (count, unit) = (count / 1024, unit + 1)
        }
        return "\(count)\(Self.units[unit])"
    }

    /// The value for users, with two or three digits, rounded down: `3.1 MiB`, `412 B`.
    public var rounded: String {
        var (size, unit) = (Double(bytes), 0)
        while size >= 1000, unit < Self.units.count - 1 { (size, unit) = (size / 1024, unit + 1) }
        guard unit > 0, size < 10 else { return "\(Int(size)) \(Self.units[unit])" }
        let tenths = Int(size * 10)
        return "\(tenths / 10).\(tenths % 10) \(Self.units[unit])"
    }

    private static let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

    /// Compares the numbers.
    public static func < (left: ByteCount, right: ByteCount) -> Bool {
        left.bytes < right.bytes
    }
}
