/// Writes a tree as `plistlib` and Apple do: a tab for each level, a line for each tag, data in lines of 76 columns.
struct XMLPropertyListWriter {
    private var output: [UInt8] = []

    mutating func document(of value: ArchiveValue) throws(ArchiveError) -> [UInt8] {
        put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        put("<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" ")
        put("\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n")
        put("<plist version=\"1.0\">\n")
        try write(value, level: 0)
        put("</plist>\n")
        return output
    }

    private mutating func write(_ value: ArchiveValue, level: Int) throws(ArchiveError) {
        switch value {
        case .bool(let flag): putLine(flag ? "<true/>" : "<false/>", level: level)
        case .integer(let number): putLine("<integer>\(number)</integer>", level: level)
        case .real(let number): putLine("<real>\(number.value)</real>", level: level)
        case .string(let text): try putLine(text, in: "string", level: level)
        case .data(let data): write(data, level: level)
        case .date(let date): try write(date, level: level)
        case .array(let elements): try write(elements, level: level)
        case .dictionary(let fields): try write(fields, level: level)
        case .reference(let index): writeReference(index, level: level)
        case .null, .tagged: throw .inexpressible(value, in: "a property list")
        }
    }

    private mutating func write(_ elements: [ArchiveValue], level: Int) throws(ArchiveError) {
        guard !elements.isEmpty else { return putLine("<array/>", level: level) }
        try WritingDepth.check(level + 1)
        putLine("<array>", level: level)
        for (index, element) in elements.enumerated() {
            do throws(ArchiveError) {
                try write(element, level: level + 1)
            } catch {
                throw error.inside(.index(index))
            }
        }
        putLine("</array>", level: level)
    }

    private mutating func write(_ fields: ArchiveFields, level: Int) throws(ArchiveError) {
        guard !fields.isEmpty else { return putLine("<dict/>", level: level) }
        try WritingDepth.check(level + 1)
        guard fields.count > 1 || fields.keys[0] != XMLPropertyList.referenceKey else {
            throw ArchiveError(
                .inexpressible,
                "a dictionary whose only key is \(XMLPropertyList.referenceKey) would come back as a reference"
            )
        }
        putLine("<dict>", level: level)
        for index in fields.indices {
            do throws(ArchiveError) {
                try putLine(fields.keys[index], in: "key", level: level + 1)
                try write(fields.values[index], level: level + 1)
            } catch {
                throw error.inside(.key(fields.keys[index]))
            }
        }
        putLine("</dict>", level: level)
    }

    private mutating func writeReference(_ index: UInt32, level: Int) {
        putLine("<dict>", level: level)
        putLine("<key>\(XMLPropertyList.referenceKey)</key>", level: level + 1)
        putLine("<integer>\(index)</integer>", level: level + 1)
        putLine("</dict>", level: level)
    }

    private mutating func write(_ date: ArchiveDate, level: Int) throws(ArchiveError) {
        let time = CalendarTime(date)
        guard time.date == date else {
            throw ArchiveError(.inexpressible, "a property list in XML can't say fractions of a second")
        }
        guard time.year >= 1 else {
            throw ArchiveError(.inexpressible, "a property list in XML can't say dates before the year 1")
        }
        putLine("<date>\(time.spelled)</date>", level: level)
    }

    private mutating func write(_ data: [UInt8], level: Int) {
        putLine("<data>", level: level)
        let lineLength = max(16, 76 - 8 * level)
        let bytesPerLine = lineLength / 4 * 3
        var rest = data[...]
        while !rest.isEmpty {
            beginLine(level: level)
            output.append(contentsOf: Base64.encode(rest.prefix(bytesPerLine)))
            put("\n")
            rest = rest.dropFirst(bytesPerLine)
        }
        putLine("</data>", level: level)
    }

    private mutating func putLine(_ text: String, in element: StaticString, level: Int) throws(ArchiveError) {
        beginLine(level: level)
        put("<\(element)>")
        try XMLText.append(text, to: &output)
        put("</\(element)>\n")
    }

    private mutating func putLine(_ line: String, level: Int) {
        beginLine(level: level)
        put(line)
        put("\n")
    }

    private mutating func beginLine(level: Int) {
        output.append(contentsOf: repeatElement(0x09, count: level))
    }

    private mutating func put(_ text: String) {
        output.append(contentsOf: text.utf8)
    }
}
