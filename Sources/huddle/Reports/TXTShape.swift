import Discovery
import FoundationEssentials

/// An entry of a TXT record as JSON: a key alone, with a text, or with bytes in base64.
struct TXTShape: Encodable {
    private let key: String
    private var text: String?
    private var base64: String?

    init(_ entry: TXTRecord.Entry) {
        key = entry.key.text
        guard case .bytes(let bytes) = entry.value else { return }
        text = String(validating: bytes, as: UTF8.self)
        if text == nil { base64 = Data(bytes).base64EncodedString() }
    }
}
