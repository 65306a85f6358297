import SecureArchive
import Testing

@Suite("Writing XML")
struct XMLWritingTests {
    @Test(
        "a document that was written once stays the same byte by byte",
        arguments: [
            ("<a/>", "<a/>"), ("<a></a>", "<a/>"), ("<a ><![CDATA[]]></a>", "<a/>"),
            ("<a b='\"'/>", "<a b=\"&quot;\"/>"),
            (
                "<a b='&#9;&#10;&#13;&lt;&amp;>'>&#13;\r\n\t&gt;<![CDATA[<]]></a>",
                "<a b=\"&#9;&#10;&#13;&lt;&amp;&gt;\">&#13;\n\t&gt;&lt;</a>"
            ),
            ("<a> <b/>\n<!-- x - y --> </a>", "<a> <b/>\n<!-- x - y --> </a>"), ("<é:ü ж='漢'/>", "<é:ü ж=\"漢\"/>"),
            ("<!--1--> <!--2--><a/><!--3-->", "<!--1-->\n<!--2-->\n<a/>\n<!--3-->"),
        ]
    )
    func isStable(text: String, written: String) throws {
        let whole = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(written)\n".utf8)
        let tree = try XMLTree(reading: Array(text.utf8))
        #expect(try tree.write() == whole)
        #expect(try XMLTree(reading: whole) == tree)
        #expect(try XMLTree(tree.value) == tree)
    }

    @Test(
        "a value that XML has no word for is refused with its place",
        arguments: [
            (XMLElement("a b"), "this can't be a name in XML"), (XMLElement(""), "this can't be a name in XML"),
            (XMLElement("a", attributes: [XMLAttribute("", "")]), #"@: this can't be a name in XML"#),
            (XMLElement("a", attributes: [XMLAttribute("b", "\u{1}")]), "@b: XML can't say control characters"),
            (
                XMLElement("a", attributes: [XMLAttribute("b", ""), XMLAttribute("b", "")]),
                "@b: this attribute occurs twice"
            ),
            (
                XMLElement("a", content: [.text("x"), .text("\u{FFFE}")]),
                "content[1]: XML can't say control characters"
            ),
            (
                XMLElement("a", content: [.element(XMLElement("b", content: [.comment("a--b")]))]),
                "content[0].content[0]: a comment can't hold “--”, end with “-” or have a carriage return"
            ),
            (
                XMLElement("a", content: [.comment("-")]),
                "content[0]: a comment can't hold “--”, end with “-” or have a carriage return"
            ),
        ]
    )
    func refuses(element: XMLElement, message: String) {
        let error = #expect(throws: ArchiveError.self) { try XMLTree(element).write() }
        #expect(error?.kind == .inexpressible)
        #expect(error?.message == message)
    }

    @Test("an element that is too deep for some stack is refused")
    func refusesDepth() {
        let deep = (0..<300).reduce(XMLElement("a")) { inner, _ in XMLElement("a", content: [.element(inner)]) }
        #expect(throws: ArchiveError.self) { try XMLTree(deep).write() }
        #expect(throws: ArchiveError.self) { try XMLTree(XMLTree(deep).value) }
    }
}
