import FoundationEssentials

/// Bytes as base64, for JSON.
enum Base64Text {
    static func of(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
