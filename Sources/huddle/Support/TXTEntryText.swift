import CommandTable
import Discovery

/// A change to a TXT record as the user types it: `KEY=VALUE` and `KEY` set an entry, `-KEY` removes it.
struct TXTEntryText: Sendable {
    let text: String
    private let change: Change

    private enum Change {
        case set(TXTKey, TXTRecord.Value)
        case remove(TXTKey)
    }

    init(_ text: String) throws(InvalidTXT) {
        self.text = text
        if text.hasPrefix("-") {
            change = .remove(try TXTKey(String(text.dropFirst())))
            return
        }
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let key = try TXTKey(String(parts[0]))
        change = .set(key, parts.count == 2 ? .bytes(Array(parts[1].utf8)) : .none)
        // An entry that is too large is reported now, and not only when the command advertises it.
        var trial = TXTRecord()
        try apply(to: &trial)
    }

    func apply(to record: inout TXTRecord) throws(InvalidTXT) {
        switch change {
        case .set(let key, let value): try record.set(key, to: value)
        case .remove(let key): record.remove(key)
        }
    }
}

extension ValueForm where Value == TXTEntryText {
    /// The form of one entry of a TXT record.
    static var txtEntry: ValueForm {
        ValueForm(placeholder: "KEY=VALUE", like: "v=1 or a key alone", write: \.text) { try TXTEntryText($0) }
    }
}
