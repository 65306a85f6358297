extension XMLReader {
    /// The range of a name.
    mutating func readName() throws(ArchiveError) -> Range<Int> {
        let start = position
        var isPlain = true
        scan: while position < bytes.count {
            switch XMLCharacter.nameRole[Int(bytes[position])] {
            case .none: break scan
            case .start: break
            case .later where position > start: break
            case .later: break scan
            case .beyondASCII: isPlain = false
            }
            position += 1
        }
        let name = start..<position
        guard !name.isEmpty else { throw damaged("a name is expected here") }
        guard name.count <= Self.nameByteLimit else {
            throw tooLarge("a name has more than \(Self.nameByteLimit) bytes")
        }
        if !isPlain, !XMLCharacter.isName(text(of: name)) {
            position = start
            throw damaged("this can't be a name")
        }
        return name
    }

    /// All attributes of a start tag. True if the element ends with the tag.
    mutating func readAttributes(
        within budget: borrowing ReadingBudget
    ) throws(ArchiveError) -> (attributes: [XMLAttribute], isEmpty: Bool) {
        let first = position
        var attributes = [XMLAttribute]()
        var names = UniqueAttributeNames()
        while true {
            let hasSpace = skipSpace()
            if skip(UInt8(ascii: ">")) { return (attributes, false) }
            if skip("/>") { return (attributes, true) }
            guard position < bytes.count else { throw damaged("the text ends inside of a tag") }
            guard hasSpace else { throw damaged("this can't stand in a tag here") }
            let start = position
            let attribute = try readAttribute(within: budget, behindOthersFrom: first)
            guard names.insert(attribute.name, beside: attributes) else {
                position = start
                throw damaged("this attribute occurs twice")
            }
            attributes.append(attribute)
            guard attributes.count <= Self.attributeLimit else {
                throw tooLarge("an element has more than \(Self.attributeLimit) attributes")
            }
        }
    }

    private mutating func readAttribute(
        within budget: borrowing ReadingBudget,
        behindOthersFrom first: Int
    ) throws(ArchiveError) -> XMLAttribute {
        let name = try readName()
        skipSpace()
        guard skip(UInt8(ascii: "=")) else { throw damaged("“=” is expected after an attribute's name") }
        skipSpace()
        return XMLAttribute(text(of: name), try readQuoted(within: budget, behindOthersFrom: first))
    }

    /// The value of an attribute, with spaces in place of line ends and tabs, as XML demands.
    private mutating func readQuoted(
        within budget: borrowing ReadingBudget,
        behindOthersFrom first: Int
    ) throws(ArchiveError) -> String {
        guard position < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[position]) else {
            throw damaged("a value in quotes is expected here")
        }
        let quote = bytes[position]
        position += 1
        let start = position
        let length = bytes[start...].prefix { $0 != quote }.count
        try limits.check(textBytes: length)
        // The values before it, and this one as bytes and as a text.
        try budget.check(comingMemory: start - first + 2 * length)
        var changed: [UInt8]?
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case quote:
                let end = position
                position += 1
                return changed.map { String(decoding: $0, as: UTF8.self) } ?? text(of: start..<end)
            case UInt8(ascii: "<"): throw damaged("“<” must be written as “&lt;” in an attribute")
            case UInt8(ascii: "&"):
                if changed == nil { changed = beginning(from: start, reserving: length) }
                try readReference(into: &changed)
            case 0x09, 0x0A, 0x0D:
                if changed == nil { changed = beginning(from: start, reserving: length) }
                changed?.append(0x20)
                position += byte == 0x0D && starts(with: "\r\n") ? 2 : 1
            default:
                changed?.append(byte)
                position += 1
            }
        }
        throw damaged("the text ends inside of an attribute")
    }
}
