package import Vocabulary

extension InvitationID {
    /// Reads the ID of an invitation; nil if the text is none.
    package init?(hexadecimal text: String) {
        guard text.utf8.count == 32, text.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
            let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }
}
