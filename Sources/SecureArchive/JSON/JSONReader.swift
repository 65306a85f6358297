/// Walks once through the bytes of a document.
struct JSONReader {
    let bytes: [UInt8]
    let limits: ArchiveLimits
    var position = 0
    var tree: TreeBuilder

    init(_ bytes: [UInt8], drawingOn budget: ReadingBudget) {
        self.bytes = bytes
        limits = budget.limits
        tree = TreeBuilder(drawingOn: budget, depthLimit: limits.depthInForce)
    }

    mutating func readDocument() throws(ArchiveError) -> ArchiveValue {
        do throws(ArchiveError) {
            return try readWholeText()
        } catch {
            throw error.found(at: position).inside(tree.steps)
        }
    }

    private mutating func readWholeText() throws(ArchiveError) -> ArchiveValue {
        try TextEncoding.refuseOthersThanUTF8(bytes, in: "JSON")
        position = TextEncoding.markByteCount(of: bytes)
        while true {
            try skipSpace()
            if try readValueOrOpening() { continue }
            if try !readSeparator() { break }
        }
        guard position == bytes.count, let root = tree.root else {
            throw damaged("something follows the end of the value")
        }
        return root
    }

    /// Reads a value without others inside, or opens a collection. True if the first value of a collection comes next.
    private mutating func readValueOrOpening() throws(ArchiveError) -> Bool {
        switch next {
        case UInt8(ascii: "{"):
            try tree.openCollection(isDictionary: true)
            return try readOpening(closing: UInt8(ascii: "}"))
        case UInt8(ascii: "["):
            try tree.openCollection(isDictionary: false)
            return try readOpening(closing: UInt8(ascii: "]"))
        case UInt8(ascii: "\""): try tree.put(.string(readString()))
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): try tree.put(readNumber())
        case UInt8(ascii: "t"): try readWord("true", for: .bool(true))
        case UInt8(ascii: "f"): try readWord("false", for: .bool(false))
        case UInt8(ascii: "n"): try readWord("null", for: .null)
        case nil: throw damaged("the text ends where a value is expected")
        case UInt8(ascii: "N"), UInt8(ascii: "I"): throw damaged("JSON has no NaN and no Infinity")
        default: throw damaged("no value begins like this")
        }
        return false
    }

    private mutating func readOpening(closing: UInt8) throws(ArchiveError) -> Bool {
        position += 1
        try skipSpace()
        if next == closing {
            position += 1
            try tree.close()
            return false
        }
        if tree.isInDictionary == true { try readKey() }
        return true
    }

    /// Reads the ends of collections up to a comma. True if another value comes next.
    private mutating func readSeparator() throws(ArchiveError) -> Bool {
        while true {
            try skipSpace()
            guard let isInDictionary = tree.isInDictionary else { return false }
            switch (next, isInDictionary) {
            case (UInt8(ascii: ","), _):
                position += 1
                try skipSpace()
                if isInDictionary { try readKey() }
                return true
            case (UInt8(ascii: "}"), true), (UInt8(ascii: "]"), false):
                position += 1
                try tree.close()
            case (nil, _): throw damaged("the text ends inside of \(isInDictionary ? "an object" : "an array")")
            default:
                throw damaged("“,” or “\(isInDictionary ? "}" : "]")” is expected here")
            }
        }
    }

    private mutating func readKey() throws(ArchiveError) {
        guard next == UInt8(ascii: "\"") else { throw damaged("a key in quotes is expected here") }
        try tree.put(key: readString())
        try skipSpace()
        guard next == UInt8(ascii: ":") else { throw damaged("“:” is expected after a key") }
        position += 1
    }

    private mutating func readWord(_ word: StaticString, for value: ArchiveValue) throws(ArchiveError) {
        for expected in word.description.utf8 {
            guard next == expected else { throw damaged("“\(word)” is incomplete") }
            position += 1
        }
        try tree.put(value)
    }

    private mutating func skipSpace() throws(ArchiveError) {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            case UInt8(ascii: "/") where beginsComment: throw ArchiveError(.notAllowed, Self.comments, offset: position)
            default: return
            }
        }
    }

    /// JavaScript has comments, and so do programs that read “JSON with comments”.
    private static let comments = "JSON has no comments"

    private var beginsComment: Bool {
        let rest = bytes[position...].prefix(2)
        return rest.elementsEqual("//".utf8) || rest.elementsEqual("/*".utf8)
    }

    /// The byte at the position; nil at the end.
    var next: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    func damaged(_ detail: String) -> ArchiveError {
        ArchiveError(.damaged, detail, offset: position)
    }
}
