public import Vocabulary

/// The name of a game for users: `celeste`. It is a name on one machine; a game's identity is its ``SaveSetID``.
public struct SaveSetName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The largest size in bytes.
    public static let maximumByteCount = 63

    /// The name as given. All its characters are safe to print and need no quotes in a shell.
    public let description: String

    /// - Parameter text: 1 to 63 letters, digits, `-`, `_` and `.`, of which the first is a letter or a digit
    public init(_ text: String) throws(InvalidName) {
        let bytes = text.utf8
        guard let first = bytes.first else {
            throw Self.refusal(text, ErrorCode(.invalid, "save-set.empty-name"), "it is empty")
        }
        guard bytes.count <= Self.maximumByteCount else {
            throw Self.refusal(
                text,
                ErrorCode(.invalid, "save-set.name-too-long"),
                "it has \(bytes.count) bytes and \(Self.maximumByteCount) are allowed"
            )
        }
        guard first.isASCIILetter || first.isASCIIDigit, bytes.allSatisfy(Self.isAllowed) else {
            throw Self.refusal(
                text,
                ErrorCode(.invalid, "save-set.forbidden-character"),
                "only letters a–z, digits, “-”, “_” and “.” are allowed, and a letter or a digit comes first"
            )
        }
        description = text
    }

    /// Compares bytes.
    public static func < (left: SaveSetName, right: SaveSetName) -> Bool {
        left.description.utf8.lexicographicallyPrecedes(right.description.utf8)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit
            || [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ".")].contains(byte)
    }

    private static func refusal(_ offered: String, _ code: ErrorCode, _ rule: String) -> InvalidName {
        InvalidName(
            code,
            offered,
            isNot: "the name of a save set",
            because: rule,
            nextStep: "choose a short name like “celeste” or “dark-souls.2”"
        )
    }
}
