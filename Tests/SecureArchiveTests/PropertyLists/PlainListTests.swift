import SecureArchive
import Testing

@Suite("Property lists in any spelling")
struct PlainListTests {
    private static let apple =
        "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">"

    private func begins(_ text: String) -> Bool? {
        ArchiveFormat.isPropertyList(beginning: Array(text.utf8), isWhole: true)
    }

    private func plain(_ text: String) throws -> String? {
        try Archive.plainList(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "every file that readers take for a list is one, also without <plist> around it",
        arguments: [
            "<dict>", "<dict z=\"1\">", "<array/>", "<integer>", "\u{FEFF} <dict\n>", "<?xml version=\"1.0\"?><dict>",
            "<!DOCTYPE x><dict>", "<!DOCTYPE x><!-- a --><!DOCTYPE y><?a b?><array>", "<!DOCTYPE x SYSTEM \"><dict>\">",
            "<!DOCTYPE plist[]><dict>", "<!-- c --><?a b?><array>", apple + "<dict>", "<!DOCTYPE x><plist>",
            "<?xml version=\"1.0\" encoding='utf-7'?>+ADw-", "<?xml a=\">\" encoding=\"UTF7\"?>+ADw-", "bplist99",
        ]
    )
    func recognised(text: String) {
        #expect(begins(text) == true)
    }

    @Test(
        "a file that no reader takes for a list, or that hurts none, is no list",
        arguments: [
            "<dictionary>", "<dict-x>", "<arrays/>", "<data a=\"b\"/>", "<string>a</string>", "<key>a</key>",
            "<date>a</date>",
            "<true/>", "<save><dict/></save>", "<!DOCTYPE save><save><dict/></save>", "<?xml encoding=\"utf-16\"?><a/>",
            "{\"dict\": 1}", "<!-- <dict> -->", "<a>utf-7</a>",
        ]
    )
    func others(text: String) {
        #expect(begins(text) == false)
    }

    @Test(
        "a list is reduced to the parts that every reader understands alike",
        arguments: [
            ("<!DOCTYPE plist[]><plist><dict/></plist>", "<plist><dict/></plist>"),
            (apple + "<dict/> <!-- a -->", "<plist><dict/> <!-- a --></plist>"),
            ("<?xml version=\"1.0\" encoding=\"latin9\"?><array/>", "<plist><array/></plist>"),
            (
                "<?xml version=\"1.1\" encoding=\"iso_8859-15\"?><integer>1</integer>",
                "<plist><integer>1</integer></plist>"
            ),
            ("<?xml version=\"1.0\" encoding=\"cp1252\"?><plist/>", "<plist/>"),
            ("<?xml version=\"1.0\" encoding=\"KOI8-R\"?><plist><b/></plist>", "<plist><b/></plist>"),
            ("bplist99", "bplist99"),
        ]
    )
    func kept(text: String, list: String) throws {
        #expect(try plain(text) == list)
        #expect(try [.binaryPropertyList, .xmlPropertyList].contains(ArchiveFormat(sniffing: Array(list.utf8))))
    }

    @Test(
        "a document at whose elements every reader of lists stops is a game's own",
        arguments: [
            "<array n=\"2\"><item/></array>", "<dict><entry k=\"a\">b</entry></dict>",
            "<integer><low>1</low></integer>",
            "<array><string>a</string><dict><x>&own;<?a b?>",
        ]
    )
    func own(text: String) throws {
        #expect(try plain(text) == nil)
    }

    @Test(
        "a file that readers may understand differently, or can't bear, is refused",
        arguments: [
            "<foo/>", "<!DOCTYPE plist><foo/>", "<string>a</string>", "{}", "(a)", "", "hello",
            "<?xml version=\"1.0\"?><?xml version=\"1.0\"?><dict/>", "<!DOCTYPE plist><!DOCTYPE plist><dict/>",
            "<?a b?><dict/>",
            "<!DOCTYPE plist>\u{FEFF}<dict/>", "<!DOCTYPE plist>bplist00", "<!DOCTYPE plist>{}", "<dict/><foo/>",
            "<dict/>a",
            "<!DOCTYPE plist [<!ENTITY a \"b\">]><dict/>", "<!DOCTYPE x><dict/>",
            "<array><string>&own;</string><item/></array>",
            "<?xml version=\"1.0\" encoding=\"latin-greek\"?><dict/>",
            "<?xml version=\"1.0\" encoding=\"iso-8859-8-i\"?><dict/>",
            "<?xml version=\"1.0\" encoding=\"UTF-7\"?><dict/>", "<?xml version=\"2.0\"?><dict/>",
            String(repeating: "<array>", count: 200) + "<item/>",
        ]
    )
    func refused(text: String) {
        #expect(throws: ArchiveError.self) { try plain(text) }
    }

    @Test("a list may be as deep as the limit, and no deeper", arguments: [64, 65])
    func depth(levels: Int) throws {
        let text = String(repeating: "<array>", count: levels) + String(repeating: "</array>", count: levels)
        let list = try #require(try plain(text))
        let isRead = (try? Archive.read(Array(list.utf8))) != nil
        #expect(isRead == (levels <= 64))
        #expect(try plain("<plist>" + text + "</plist>") == list)
    }
}
