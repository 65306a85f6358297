/// The six digits that the inviting machine shows to pair, and that the user types at the invited one.
public struct PairingCode: Hashable, Sendable {
    /// The number of codes. A machine in between has one guess for each code that the user makes a machine show, and
    /// one for each that the user types.
    public static let count: UInt32 = 1_000_000
    private static let digitCount = 6

    /// The code as a number below ``count``.
    public let number: UInt32

    /// - Parameter number: below ``count``; nil otherwise
    public init?(number: UInt32) {
        guard number < Self.count else { return nil }
        self.number = number
    }

    /// Reads a typed code: six digits, with blanks anywhere.
    public init?(typed text: String) {
        let digits = text.unicodeScalars.filter { !$0.properties.isWhitespace }
        guard digits.count == Self.digitCount, digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        number = digits.reduce(0) { $0 * 10 + ($1.value - 48) }
    }

    private init(below: UInt32) {
        number = below
    }

    /// A random code, independent of all others.
    ///
    /// - Parameter generator: the system's generator, except in tests
    public static func random(using generator: inout some RandomNumberGenerator) -> PairingCode {
        PairingCode(below: .random(in: 0..<count, using: &generator))
    }
}

extension PairingCode: CustomStringConvertible {
    /// Two groups of three digits, such as `482 913`, which are easy to read.
    public var description: String { "\(digits.prefix(3)) \(digits.suffix(3))" }

    /// The six digits without a blank.
    public var digits: String {
        let digits = String(number)
        return String(repeating: "0", count: Self.digitCount - digits.count) + digits
    }
}
