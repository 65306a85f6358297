/// A short text that names a session or a stream for people. It is untrusted where it comes from a peer, but it can't hold
/// what would not fit on a line.
public struct Label: Hashable, Sendable, CustomStringConvertible {
    /// How many bytes of UTF-8 it may have.
    public static let maximumByteCount = 128

    /// The text as it was given. It may still mislead a reader's eye.
    public let text: String

    /// The text, fit to print.
    public var description: String { PrintableText(name: text).description }

    /// - Parameter text: 1 to 128 bytes of UTF-8 without control characters
    public init(_ text: String) throws(InvalidName) {
        guard !text.isEmpty else { throw Self.refusal(text, ErrorCode(.invalid, "label.empty"), "it is empty") }
        guard text.utf8.count <= Self.maximumByteCount else {
            throw Self.refusal(
                text,
                ErrorCode(.invalid, "label.too-long"),
                "it has more than \(Self.maximumByteCount) bytes"
            )
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw Self.refusal(text, ErrorCode(.invalid, "label.control-character"), "it has a control character")
        }
        self.text = text
    }

    private static func refusal(_ offered: String, _ code: ErrorCode, _ rule: String) -> InvalidName {
        InvalidName(
            code,
            offered,
            isNot: "the name of a session or a stream",
            because: rule,
            nextStep: "choose a short name that can be printed, such as “chat”"
        )
    }

    /// Equal byte by byte.
    public static func == (left: Label, right: Label) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }
}
