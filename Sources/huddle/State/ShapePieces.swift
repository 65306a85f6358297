import SecureArchive

/// An object as one line of JSON, as ``ValueShape`` has it, in pieces that are made as they are asked for: a small file can stand for a tree that is
/// hundreds of times as large, whose line must not have to stand in memory.
struct ShapePieces {
    private enum Rest {
        case word(String)
        case value(ArchiveValue)
        case elements([ArchiveValue], from: Int)
        case fields(ArchiveFields, from: Int)
        case text(String.UnicodeScalarView.SubSequence)
        case bytes(ArraySlice<UInt8>)
    }

    /// What is still to be said, the next last.
    private var rest: [Rest]
    /// About as large is a piece.
    private static let size = 1 << 16
    /// Bytes that end in Base64 without padding.
    private static let run = 3 << 13

    /// - Parameter fields: the object's; their values may be anything
    init(_ fields: ArchiveFields) {
        rest = [.word("}"), .fields(fields, from: 0), .word("{")]
    }

    /// The next piece; nil after the last.
    mutating func next() throws -> String? {
        var piece = ""
        while piece.utf8.count < Self.size, let next = rest.popLast() { piece += try said(next) }
        return piece.isEmpty ? nil : piece
    }

    /// What can be said of it at once. What can't is put back.
    private mutating func said(_ next: Rest) throws -> String {
        switch next {
        case .word(let word): return word
        case .value(let value): return try said(value)
        case .elements(let elements, let place):
            guard place < elements.count else { return "" }
            rest += [.elements(elements, from: place + 1), .value(elements[place])]
            return place == 0 ? "" : ","
        case .fields(let fields, let place):
            guard place < fields.count else { return "" }
            rest += [.fields(fields, from: place + 1), .value(fields.values[place])]
            return try (place == 0 ? "" : ",") + Self.json(.string(fields.keys[place])) + ":"
        case .text(let text):
            guard !text.isEmpty else { return "" }
            rest.append(.text(text.dropFirst(Self.run)))
            return try String(Self.json(.string(String(text.prefix(Self.run)))).dropFirst().dropLast())
        case .bytes(let bytes):
            guard !bytes.isEmpty else { return "" }
            rest.append(.bytes(bytes.dropFirst(Self.run)))
            return Base64Text.of(Array(bytes.prefix(Self.run)))
        }
    }

    private mutating func said(_ value: ArchiveValue) throws -> String {
        switch value {
        case .array(let elements):
            rest += [.word("]"), .elements(elements, from: 0)]
            return "["
        case .dictionary(let fields):
            let isMistakable = ValueShape.isMistakable(fields)
            rest += [.word(isMistakable ? "}}" : "}"), .fields(fields, from: 0)]
            return isMistakable ? #"{"$fields":{"# : "{"
        case .tagged(let name, let value):
            rest += [.word("}"), .value(value)]
            return try #"{"$class":"# + Self.json(.string(name.description)) + #","$value":"#
        case .string(let text) where text.utf8.count > Self.run:
            rest += [.word("\""), .text(text.unicodeScalars[...])]
            return "\""
        case .data(let bytes) where bytes.count > Self.run:
            rest += [.word("\"}"), .bytes(bytes[...])]
            return #"{"$data":""#
        default: return try Self.json(ValueShape.shape(value))
        }
    }

    private static func json(_ value: ArchiveValue) throws -> String {
        JSONReport.fitForTerminals(String(decoding: try JSON.write(value, as: .compact), as: UTF8.self))
    }
}
