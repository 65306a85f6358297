import SecureArchive

/// The bytes of a message, as text if they are UTF-8. Its keys are beside the other keys of an event.
package enum MessageContent: FieldGroup {
    case text(String)
    case base64(String)

    package init(_ bytes: [UInt8]) {
        if let text = String(validating: bytes, as: UTF8.self) {
            self = .text(text)
        } else {
            self = .base64(String(decoding: Base64.encode(bytes[...]), as: UTF8.self))
        }
    }

    package init?(_ fields: JSONFields) throws {
        if let text = try fields.text("text") {
            self = .text(text)
        } else if let base64 = try fields.text("base64") {
            self = .base64(base64)
        } else {
            return nil
        }
    }

    package func add(to fields: inout JSONFields) {
        switch self {
        case .text(let text): fields.set("text", text)
        case .base64(let base64): fields.set("base64", base64)
        }
    }

    /// Bytes of memory.
    var weight: Int {
        switch self {
        case .text(let text), .base64(let text): text.utf8.count
        }
    }

    /// Number of bytes of the message, at most two too many.
    package var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .base64(let base64): base64.utf8.count / 4 * 3
        }
    }
}
