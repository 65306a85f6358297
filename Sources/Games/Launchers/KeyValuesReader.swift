/// Reads a text of keys and values once, with a stack of its own in place of recursion.
package struct KeyValuesReader {
    static let deepest = 32
    static let mostFields = 200_000

    private var tokens: KeyValuesTokens
    private var fieldCount = 0

    /// The fields of a file; nil if it has another form.
    package static func read(_ bytes: [UInt8]) -> KeyValues? {
        guard !bytes.contains(0) else { return nil }
        var reader = KeyValuesReader(tokens: KeyValuesTokens(bytes))
        return reader.document()
    }

    private mutating func document() -> KeyValues? {
        var open: [(key: String, fields: [KeyValues.Field])] = [("", [])]
        var key: String?
        loop: while let token = tokens.next() {
            switch token {
            case .text(let text):
                if let name = key {
                    open[open.count - 1].fields.append(KeyValues.Field(key: name, value: .text(text)))
                    key = nil
                    fieldCount += 1
                } else {
                    key = text
                }
            case .open:
                guard let name = key, open.count < Self.deepest else { return nil }
                open.append((name, []))
                key = nil
                fieldCount += 1
            case .close:
                guard open.count > 1 else { break loop }
                Self.close(&open)
                key = nil
            }
            guard fieldCount <= Self.mostFields else { return nil }
        }
        while open.count > 1 { Self.close(&open) }
        return open[0].fields.isEmpty ? nil : .block(open[0].fields)
    }

    private static func close(_ open: inout [(key: String, fields: [KeyValues.Field])]) {
        let (key, fields) = open.removeLast()
        open[open.count - 1].fields.append(KeyValues.Field(key: key, value: .block(fields)))
    }
}
