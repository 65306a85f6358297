import SecureArchive
import Testing

@Suite("Reading property lists in XML")
struct XMLPropertyListReadingTests {
    private func read(_ value: String) throws -> ArchiveValue {
        try XMLPropertyList.read(Array("<plist version=\"1.0\">\(value)</plist>".utf8))
    }

    @Test(
        "values are read as their kinds",
        arguments: [
            ("<true/>", .bool(true)), ("<false></false>", .bool(false)), ("<string/>", .string("")),
            ("<string> a\n</string>", .string(" a\n")),
            ("<string>a<!--x-->b<![CDATA[<]]>&amp;</string>", .string("ab<&")),
            ("<string>$null</string>", .string("$null")),
            ("<integer>-1</integer>", .integer(-1)), ("<integer> +7\n</integer>", .integer(7)),
            ("<integer>007</integer>", .integer(7)),
            ("<integer>0xfF</integer>", .integer(255)), ("<integer>-0x10</integer>", .integer(-16)),
            ("<integer>18446744073709551615</integer>", .integer(ArchiveInteger(UInt64.max))),
            ("<integer>-9223372036854775808</integer>", .integer(ArchiveInteger(Int.min))),
            ("<real>1</real>", .real(1)), ("<real>-1.5e+3</real>", .real(-1500)), ("<real> .5 </real>", .real(0.5)),
            ("<real>+5.</real>", .real(5)),
            ("<data/>", .data([])), ("<data>\n\tAQ\n\tID\n\t</data>", .data([1, 2, 3])),
            ("<data>AQ==</data>", .data([1])), ("<data>AQI=</data>", .data([1, 2])),
            ("<date>2001-01-01T00:00:00Z</date>", date(0)),
            ("<date>2000-02-29T23:59:59Z</date>", date(-26_438_401)),
            ("<date>0001-01-01T00:00:00Z</date>", date(-63_113_904_000)),
            ("<date>9999-12-31T23:59:59Z</date>", date(252_423_993_599)),
            ("<date>1970-01-01T00:00:00Z</date>", date(-978_307_200)),
            ("<date>2026-01-02T03:04:05Z</date>", date(789_015_845)),
            ("<array/>", .array([])), ("<dict></dict>", .dictionary([:])),
            (" <!--x--> <array> <true/><!--x--></array> ", .array([.bool(true)])),
            (
                "<dict><key>b</key><array><dict/></array><key/><true/></dict>",
                .dictionary(["b": .array([.dictionary([:])]), "": .bool(true)])
            ),
            ("<dict><key>CF$UID</key><integer>7</integer></dict>", .reference(7)),
            (
                "<array><dict><key>CF$UID</key><integer>7</integer><key>x</key><true/></dict></array>",
                .array([.dictionary(["CF$UID": .integer(7), "x": .bool(true)])])
            ),
        ] as [(String, ArchiveValue)]
    )
    func reads(text: String, value: ArchiveValue) throws {
        #expect(try read(text) == value)
    }

    @Test(
        "the document type of property lists is skipped in all forms in use",
        arguments: [
            "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">",
            "<!DOCTYPE plist PUBLIC \"-//Apple Computer//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">",
            "<!--x--><!DOCTYPE\nplist\tPUBLIC '-//Apple//DTD PLIST 1.0//EN' 'https://www.apple.com/DTDs/PropertyList-1.0.dtd' > <!--x-->",
            "<!DOCTYPE plist PUBLIC \"-//GNUstep//DTD plist 0.9//EN\" \"http://www.gnustep.org/plist-0_9.xml\">",
            "<!DOCTYPE plist SYSTEM \"file://localhost/System/Library/DTDs/PropertyList.dtd\">",
        ]
    )
    func passesOverType(type: String) throws {
        for version in ["", " version=\"1.0\"", " version='0.9'"] {
            let text = "\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(type)\n<plist\(version)><true/></plist>\n"
            #expect(try XMLPropertyList.read(Array(text.utf8)) == .bool(true))
            #expect(try ArchiveFormat(sniffing: Array(text.utf8)) == .xmlPropertyList)
        }
    }

