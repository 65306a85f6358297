/// Reads Valve's keys and values in their binary form, in which Steam writes `shortcuts.vdf`. Numbers come as texts.
///
/// A cut file yields the fields before the cut.
package struct BinaryKeyValuesReader {
    private var rest: ArraySlice<UInt8>

    /// The fields of a file; nil if it has another form.
    package static func read(_ bytes: [UInt8]) -> KeyValues? {
        guard bytes.first == 0 else { return nil }
        var reader = BinaryKeyValuesReader(rest: bytes[...])
        return reader.document()
    }

    private mutating func document() -> KeyValues? {
        var open: [(key: String, fields: [KeyValues.Field])] = [("", [])]
        var count = 0
        while let kind = rest.popFirst() {
            if kind == 8 {
                guard open.count > 1 else { break }
                let (key, fields) = open.removeLast()
                open[open.count - 1].fields.append(KeyValues.Field(key: key, value: .block(fields)))
                continue
            }
            guard let key = text(), count < KeyValuesReader.mostFields else { break }
            count += 1
            if kind == 0 {
                guard open.count < KeyValuesReader.deepest else { return nil }
                open.append((key, []))
            } else {
                guard let value = value(of: kind) else { break }
                open[open.count - 1].fields.append(KeyValues.Field(key: key, value: .text(value)))
            }
        }
        while open.count > 1 {
            let (key, fields) = open.removeLast()
            open[open.count - 1].fields.append(KeyValues.Field(key: key, value: .block(fields)))
        }
        return open[0].fields.isEmpty ? nil : .block(open[0].fields)
    }

    private mutating func value(of kind: UInt8) -> String? {
        switch kind {
        case 1: text()
        // Whole numbers, fractions, pointers and colours of 32 bits; then the two kinds of 64 bits.
        case 2, 3, 4, 6: number(bytes: 4)
        case 7, 10: number(bytes: 8)
        default: nil
        }
    }

    private mutating func number(bytes count: Int) -> String? {
        guard rest.count >= count else { return nil }
        let number = rest.prefix(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(count)
        return "\(number)"
    }

    private mutating func text() -> String? {
        guard let end = rest.firstIndex(of: 0), end - rest.startIndex <= KeyValuesTokens.longestText else { return nil }
        defer { rest = rest[(end + 1)...] }
        return String(decoding: rest[..<end], as: UTF8.self)
    }
}
