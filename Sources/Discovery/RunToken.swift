/// A random word in the TXT record of an advertisement, new each time a program starts: by it a program knows its own
/// advertisement among others, whatever name it got, and a reader knows two names of one peer.
///
/// It is no identity: it proves nothing and can't be followed from one day to the next.
struct RunToken: Hashable, Sendable {
    let text: String

    /// A new one.
    static func random() -> RunToken {
        let number = UInt64.random(in: .min ... .max)
        let digits = String(number, radix: 16)
        return RunToken(text: String(repeating: "0", count: 16 - digits.count) + digits)
    }

    private init(text: String) {
        self.text = text
    }

    /// The token in a record; nil where there is none or it has another form.
    init?(in txt: TXTRecord) {
        guard let text = txt.text(Self.key), text.utf8.count == 16, text.allSatisfy(\.isHexDigit) else { return nil }
        self.text = text
    }

    /// The record with this token in it.
    func mark(_ txt: TXTRecord) throws(InvalidTXT) -> TXTRecord {
        var marked = txt
        try marked.set(Self.key, to: text)
        return marked
    }

    static let key = TXTKey(known: "run")
}
