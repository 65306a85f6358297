/// A random token in the TXT record, new for each start of a program. By it, a program finds its own advertisement,
/// whatever name Avahi chose, and a reader recognises two names of one peer.
///
/// It is no identity: it proves nothing and does not track a machine over days.
struct RunToken: Hashable, Sendable {
    let text: String

    static func random() -> RunToken {
        let number = UInt64.random(in: .min ... .max)
        let digits = String(number, radix: 16)
        return RunToken(text: String(repeating: "0", count: 16 - digits.count) + digits)
    }

    private init(text: String) {
        self.text = text
    }

    /// The token in a record; nil if the record has none or one of another form.
    init?(in txt: TXTRecord) {
        guard let text = txt.text(Self.key), text.utf8.count == 16, text.allSatisfy(\.isHexDigit) else { return nil }
        self.text = text
    }

    /// The record with this token and the port of this run. Avahi can resolve a name to the port of an earlier run for
    /// a second, as it keeps the old record beside the new one.
    func mark(_ txt: TXTRecord, port: UInt16? = nil) throws(InvalidTXT) -> TXTRecord {
        var marked = txt
        try marked.set(Self.key, to: text)
        if let port { try marked.set(Self.portKey, to: String(port)) }
        return marked
    }

    /// The port in a record that has a token.
    static func port(in txt: TXTRecord) -> UInt16? {
        RunToken(in: txt) == nil ? nil : txt.text(portKey).flatMap { UInt16($0) }
    }

    static let key = TXTKey(known: "run")
    static let portKey = TXTKey(known: "srv")
}
