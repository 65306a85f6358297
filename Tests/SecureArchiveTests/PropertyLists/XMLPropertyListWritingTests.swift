import SecureArchive
import Testing

@Suite("Writing property lists in XML")
struct XMLPropertyListWritingTests {
    private static let header = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """

    @Test("the layout is that of plistlib and Apple")
    func laysOut() throws {
        let date = try #require(ArchiveDate(secondsSince2001: 789_015_845))
        let value = ArchiveValue.dictionary([
            "text <&>": .string("a<&>\"'\n"), "none": .string(""), "yes": .bool(true), "no": .bool(false),
            "integer": .integer(ArchiveInteger(UInt64.max)), "real": .real(1), "date": .date(date), "empty": .data([]),
            "short": .data([1, 2, 3]),
            "array": .array([.array([]), .dictionary([:]), .array([.data(Array(0..<100))])]),
            "reference": .reference(7),
        ])
        let body = """
            <dict>
            \t<key>text &lt;&amp;&gt;</key>
            \t<string>a&lt;&amp;&gt;"'
            </string>
            \t<key>none</key>
            \t<string></string>
            \t<key>yes</key>
            \t<true/>
            \t<key>no</key>
            \t<false/>
            \t<key>integer</key>
            \t<integer>18446744073709551615</integer>
            \t<key>real</key>
            \t<real>1.0</real>
            \t<key>date</key>
            \t<date>2026-01-02T03:04:05Z</date>
            \t<key>empty</key>
            \t<data>
            \t</data>
            \t<key>short</key>
            \t<data>
            \tAQID
            \t</data>
            \t<key>array</key>
            \t<array>
            \t\t<array/>
            \t\t<dict/>
            \t\t<array>
            \t\t\t<data>
            \t\t\tAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUm
            \t\t\tJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+P0BBQkNERUZHSElKS0xN
            \t\t\tTk9QUVJTVFVWV1hZWltcXV5fYGFiYw==
            \t\t\t</data>
            \t\t</array>
            \t</array>
            \t<key>reference</key>
            \t<dict>
            \t\t<key>CF$UID</key>
            \t\t<integer>7</integer>
            \t</dict>
            </dict>
            </plist>

            """
        let written = try XMLPropertyList.write(value)
        #expect(String(decoding: written, as: UTF8.self) == Self.header + body)
        #expect(try XMLPropertyList.read(written) == value)
    }

    @Test(
        "a value that such a list has no word for is refused with its place",
        arguments: [
            (.null, "a property list can't say null"),
            (.tagged("NSURL", .string("x")), "a property list can't say an object of NSURL"),
            (.string("\u{1}"), "XML can't say control characters"),
            (
                ArchiveDate(secondsSince2001: -63_114_076_800).map(ArchiveValue.date) ?? .null,
                "a property list in XML can't say dates before the year 1"
            ),
            (.dictionary(["\0": .null]), #"["\u{0}"]: XML can't say control characters"#),
            (
                .dictionary(["CF$UID": .integer(1)]),
                "a dictionary whose only key is CF$UID would come back as a reference"
            ),
            (
                ArchiveDate(secondsSince2001: 0.5).map(ArchiveValue.date) ?? .null,
                "a property list in XML can't say fractions of a second"
            ),
        ] as [(ArchiveValue, String)]
    )
    func refuses(value: ArchiveValue, message: String) {
        let error = #expect(throws: ArchiveError.self) {
            try XMLPropertyList.write(.array([.bool(true), .dictionary(["a": value])]))
        }
        #expect(error?.kind == .inexpressible)
        let path = message.hasPrefix("[") ? "[1].a" : "[1].a: "
        #expect(error?.message == path + message)
    }

    @Test("days of all years, and around leap years and others, come back unchanged")
    func keepsDates() throws {
        let day = 86_400.0
        let all = Array(stride(from: -63_113_904_000, to: 252_423_993_600, by: 997 * day))
        let around1900 = Array(stride(from: -3_313_526_400, to: -3_053_203_200, by: day))
        let around2000 = Array(stride(from: -63_158_400, to: 63_158_400, by: day))
        for morning in all + around1900 + around2000 {
            let value = ArchiveDate(secondsSince2001: morning + 86_399).map(ArchiveValue.date)
            let date = try #require(value)
            #expect(try XMLPropertyList.read(XMLPropertyList.write(date)) == date)
        }
    }

    @Test("data of every length up to three lines comes back as it was")
    func keepsData() throws {
        for count in 0..<170 {
            let value = ArchiveValue.data((0..<count).map { UInt8(truncatingIfNeeded: $0 * 37) })
            #expect(try XMLPropertyList.read(XMLPropertyList.write(value)) == value)
        }
    }

    @Test("carriage returns come back, though XML turns plain ones into line feeds")
    func keepsCarriageReturns() throws {
        let value = ArchiveValue.string("a\r\nb\rc")
        #expect(try XMLPropertyList.read(XMLPropertyList.write(value)) == value)
    }
}
