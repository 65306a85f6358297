/// The name of a class as an archive spells it: Apple's plain names (`NSArray`) or Swift's with a module
/// (`Game.Character`).
///
/// Code compares it with other names and never looks up a class by it.
public struct ClassName: Hashable, Sendable, CustomStringConvertible {
    /// The word.
    public let description: String

    /// The name; nil unless it has 1 to 255 bytes of letters, digits, `_`, `.` and `$`. Generic classes have no such
    /// name.
    public init?(_ text: String) {
        guard (1...255).contains(text.utf8.count), text.unicodeScalars.allSatisfy(Self.mayStand) else { return nil }
        description = text
    }

    private static func mayStand(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", ".", "$": true
        default: !scalar.isASCII && scalar.properties.isXIDContinue
        }
    }
}

extension ClassName {
    /// Compares byte by byte: two ways to write an “é” are two classes.
    public static func == (left: Self, right: Self) -> Bool {
        left.description.isLiterally(right.description)
    }

    /// By its bytes.
    public func hash(into hasher: inout Hasher) {
        for byte in description.utf8 { hasher.combine(byte) }
    }
}

extension ClassName: ExpressibleByStringLiteral {
    /// A name from a literal.
    public init(stringLiteral value: StaticString) {
        guard let name = ClassName(value.description) else {
            preconditionFailure("“\(value)” can't be the name of a class")
        }
        self = name
    }
}
