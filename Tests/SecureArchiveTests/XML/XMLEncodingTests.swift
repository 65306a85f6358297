import ArchiveProperties
import SecureArchive
import TestSupport
import Testing

@Suite("XML in other encodings than UTF-8")
struct XMLEncodingTests {
    private static func wide(_ text: String, isLittle: Bool, mark: Bool) -> [UInt8] {
        ((mark ? "\u{FEFF}" : "") + text).utf16.flatMap { unit in
            let (low, high) = (UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8))
            return isLittle ? [low, high] : [high, low]
        }
    }

    private static func latin(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8($0.value) }
    }

    private static let list =
        "<plist version=\"1.0\"><dict><key>Größe</key><string>😀 漢 é</string></dict></plist>"
    private static let tree = ArchiveValue.dictionary(["Größe": .string("😀 漢 é")])

    @Test(
        "a list and a document in UTF-16 are read in both orders, with a mark and without",
        arguments: [true, false],
        [true, false]
    )
    func utf16(isLittle: Bool, mark: Bool) throws {
        let order = isLittle ? "UTF-16LE" : "UTF-16BE"
        let declarations = [
            "", "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n",
            "<?xml version=\"1.0\" encoding='\(order)'?>",
        ]
        for declaration in declarations {
            let bytes = Self.wide(declaration + Self.list, isLittle: isLittle, mark: mark)
            let (value, format) = try Archive.read(bytes)
            #expect(value == Self.tree)
            #expect(format == .xmlPropertyList)
            #expect(try Archive.plainList(bytes).map { try Archive.read($0).value } == Self.tree)
            #expect(ArchiveFormat.isPropertyList(beginning: bytes, isWhole: true) == true)
            #expect(XMLProperties.violation(for: bytes) == nil)
            let document = Self.wide(
                declaration + "<save name=\"Ü\">é</save>",
                isLittle: isLittle,
                mark: mark
            )
            let (own, kind) = try Archive.read(document)
            let fields: ArchiveFields = [
                "element": .string("save"), "@name": .string("Ü"), "content": .string("é"),
            ]
            #expect(own == .dictionary(fields))
            #expect(kind == .xml)
        }
    }

    @Test("ISO-8859-1 is read by all its names, and each byte is the character of its number")
    func latin1() throws {
        for name in ["ISO-8859-1", "iso-8859-1", "latin1", "ISO_8859-1"] {
            let start = "<?xml version=\"1.0\" encoding=\"\(name)\"?>\n"
            let bytes = Self.latin("\(start)<save name='Ä'>Caféÿ\u{A0}</save>")
            let fields: ArchiveFields = [
                "element": .string("save"), "@name": .string("Ä"),
                "content": .string("Caféÿ\u{A0}"),
            ]
            #expect(try Archive.read(bytes).value == .dictionary(fields))
            #expect(XMLProperties.violation(for: bytes) == nil)
            let list = Self.latin("\(start)<plist version='1.0'><string>é</string></plist>")
            #expect(try Archive.read(list).value == .string("é"))
            let plain = try #require(try Archive.plainList(list))
            #expect(try Archive.read(plain).value == .string("é"))
        }
    }

    @Test("US-ASCII is read, and a byte beyond it is refused")
    func ascii() throws {
        let start = "<?xml version=\"1.0\" encoding=\"US-ASCII\"?>"
        #expect(
            try Archive.read(Array("\(start)<a>b</a>".utf8)).value
                == XMLTree(reading: Array("<a>b</a>".utf8)).value
        )
        let error = #expect(throws: ArchiveError.self) {
            try Archive.read(Array("\(start)<a>é</a>".utf8))
        }
        #expect(error?.detail == "this is not ASCII, as the document says it is")
    }

    @Test(
        "a text that is invalid in its encoding, or names another, is refused with the reason",
        arguments: [
            ("<a>", [0x00, 0xD8, 0x61, 0], "half a character is here (byte 8)"),
            ("<a>", [0x00, 0xDC], "half a character is here (byte 8)"),
            ("<a>", [0x3D, 0xD8], "half a character is here (byte 8)"),
            ("<a/>", [0x20], "the text ends in the middle of a character (byte 10)"),
            ("<a>\u{0}</a>", [], "XML does not allow this character (byte 3)"),
            (
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?><a/>", [],
                "the document is in UTF-16, and says that it is in another encoding (byte 36)"
            ),
            (
                "<?xml version=\"1.0\" encoding=\"UTF-16BE\"?><a/>", [],
                "the document is in UTF-16, and says that it is in another encoding (byte 39)"
            ),
            (
                "<!DOCTYPE a [<!ENTITY b \"c\">]><a/>", [],
                "a DOCTYPE is not read: it can pull in other files and unfold without end (byte 0)"
            ),
            ("{\"a\": 1}", [], "it is in UTF-16; a text is read in UTF-8 only (byte 0)"),
        ] as [(String, [UInt8], String)]
    )
    func refuses(text: String, more: [UInt8], message: String) {
        let bytes = Self.wide(text, isLittle: true, mark: true) + more
        let error = #expect(throws: ArchiveError.self) { try Archive.read(bytes) }
        #expect(error?.message == message)
        #expect(XMLProperties.violation(for: bytes) == nil)
    }

    @Test(
        "a document that names ISO-8859-1 behind a mark of UTF-8 is refused"
    )
    func twoEncodings() {
        let bytes =
            [0xEF, 0xBB, 0xBF]
            + Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>é</a>".utf8)
        #expect(throws: ArchiveError.self) { try Archive.read(bytes) }
    }

    @Test("the size of a text in UTF-8 counts against the memory", arguments: [true, false])
    func memory(isWide: Bool) throws {
        let text = String(repeating: "é", count: 1 << 20)
        let bytes =
            isWide
            ? Self.wide("<a>\(text)</a>", isLittle: true, mark: true)
            : Self.latin("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>\(text)</a>")
        var limits = ArchiveLimits()
        limits.memoryBeyondArchive = (2 << 20) + 4096 - bytes.count
        // The text alone would fit.
        let error = #expect(throws: ArchiveError.self) {
            try XMLTree.readValue(bytes, limits: limits)
        }
        #expect(error?.kind == .tooLarge)
        limits.memoryBeyondArchive += 4 << 20
        #expect(throws: Never.self) { try XMLTree.readValue(bytes, limits: limits) }
    }
}
