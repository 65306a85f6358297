import SecureArchive
import Testing

@Suite("Reading XML")
struct XMLReadingTests {
    private func read(_ text: String) throws -> XMLTree { try XMLTree(reading: Array(text.utf8)) }

    @Test("names, attributes, text and comments are kept in their order")
    func readsAll() throws {
        let tree = try read(
            """
            <?xml version="1.0" encoding="utf-8" standalone='yes' ?>
            <!-- before -->
            <game xmlns:a="urn:a" empty=''><a:char  color = "red"\tcls='f"g'>1<b/>2<!--c--></a:char >
            </game>
            <!--after-->

            """
        )
        let char = XMLElement(
            "a:char",
            attributes: [XMLAttribute("color", "red"), XMLAttribute("cls", "f\"g")],
            content: [.text("1"), .element(XMLElement("b")), .text("2"), .comment("c")]
        )
        let attributes = [XMLAttribute("xmlns:a", "urn:a"), XMLAttribute("empty", "")]
        let game = XMLElement("game", attributes: attributes, content: [.element(char), .text("\n")])
        #expect(tree == XMLTree(game, before: [" before "], after: ["after"]))
        #expect(game.attribute("empty") == "")
        #expect(game.elements == [char])
        #expect(char.text == "12")
    }

    @Test(
        "text becomes what every reader must make of it",
        arguments: [
            ("a&lt;&gt;&amp;&quot;&apos;b", "a<>&\"'b"), ("&#233;&#xE9;&#x1F600;&#xe9;", "éé😀é"),
            ("<![CDATA[<&]]]]><![CDATA[>]]>x", "<&]]>x"),
            ("a\r\nb\rc\n", "a\nb\nc\n"), ("<![CDATA[\r\n\r]]>", "\n\n"), ("&#13;&#10;", "\r\n"), ("]] >]", "]] >]"),
            (" \t ", " \t "),
            ("\u{7f}\u{80}\u{FFFD}\u{10FFFF}", "\u{7f}\u{80}\u{FFFD}\u{10FFFF}"),
        ]
    )
    func readsText(spelled: String, text: String) throws {
        #expect(try read("<a>\(spelled)</a>").root.text == text)
    }

    @Test("line ends and tabs in an attribute are spaces, unless they are references")
    func readsAttributes() throws {
        #expect(try read("<a b=\"1\t2\n3\r\n4\r5&#9;&#10;&#13;>\"/>").root.attribute("b") == "1 2 3 4 5\t\n\r>")
    }

    @Test(
        "a document that is not well-formed is refused as damaged",
        arguments: [
            ("", "it is empty"), (" ", "there is no element (byte 1)"), ("x", "an element is expected here (byte 0)"),
            ("<a>", "a: the text ends inside of an element (byte 3)"),
            ("<a></b>", "a: another element ends here than began (byte 5)"),
            ("<a></aa>", "a: another element ends here than began (byte 5)"),
            ("<a/><b/>", "something follows the end of the first element (byte 4)"),
            ("<a/>x", "something follows the end of the first element (byte 4)"),
            ("</a>", "a name is expected here (byte 1)"),
            ("<a b=\"1\" b='2'/>", "this attribute occurs twice (byte 9)"),
            ("<a b=\"1\"c=\"2\"/>", "this can't stand in a tag here (byte 8)"),
            ("<a b/>", "“=” is expected after an attribute's name (byte 4)"),
            ("<a b=1/>", "a value in quotes is expected here (byte 5)"),
            ("<a b=\"<\"/>", "“<” must be written as “&lt;” in an attribute (byte 6)"),
            ("<a b=\"1", "the text ends inside of an attribute (byte 7)"),
            ("<a ", "the text ends inside of a tag (byte 3)"), ("<a><b", "a: the text ends inside of a tag (byte 5)"),
            ("<1/>", "a name is expected here (byte 1)"),
            ("<-a/>", "a name is expected here (byte 1)"), ("<a\u{300}\u{D7}/>", "this can't be a name (byte 1)"),
            ("<\u{300}/>", "this can't be a name (byte 1)"),
            ("<a>]]></a>", "a: “]]>” must be written as “]]&gt;” in a text (byte 3)"),
            ("<a>&</a>", "a: a name is expected here (byte 4)"),
            ("<a>&lt</a>", "a: “;” is expected after a reference (byte 6)"),
            ("<a>&#0;</a>", "a: there is no character of this number (byte 3)"),
            ("<a>&#xD800;</a>", "a: there is no character of this number (byte 3)"),
            ("<a>&#xFFFE;</a>", "a: there is no character of this number (byte 3)"),
            ("<a>&#99999999999999999999;</a>", "a: there is no character of this number (byte 3)"),
            ("<a>&#;</a>", "a: this reference is incomplete (byte 5)"),
            ("<a>&#x;</a>", "a: this reference is incomplete (byte 6)"),
            ("<a>&#1;</a>", "a: there is no character of this number (byte 3)"),
            ("<a><!-- -- --></a>", "a: “--” is not allowed in a comment (byte 8)"),
            ("<a><!----->", "a: “--” is not allowed in a comment (byte 7)"),
            ("<!--", "a comment does not end (byte 0)"),
            ("<a><![CDATA[", "a: a section of character data does not end (byte 3)"),
            ("<a><!x></a>", "a: “<!” begins nothing here (byte 3)"),
            ("<![CDATA[x]]><a/>", "this may not stand here (byte 0)"),
            ("<?xml?><a/>", "the version of XML is missing (byte 5)"),
            ("\n<?xml version=\"1.0\"?><a/>", "“<?xml” is allowed only at the very beginning (byte 1)"),
            ("<a><?xml version=\"1.0\"?></a>", "a: “<?xml” is allowed only at the very beginning (byte 3)"),
            ("<?xml version=\"1.0\"><a/>", "“?>” is expected here (byte 19)"),
            ("<?xml version=\"1.0\" standalone=\"maybe\"?><a/>", "“standalone” is “yes” or “no” (byte 38)"),
            ("<?xml encoding=\"utf-8\" version=\"1.0\"?><a/>", "the version of XML is missing (byte 5)"),
            (
                "<?xml version=\"1.0\" encoding=\"us-ascii\"?><a>é</a>",
                "this is not ASCII, as the document says it is (byte 44)"
            ),
            ("<a>\u{1}</a>", "XML does not allow this character (byte 3)"),
            ("<a>\u{0}</a>", "XML does not allow this character (byte 3)"),
            ("<a>\u{FFFF}</a>", "XML does not allow this character (byte 3)"),
        ]
    )
    func refusesDamaged(text: String, message: String) {
        let error = #expect(throws: ArchiveError.self) { try read(text) }
        #expect(error?.kind == .damaged)
        #expect(error?.message == message)
    }

