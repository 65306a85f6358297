/// A short text that names a session or a stream for users. From a peer it is untrusted, but it always fits on a line.
public struct Label: Hashable, Sendable, CustomStringConvertible {
    /// Maximum length in bytes of UTF-8.
    public static let maximumByteCount = 128

    /// The original text. It may still mislead a reader.
    public let text: String

    /// The printable text.
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

    /// Compares the bytes.
    public static func == (left: Label, right: Label) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }
}
