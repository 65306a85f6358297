import SecureArchive

/// An object as one line of JSON in the form of ``ValueShape``, in pieces that are made on request. A small file can
/// describe a tree hundreds of times as large, so memory must not hold the whole line.
struct ShapePieces {
    private enum Rest {
        case word(String)
        case value(ArchiveValue)
        case elements([ArchiveValue], from: Int)
        case fields(ArchiveFields, from: Int)
        case text(String.UnicodeScalarView.SubSequence)
        case bytes(ArraySlice<UInt8>)
    }

    /// The parts that are not written yet, the next one last.
    private var rest: [Rest]
    /// The approximate size of a piece, in bytes.
    private static let size = 1 << 16
    /// The length of one step. It is a multiple of three, so that base64 needs no padding in the middle.
    private static let run = 3 << 13

    /// - Parameter fields: the fields of the object
    init(_ fields: ArchiveFields) {
        rest = [.word("}"), .fields(fields, from: 0), .word("{")]
    }

    /// The next piece; nil after the last.
    mutating func next() throws -> String? {
        var piece = ""
        while piece.utf8.count < Self.size, let next = rest.popLast() { piece += try text(of: next) }
        return piece.isEmpty ? nil : piece
    }

    /// The text of one part. A part that contains others puts them back into `rest` for later steps.
    private mutating func text(of next: Rest) throws -> String {
        switch next {
        case .word(let word): return word
        case .value(let value): return try text(of: value)
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

    private mutating func text(of value: ArchiveValue) throws -> String {
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
