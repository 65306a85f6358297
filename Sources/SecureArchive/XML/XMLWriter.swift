/// Writes a tree as a document in its one form.
struct XMLWriter {
    private var output: [UInt8] = []

    mutating func document(of tree: XMLTree) throws(ArchiveError) -> [UInt8] {
        put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        try writeLines(of: tree.before)
        try write(tree.root, level: 1)
        put("\n")
        try writeLines(of: tree.after)
        return output
    }

    private mutating func writeLines(of comments: [String]) throws(ArchiveError) {
        for comment in comments {
            try write(comment: comment)
            put("\n")
        }
    }

    private mutating func write(_ element: XMLElement, level: Int) throws(ArchiveError) {
        try WritingDepth.check(level)
        try Self.check(name: element.name)
        put("<")
        put(element.name)
        try write(element.attributes)
        // No reader sees empty texts.
        guard element.content.contains(where: { $0 != .text("") }) else { return put("/>") }
        put(">")
        for (index, part) in element.content.enumerated() {
            do throws(ArchiveError) {
                try write(part, level: level)
            } catch {
                throw error.inside(.index(index)).inside(.key("content"))
            }
        }
        put("</")
        put(element.name)
        put(">")
    }

    private mutating func write(_ part: XMLContent, level: Int) throws(ArchiveError) {
        switch part {
        case .text(let text): try XMLText.append(text, to: &output)
        case .element(let inner): try write(inner, level: level + 1)
        case .comment(let comment): try write(comment: comment)
        }
    }

    private mutating func write(_ attributes: [XMLAttribute]) throws(ArchiveError) {
        var names = LiteralStrings()
        for attribute in attributes {
            do throws(ArchiveError) {
                try Self.check(name: attribute.name)
                guard attributes.count == 1 || names.insert(attribute.name).isNew else {
                    throw ArchiveError(.inexpressible, "this attribute occurs twice")
                }
                put(" ")
                put(attribute.name)
                put("=\"")
                try XMLText.append(attribute.value, to: &output, inAttribute: true)
                put("\"")
            } catch {
                throw error.inside(.key(XMLTree.attributeKey(attribute.name)))
            }
        }
    }

    private mutating func write(comment: String) throws(ArchiveError) {
        let utf8 = Array(comment.utf8)
        let hasDashes = zip(utf8, utf8.dropFirst()).contains { $0 == UInt8(ascii: "-") && $1 == UInt8(ascii: "-") }
        guard !hasDashes, utf8.last != UInt8(ascii: "-"), !utf8.contains(0x0D) else {
            throw ArchiveError(.inexpressible, "a comment can't hold “--”, end with “-” or have a carriage return")
        }
        put("<!--")
        try XMLText.check(comment)
        put(comment)
        put("-->")
    }

    private static func check(name: String) throws(ArchiveError) {
        guard XMLCharacter.isName(name), name.utf8.count <= XMLReader.nameByteLimit else {
            throw ArchiveError(.inexpressible, "this can't be a name in XML")
        }
    }

    private mutating func put(_ text: String) {
        output.append(contentsOf: text.utf8)
    }
}
