import SaveRules
package import Vocabulary

extension SaveSetID {
    /// Reads the description; nil for any other text.
    package init?(hexadecimal text: String) {
        guard text.utf8.count == 2 * Self.byteCount, let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }
}
