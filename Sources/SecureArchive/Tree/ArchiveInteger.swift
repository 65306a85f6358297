/// A whole number from -2⁶³ to 2⁶⁴-1: all that the formats of archives can say between them.
public struct ArchiveInteger: Hashable, Sendable {
    @usableFromInline let bits: UInt64
    /// Set only above `Int64.max`, so that equal numbers are equal values.
    @usableFromInline let isBeyondSigned: Bool

    /// Any number of a type that can't hold more than 64 bits.
    public init(_ value: Int) {
        bits = UInt64(bitPattern: Int64(value))
        isBeyondSigned = false
    }

    /// Also what is too large for `Int64`.
    public init(_ value: UInt64) {
        bits = value
        isBeyondSigned = value > UInt64(Int64.max)
    }

    /// Nil where it does not fit into the type that is asked for.
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
    /// For numbers that stand in the source.
    public init(integerLiteral value: Int) {
        self.init(value)
    }

    /// Decimal digits.
    public var description: String {
        isBeyondSigned ? String(bits) : String(Int64(bitPattern: bits))
    }
}
