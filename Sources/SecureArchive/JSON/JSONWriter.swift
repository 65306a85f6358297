/// Writes a tree as a document in its one form.
struct JSONWriter {
    private let isPretty: Bool
    private var output: [UInt8] = []

    init(_ layout: JSON.Layout) {
        isPretty = layout == .pretty
    }

    mutating func document(of value: ArchiveValue) throws(ArchiveError) -> [UInt8] {
        try write(value, level: 0)
        if isPretty { output.append(UInt8(ascii: "\n")) }
        return output
    }

    private mutating func write(_ value: ArchiveValue, level: Int) throws(ArchiveError) {
        switch value {
        case .null: put("null")
        case .bool(let flag): put(flag ? "true" : "false")
        case .integer(let number): put(number.description)
        // The shortest digits that give the number back, with a point or an exponent.
        case .real(let number) where !number.isFinite: throw .inexpressible(value, in: "JSON")
        case .real(let number): put(number.value.description)
        case .string(let text): put(quoted: text)
        case .array(let elements): try write(elements, level: level)
        case .dictionary(let fields): try write(fields, level: level)
        case .data, .date, .reference, .tagged: throw .inexpressible(value, in: "JSON")
        }
    }

    private mutating func write(_ elements: [ArchiveValue], level: Int) throws(ArchiveError) {
        guard !elements.isEmpty else { return put("[]") }
        try WritingDepth.check(level + 1)
        output.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            beginItem(isFirst: index == 0, level: level + 1)
            do throws(ArchiveError) {
                try write(element, level: level + 1)
            } catch {
                throw error.inside(.index(index))
            }
        }
        end(with: "]", level: level)
    }

    private mutating func write(_ fields: ArchiveFields, level: Int) throws(ArchiveError) {
        guard !fields.isEmpty else { return put("{}") }
        try WritingDepth.check(level + 1)
        output.append(UInt8(ascii: "{"))
        for index in fields.indices {
            beginItem(isFirst: index == 0, level: level + 1)
            put(quoted: fields.keys[index])
            put(isPretty ? ": " : ":")
            do throws(ArchiveError) {
                try write(fields.values[index], level: level + 1)
            } catch {
                throw error.inside(.key(fields.keys[index]))
            }
        }
        end(with: "}", level: level)
    }

    private mutating func beginItem(isFirst: Bool, level: Int) {
        if !isFirst { output.append(UInt8(ascii: ",")) }
        if isPretty { beginLine(level: level) }
    }

    private mutating func end(with bracket: StaticString, level: Int) {
        if isPretty { beginLine(level: level) }
        put(bracket.description)
    }

    private mutating func beginLine(level: Int) {
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
    }

    private mutating func put(_ text: String) {
        output.append(contentsOf: text.utf8)
    }

    private mutating func put(quoted text: String) {
        output.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            for index in utf8.indices where Self.mustBeEscaped(utf8[index]) {
                output.append(contentsOf: utf8[start..<index])
                put(escapeOf: utf8[index])
                start = index + 1
            }
            output.append(contentsOf: utf8[start...])
        }
        output.append(UInt8(ascii: "\""))
    }

    private static func mustBeEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func put(escapeOf byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): put("\\\"")
        case UInt8(ascii: "\\"): put("\\\\")
        case 0x0A: put("\\n")
        case 0x09: put("\\t")
        case 0x0D: put("\\r")
        case 0x08: put("\\b")
        case 0x0C: put("\\f")
        default: put((byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16))
        }
    }
}
