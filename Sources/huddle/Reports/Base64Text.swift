import FoundationEssentials

/// Bytes that are no text, for JSON.
enum Base64Text {
    static func of(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
