/// The six digits that both screens show at a first meeting.
public struct PairingCode: Hashable, Sendable {
    /// How many codes there are: somebody in the middle has one guess among so many.
    public static let count: UInt32 = 1_000_000
    private static let digitCount = 6

    /// The code as a number below ``count``.
    public let number: UInt32

    /// - Parameter number: below ``count``; nil otherwise
    public init?(number: UInt32) {
        guard number < Self.count else { return nil }
        self.number = number
    }

    /// Reads what a person typed: six digits, with blanks wherever they like them.
    public init?(typed text: String) {
        let digits = text.unicodeScalars.filter { !$0.properties.isWhitespace }
        guard digits.count == Self.digitCount, digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        number = digits.reduce(0) { $0 * 10 + ($1.value - 48) }
    }

    /// The code that a digest gives: its first eight bytes as a number, cut to six digits.
    init(digest: [UInt8]) {
        precondition(digest.count >= 8, "a code needs eight bytes of the digest")
        let word = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        number = UInt32(word % UInt64(Self.count))
    }
}

extension PairingCode: CustomStringConvertible {
    /// Two groups of three, such as `482 913`, because people read them so.
    public var description: String { "\(digits.prefix(3)) \(digits.suffix(3))" }

    /// The six digits and nothing else.
    public var digits: String {
        let digits = String(number)
        return String(repeating: "0", count: Self.digitCount - digits.count) + digits
    }
}
