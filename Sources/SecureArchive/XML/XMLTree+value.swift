/// An XML document as a tree of plain values, without loss, for reading and editing by path.
///
/// An element is a dictionary: `element` is its name, `@color` is its attribute `color`, and `content`, if there is
/// any, its content. Content of one text is a string; other content is an array of strings, dictionaries of elements,
/// and comments (`{comment: …}`).
///
///     <char color="red"><str>10</str><!--tired--></char>
///
///     {element: "char", "@color": "red", content: [{element: "str", content: "10"}, {comment: "tired"}]}
///
/// A document with comments around its root is `{document: [{comment: …}, {element: …}, …]}`; without them it is its
/// root.
extension XMLTree {
    /// The tree of values for this document.
    public var value: ArchiveValue {
        guard !before.isEmpty || !after.isEmpty else { return root.value }
        let parts = before.map(XMLContent.comment) + [.element(root)] + after.map(XMLContent.comment)
        return .dictionary([Self.documentKey: .array(parts.map(\.value))])
    }

    /// The document for a tree of values. It accepts only trees that ``value`` can give, and in addition neighbouring
    /// texts and a single text in an array.
    public init(_ value: ArchiveValue) throws(ArchiveError) {
        guard case .dictionary(let fields) = value, let document = fields[Self.documentKey] else {
            self.init(try XMLElement(value, level: 1))
            return
        }
        guard fields.count == 1, case .array(let parts) = document else {
            throw ArchiveError(.inexpressible, "“\(Self.documentKey)” must be an array, without other keys beside it")
        }
        var (before, root, after) = ([String](), XMLElement?.none, [String]())
        for (index, part) in parts.enumerated() {
            do throws(ArchiveError) {
                switch (try XMLContent(part, level: 1), root) {
                case (.comment(let comment), nil): before.append(comment)
                case (.comment(let comment), _): after.append(comment)
                case (.element(let element), nil): root = element
                default: throw ArchiveError(.inexpressible, "a document has one element, and comments around it")
                }
            } catch {
                throw error.inside(.index(index)).inside(.key(Self.documentKey))
            }
        }
        guard let root else { throw ArchiveError(.inexpressible, "a document has an element") }
        self.init(root, before: before, after: after)
    }

    static let documentKey = "document"
    static let elementKey = "element"
    static let contentKey = "content"
    static let commentKey = "comment"
    private static let attributeMark = "@"

    static func attributeKey(_ name: String) -> String { attributeMark + name }

    /// Compares bytes: Swift would take a combining mark at the start of a name as a part of the `@`.
    static func attributeName(from key: String) -> String? {
        guard key.utf8.starts(with: attributeMark.utf8) else { return nil }
        return String(Substring(key.utf8.dropFirst(attributeMark.utf8.count)))
    }
}

extension XMLElement {
    fileprivate var value: ArchiveValue {
        var fields = ArchiveFields(reserving: attributes.count + 2)
        fields[XMLTree.elementKey] = .string(name)
        for attribute in attributes {
            fields[XMLTree.attributeKey(attribute.name)] = .string(attribute.value)
        }
        if case .text(let text)? = content.first, content.count == 1 {
            fields[XMLTree.contentKey] = .string(text)
        } else if !content.isEmpty {
            fields[XMLTree.contentKey] = .array(content.map(\.value))
        }
        return .dictionary(fields)
    }

    fileprivate init(_ value: ArchiveValue, level: Int) throws(ArchiveError) {
        try WritingDepth.check(level)
        guard case .dictionary(let fields) = value, let name = fields[XMLTree.elementKey] else {
            throw ArchiveError(
                .inexpressible,
                "XML can't say \(value.kindInWords) here; an element is a dictionary with the key "
                    + "“\(XMLTree.elementKey)”"
            )
        }
        self.init(try name.textOfXML(at: XMLTree.elementKey))
        for (key, value) in fields where key != XMLTree.elementKey {
            if key == XMLTree.contentKey {
                content = try Self.content(value, level: level)
            } else if let name = XMLTree.attributeName(from: key) {
                attributes.append(XMLAttribute(name, try value.textOfXML(at: key)))
            } else {
                throw ArchiveError(.inexpressible, "an element of XML has no such key").inside(.key(key))
            }
        }
    }

    private static func content(_ value: ArchiveValue, level: Int) throws(ArchiveError) -> [XMLContent] {
        guard case .array(let parts) = value else {
            return [.text(try value.textOfXML(at: XMLTree.contentKey))]
        }
        var content = [XMLContent]()
        for (index, part) in parts.enumerated() {
            do throws(ArchiveError) {
                content.append(try XMLContent(part, level: level + 1))
            } catch {
                throw error.inside(.index(index)).inside(.key(XMLTree.contentKey))
            }
        }
        return content
    }
}

extension XMLContent {
    fileprivate var value: ArchiveValue {
        switch self {
        case .text(let text): .string(text)
        case .element(let element): element.value
        case .comment(let comment): .dictionary([XMLTree.commentKey: .string(comment)])
        }
    }

    fileprivate init(_ value: ArchiveValue, level: Int) throws(ArchiveError) {
        if case .string(let text) = value {
            self = .text(text)
        } else if case .dictionary(let fields) = value, let comment = fields[XMLTree.commentKey], fields.count == 1 {
            self = .comment(try comment.textOfXML(at: XMLTree.commentKey))
        } else {
            self = .element(try XMLElement(value, level: level))
        }
    }
}

extension ArchiveValue {
    fileprivate func textOfXML(at key: String) throws(ArchiveError) -> String {
        guard case .string(let text) = self else {
            throw ArchiveError(.inexpressible, "XML has texts only, not \(kindInWords)").inside(.key(key))
        }
        return text
    }
}
