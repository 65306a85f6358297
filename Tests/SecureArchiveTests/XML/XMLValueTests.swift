import SecureArchive
import Testing

@Suite("XML as a tree of values")
struct XMLValueTests {
    @Test("a document is a tree with all its content, and comes back from it")
    func mapsBothWays() throws {
        let text = "<char color=\"red\"><str>10</str> <!--tired--><a/></char>"
        let tree = try XMLTree(reading: Array(text.utf8))
        let value = ArchiveValue.dictionary([
            "element": .string("char"), "@color": .string("red"),
            "content": .array([
                .dictionary(["element": .string("str"), "content": .string("10")]), .string(" "),
                .dictionary(["comment": .string("tired")]), .dictionary(["element": .string("a")]),
            ]),
        ])
        #expect(tree.value == value)
        #expect(try XMLTree(value) == tree)
    }

    @Test("comments around the root are in a document of their own")
    func mapsDocuments() throws {
        let tree = XMLTree(XMLElement("a"), before: ["1", "2"], after: ["3"])
        guard case .dictionary(let fields) = tree.value, case .array(let parts) = fields["document"] else {
            return #expect(Bool(false))
        }
        #expect(parts.count == 4)
        #expect(try XMLTree(tree.value) == tree)
    }

    @Test("an attribute whose name begins with a mark comes back, though Swift takes the mark for a part of the “@”")
    func mapsMarks() throws {
        let tree = try XMLTree(reading: Array("<a \u{483}b=''/>".utf8))
        #expect(try XMLTree(tree.value) == tree)
    }

    @Test("neighbouring texts, or a single one in an array, are one text after writing")
    func joinsTexts() throws {
        let value = ArchiveValue.dictionary([
            "element": .string("a"), "content": .array([.string("1"), .string(""), .string("2")]),
        ])
        let written = try XMLTree(value).write()
        #expect(try XMLTree(reading: written).root.text == "12")
    }

    @Test(
        "a tree that is no document is refused with its place",
        arguments: [
            (.null, "XML can't say null here; an element is a dictionary with the key “element”"),
            (.dictionary([:]), "XML can't say a dictionary here; an element is a dictionary with the key “element”"),
            (.dictionary(["element": .integer(1)]), "element: XML has texts only, not an integer"),
            (.dictionary(["element": .string("a"), "@b": .bool(true)]), "@b: XML has texts only, not a boolean"),
            (
                .dictionary(["element": .string("a"), "color": .string("red")]),
                "color: an element of XML has no such key"
            ),
            (
                .dictionary(["element": .string("a"), "content": .integer(1)]),
                "content: XML has texts only, not an integer"
            ),
            (
                .dictionary([
                    "element": .string("a"), "content": .array([.string(""), .dictionary(["element": .null])]),
                ]),
                "content[1].element: XML has texts only, not null"
            ),
            (.dictionary(["document": .array([])]), "a document has an element"),
            (
                .dictionary(["document": .array([.string("x")])]),
                "document[0]: a document has one element, and comments around it"
            ),
            (
                .dictionary(["document": .array([]), "more": .null]),
                "“document” must be an array, without other keys beside it"
            ),
        ] as [(ArchiveValue, String)]
    )
    func refuses(value: ArchiveValue, message: String) {
        let error = #expect(throws: ArchiveError.self) { try XMLTree(value) }
        #expect(error?.kind == .inexpressible)
        #expect(error?.message == message)
    }
}
