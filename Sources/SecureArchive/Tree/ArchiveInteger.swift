/// A whole number from -2⁶³ to 2⁶⁴-1, the range of all archive formats together.
public struct ArchiveInteger: Hashable, Sendable {
    @usableFromInline let bits: UInt64
    /// True only above `Int64.max`, so that equal numbers are equal values.
    @usableFromInline let isBeyondSigned: Bool

    /// Any number of a type that can't hold more than 64 bits.
    public init(_ value: Int) {
        bits = UInt64(bitPattern: Int64(value))
        isBeyondSigned = false
    }

    /// A number that may exceed `Int64`.
    public init(_ value: UInt64) {
        bits = value
        isBeyondSigned = value > UInt64(Int64.max)
    }

    /// The number as another type; nil if it does not fit.
    @inlinable
    public func value<Number: FixedWidthInteger>(as type: Number.Type = Number.self) -> Number? {
        isBeyondSigned ? Number(exactly: bits) : Number(exactly: Int64(bitPattern: bits))
    }
}

extension ArchiveInteger: Comparable {
    /// By size.
    public static func < (left: Self, right: Self) -> Bool {
        switch (left.isBeyondSigned, right.isBeyondSigned) {
        case (false, true): true
        case (true, false): false
        case (true, true): left.bits < right.bits
        case (false, false): Int64(bitPattern: left.bits) < Int64(bitPattern: right.bits)
        }
    }
}

extension ArchiveInteger: ExpressibleByIntegerLiteral, CustomStringConvertible {
    /// A number from a literal.
    public init(integerLiteral value: Int) {
        self.init(value)
    }

    /// Decimal digits.
    public var description: String {
        isBeyondSigned ? String(bits) : String(Int64(bitPattern: bits))
    }
}