    @Test(
        "any other document type is refused",
        arguments: [
            "<!DOCTYPE plist>", "<!DOCTYPE plist SYSTEM \"file:///etc/passwd\">",
            "<!DOCTYPE plist SYSTEM \"file://localhost/System/Library/DTDs/PropertyList.dtd\" []>",
            "<!DOCTYPE plist PUBLIC \"-//GNUstep//DTD plist 0.9//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">",
            "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://127.0.0.1/PropertyList-1.0.dtd\">",
            "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\" []>",
            "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\" [<!ENTITY a \"b\">]>",
            "<!DOCTYPE plists PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">",
        ]
    )
    func refusesOtherTypes(type: String) {
        let error = #expect(throws: ArchiveError.self) {
            try XMLPropertyList.read(Array("\(type)<plist><true/></plist>".utf8))
        }
        #expect(error?.kind == .notAllowed)
    }

    @Test("a document type may occur once")
    func refusesSecondType() {
        let type =
            "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">"
        let many = String(repeating: type, count: 100_000)
        #expect(throws: ArchiveError.self) { try XMLPropertyList.read(Array("\(many)<plist><true/></plist>".utf8)) }
    }

    @Test(
        "a file that is no property list is refused with the place",
        arguments: [
            ("", "a value is missing"), ("<true/><true/>", "a property list holds one value"),
            ("x<true/>", "text is not allowed between values"),
            ("<array>x</array>", "[0]: text is not allowed between values"),
            ("<nil/>", "no kind of value has this name"),
            ("<array><true/><set/></array>", "[1]: no kind of value has this name"),
            ("<true>1</true>", "a boolean has no text"),
            ("<string><b/></string>", "this element allows no other in it"),
            ("<true x='1'/>", "a value has no attributes"),
            ("<key>a</key>", "a key is not allowed here"),
            ("<array><key>a</key></array>", "[0]: a key is not allowed here"),
            ("<dict><true/></dict>", "a value is expected behind a key"),
            ("<dict><key>a</key></dict>", "a: a key is not followed by a value"),
            ("<dict><key>a</key><key>b</key></dict>", "a: a key is not allowed here"),
            ("<dict><key>a</key><true/><key>a</key><true/></dict>", "a: a key occurs twice"),
            (
                "<dict><key>CF$UID</key><integer>-1</integer></dict>",
                "a reference must be a number from 0 to 4294967295"
            ),
            ("<dict><key>CF$UID</key><string>1</string></dict>", "a reference must be a number from 0 to 4294967295"),
            ("<integer></integer>", "this is not an integer"), ("<integer>0x</integer>", "this is not an integer"),
            ("<integer>1 2</integer>", "this is not an integer"),
            ("<integer>a</integer>", "this is not an integer"), ("<integer>1.0</integer>", "this is not an integer"),
            ("<integer>--1</integer>", "this is not an integer"),
            ("<integer>18446744073709551616</integer>", "an integer beyond 64 bits can't be kept exactly"),
            ("<real>1e999</real>", "this number is larger than any that can be kept"),
            ("<real>1e-999</real>", "this number is so small that only 0 would be left of it"),
            ("<real>.</real>", "this is not a number"), ("<real>1e</real>", "this is not a number"),
            ("<real>0x1p3</real>", "this is not a number"),
            ("<real>1,5</real>", "this is not a number"), ("<real></real>", "this is not a number"),
            ("<date>2026-13-01T00:00:00Z</date>", "this is not a date such as 2026-01-02T03:04:05Z"),
            ("<date>2025-02-29T00:00:00Z</date>", "this is not a date such as 2026-01-02T03:04:05Z"),
            ("<date>1900-02-29T00:00:00Z</date>", "this is not a date such as 2026-01-02T03:04:05Z"),
            ("<date>2026-01-02T24:00:00Z</date>", "this is not a date such as 2026-01-02T03:04:05Z"),
            ("<date>2026-01-02T23:59:60Z</date>", "this is not a date such as 2026-01-02T03:04:05Z"),
            ("<date>0000-01-02T23:59:00Z</date>", "this is not a date such as 2026-01-02T03:04:05Z"),
            ("<date>2026-01-02</date>", "this is not a date such as 2026-01-02T03:04:05Z"),
            ("<date/>", "this is not a date such as 2026-01-02T03:04:05Z"),
            ("<date>2026-01-02T03:04:05Zx</date>", "this is not a date such as 2026-01-02T03:04:05Z"),
            ("<data>A</data>", "this is not data in base64"), ("<data>AQ</data>", "this is not data in base64"),
            ("<data>AQ=</data>", "this is not data in base64"),
            ("<data>AQ===</data>", "this is not data in base64"), ("<data>AR==</data>", "this is not data in base64"),
            ("<data>A-==</data>", "this is not data in base64"),
            ("<data>AQ==AQ==</data>", "this is not data in base64"), ("<data>=</data>", "this is not data in base64"),
        ]
    )
    func refuses(text: String, message: String) {
        let error = #expect(throws: ArchiveError.self) { try read(text) }
        #expect(error?.kind == .damaged)
        #expect(error?.message.hasPrefix("\(message) (byte ") == true, "\(error?.message ?? "")")
    }

    @Test(
        "a word that only begins or ends like infinity is no number",
        arguments: ["infinite", "-nan", "1inf", "nan(1)", "in f", "++inf"]
    )
    func refusesInfinity(text: String) {
        let error = #expect(throws: ArchiveError.self) { try read("<real>\(text)</real>") }
        #expect(error?.kind == .damaged)
    }

    @Test(
        "another root, another version and anything around it are refused",
        arguments: [
            "<dict/>", "<plist version='2.0'><true/></plist>", "<plist a=''><true/></plist>", "<plist><true/></plist>x",
        ]
    )
    func refusesOtherRoots(text: String) {
        #expect(throws: ArchiveError.self) { try XMLPropertyList.read(Array(text.utf8)) }
    }

    @Test("a text in many pieces takes linear time, and stays within the limit as it grows")
    func textInPieces() {
        func document(_ count: Int) -> [UInt8] {
            Array("<plist><string>\(String(repeating: "ab<!---->", count: count))</string></plist>".utf8)
        }
        let (few, many) = (document(4000), document(64_000))
        func read(_ bytes: [UInt8]) -> Duration { processorTime(of: { _ = try? XMLPropertyList.read(bytes) }) }
        _ = read(few)
        let (small, large) = (read(few), read(many))
        #expect(large / small < 40, "\(small), \(large)")

        var limits = ArchiveLimits()
        limits.stringBytes = 10
        let error = #expect(throws: ArchiveError.self) { try XMLPropertyList.read(few, limits: limits) }
        #expect(error?.kind == .tooLarge)
        #expect(error.flatMap(\.offset).map { $0 < 100 } == true, "\(String(describing: error?.offset))")
    }

    @Test("collections may be 64 deep within each other, and no deeper")
    func holdsDepth() {
        func nested(_ depth: Int) -> String {
            String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
        }
        #expect(throws: Never.self) { try read(nested(64)) }
        let error = #expect(throws: ArchiveError.self) { try read(nested(65)) }
        #expect(error?.kind == .tooLarge)
    }
}

private func date(_ seconds: Double) -> ArchiveValue {
    ArchiveDate(secondsSince2001: seconds).map(ArchiveValue.date) ?? .null
}