    @Test(
        "XML that this reader does not support is refused as not allowed",
        arguments: [
            ("<!DOCTYPE a><a/>", "a DOCTYPE is not read: it can pull in other files and unfold without end (byte 0)"),
            ("<a/><!DOCTYPE a>", "something follows the end of the first element (byte 4)"),
            ("<a>&e;</a>", "a: entities are not read, except the five of XML itself (byte 3)"),
            ("<a><?p?></a>", "a: processing instructions are not read (byte 3)"),
            ("<?p?><a/>", "processing instructions are not read (byte 0)"),
            ("<?xml-stylesheet href=\"a\"?><a/>", "processing instructions are not read (byte 0)"),
            ("<?xml version=\"1.1\"?><a/>", "only version 1.0 of XML is read (byte 19)"),
            (
                "<?xml version=\"1.0\" encoding=\"latin2\"?><a/>",
                "XML is read in UTF-8, UTF-16, ISO-8859-1 and US-ASCII; this says another (byte 37)"
            ),
            ("\u{0}\u{0}\u{0}<", "it is in UTF-32; XML is read in UTF-8 only (byte 0)"),
        ]
    )
    func refusesNotAllowed(text: String, message: String) {
        let error = #expect(throws: ArchiveError.self) { try read(text) }
        #expect(error?.message == message)
        #expect(error?.kind == (message.hasPrefix("something") ? .damaged : .notAllowed))
    }

    @Test("bytes that are not UTF-8 are refused at every place")
    func refusesOtherBytes() {
        for (before, after) in [
            ("<a>", "</a>"), ("<a", "/>"), ("<a b=\"", "\"/>"), ("<a><!--", "--></a>"), ("<a/>", ""),
        ] {
            for wrong in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82]] as [[UInt8]] {
                let error = #expect(throws: ArchiveError.self) {
                    try XMLTree(reading: Array(before.utf8) + wrong + Array(after.utf8))
                }
                #expect(error?.detail == "this is not UTF-8")
                #expect(error?.offset == before.utf8.count)
            }
        }
    }

    @Test("a document beyond a limit is refused as too large")
    func holdsLimits() {
        var limits = ArchiveLimits()
        (limits.depth, limits.values, limits.stringBytes) = (2, 6, 8)
        for text in [
            "<a><a><a/></a></a>", "<a/>" + String(repeating: " ", count: 100), "<a><b/><b/><b/><b/><b/><b/></a>",
            "<a>123456789</a>",
            "<a b='123456789'/>", "<a><!--123456789--></a>", "<a><![CDATA[123456789]]></a>", "<a b1='' b2='' b3='' />",
        ] {
            limits.bytes = text.hasPrefix("<a/>") ? 80 : 1000
            let error = #expect(throws: ArchiveError.self, "\(text)") {
                try XMLTree(reading: Array(text.utf8), limits: limits)
            }
            #expect(error?.kind == .tooLarge, "\(text)")
        }
    }

    @Test("a text takes linear time, with CDATA sections, references and attributes")
    func textInLinearTime() {
        func time(_ count: Int) -> Duration {
            let text = String(repeating: "<![CDATA[<a>]]>]]&gt;&#65;\r\n", count: count)
            let document = Array("<a b='\(String(repeating: "&lt;\t", count: count))'>\(text)</a>".utf8)
            return processorTime(of: { #expect(throws: Never.self) { try XMLTree(reading: document) } })
        }
        _ = time(1000)
        let (small, large) = (time(1000), time(16_000))
        #expect(large / small < 64, "\(small), \(large)")
    }

    @Test("many attributes are checked for duplicates in linear time, and their count is limited")
    func holdsAttributes() throws {
        let many = (0..<10_000).map { " a\($0)=''" }.joined()
        #expect(try read("<a\(many)/>").root.attributes.count == 10_000)
        #expect(throws: ArchiveError.self) { try read("<a\(many) a7=''/>") }
        #expect(throws: ArchiveError.self) { try read("<a\(many) more=''/>") }
    }

    @Test("attributes are equal if their bytes are, and come back if they only look alike")
    func attributesThatLookAlike() throws {
        let tree = try read("<a \u{e9}='1' e\u{301}='2'/>")
        #expect(tree.root.attributes.map(\.value) == ["1", "2"])
        let again = try XMLTree(reading: tree.write())
        #expect(again.root.attributes.map(\.value) == ["1", "2"])
    }
}
