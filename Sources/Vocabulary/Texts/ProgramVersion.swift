/// The version of a program, such as `0.1.0`; printable.
public struct ProgramVersion: Hashable, Sendable, CustomStringConvertible {
    /// Maximum length in bytes.
    public static let maximumByteCount = 40

    /// The version.
    public let description: String

    /// - Parameter text: 1 to 40 letters, digits, dots, hyphens, `+` and `~`, as in Debian's versions; others give nil
    public init?(_ text: String) {
        guard (1...Self.maximumByteCount).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else {
            return nil
        }
        description = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "~"): true
        default: false
        }
    }
}

extension ProgramVersion {
    /// True if it is older than another; nil if the leading numbers don't decide.
    public func isOlder(than other: ProgramVersion) -> Bool? {
        guard let (own, theirs) = numbers.flatMap({ own in other.numbers.map { (own, $0) } }), own != theirs else {
            return nil
        }
        return own.lexicographicallyPrecedes(theirs)
    }

    /// `0.12.3` of `0.12.3-1~deb12`; nil if the version begins with no number.
    private var numbers: [UInt64]? {
        let parts = description.prefix { $0.isNumber || $0 == "." }.split(
            separator: ".",
            omittingEmptySubsequences: false
        )
        let numbers = parts.compactMap { UInt64($0) }
        return numbers.count == parts.count ? numbers : nil
    }
}
