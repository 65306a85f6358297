import ArchiveProperties
import SecureArchive
import TestSupport
import Testing

@Suite("The entry to archives of all formats", .timeLimit(.minutes(10)))
struct DoorTests {
    @Test(
        "every file of the corpus gives its manifest's result",
        arguments: Corpus.files(["keyed", "plist", "json", "xml"])
    )
    func corpus(file: Corpus.File) throws {
        let bytes = try file.bytes()
        var result: Result<ArchiveFormat, ArchiveError>?
        let time = processorTime(of: {
            do throws(ArchiveError) {
                result = .success(try Archive.read(bytes, schema: KeyedProperties.schema).format)
            } catch {
                result = .failure(error)
            }
        })
        switch result {
        case .success(let format): #expect(file.expected != .error, "it was read as \(format)")
        case .failure(let error): #expect(file.expected != .ok, "it was refused: \(error)")
        case nil: Issue.record("nothing came of it")
        }
        #expect(time < .seconds(1 * OwnProcess.allowance))
    }

    @Test(
        "the first bytes show the format",
        arguments: [
            ("bplist00", .binaryPropertyList), ("{}", .json), (" \n[1]", .json), ("\"a\"", .json), ("-1", .json),
            ("{\"a\\\"=b\": 1}", .json), ("{\"a\\\\\": 1}", .json),
            ("7", .json), ("true", .json),
            ("null", .json), ("fals", .json), ("\u{FEFF}{}", .json), ("// a\n{}", .json), ("/* a */ {}", .json),
            ("/* a */ // b\n\n[", .json), ("<a/>", .xml),
            ("\u{FEFF} <a/>", .xml), ("<", .xml),
            ("<plist/>", .xmlPropertyList), ("<plist version='1.0'>", .xmlPropertyList), ("<plists/>", .xml),
            ("<plist", .xml),
            ("<?xml version=\"1.0\"?>\n<!-- <a> -->\n<plist>", .xmlPropertyList),
            ("<!DOCTYPE plist SYSTEM 'x'><a/>", .xmlPropertyList),
            ("<!DOCTYPE html><plist>", .xml), ("<?xml", .xml), ("<!--", .xml), ("<abc>", .xml), ("<a1>", .xml),
        ] as [(String, ArchiveFormat)]
    )
    func sniffs(text: String, format: ArchiveFormat) throws {
        #expect(try ArchiveFormat(sniffing: Array(text.utf8)) == format)
    }

    @Test(
        "a file that is no archive is refused with the reason",
        arguments: [
            ("", ArchiveError.Kind.damaged, "it is empty"), (" \n", .damaged, "there is nothing but space in it"),
            ("hello", .unknown, "it is no property list, no JSON and no XML"),
            ("\u{7f}ELF", .unknown, "it is no property list, no JSON and no XML"),
            ("{ a = 1; }", .notAllowed, "old property lists in plain text (OpenStep) are not read"),
            ("(1, 2)", .notAllowed, "old property lists in plain text (OpenStep) are not read"),
            ("/* a */ (1)", .notAllowed, "old property lists in plain text (OpenStep) are not read"),
            ("{ \"a\" = 1; }", .notAllowed, "old property lists in plain text (OpenStep) are not read"),
            ("{ /* a */ a = 1; }", .notAllowed, "old property lists in plain text (OpenStep) are not read"),
            ("/* No */\n\"No\" = \"Nein\";", .notAllowed, "old property lists in plain text (OpenStep) are not read"),
            ("// a\n{\"a\": 1}", .notAllowed, "JSON has no comments"),
            ("/* a */ {}", .notAllowed, "JSON has no comments"), ("{} // a", .notAllowed, "JSON has no comments"),
            ("{ // a\n}", .notAllowed, "JSON has no comments"), ("[1, /* a */ 2]", .notAllowed, "JSON has no comments"),
            ("{\"a\" /* a */: 1}", .notAllowed, "JSON has no comments"),
            ("{\"a\": /", .damaged, "no value begins like this"),
            ("/* a", .unknown, "it is no property list, no JSON and no XML"),
            ("/usr/bin", .unknown, "it is no property list, no JSON and no XML"),
            ("{\n\tkey-1 =\n1; }", .notAllowed, "old property lists in plain text (OpenStep) are not read"),
            ("{a: 1}", .damaged, "a key in quotes is expected here"),
            ("{'a': 1}", .damaged, "a key in quotes is expected here"),
            ("{,}", .damaged, "a key in quotes is expected here"),
            ("{", .damaged, "a key in quotes is expected here"),
            ("\"\0\"", .damaged, "a control character must be escaped in a text"),
            ("<0fbd77 1c2735>", .notAllowed, "old property lists in plain text (OpenStep) are not read"),
            ("\0\0\0\0", .damaged, "it is all zeros"),
            ("\0\0\0\0a", .unknown, "it is no property list, no JSON and no XML"),
            ("\u{1}\0\0\0a\0", .unknown, "it is no property list, no JSON and no XML"),
            ("{\0\"\0", .notAllowed, "it is in UTF-16; a text is read in UTF-8 only"),
            ("{\0\0\0", .notAllowed, "it is in UTF-32; a text is read in UTF-8 only"),
        ]
    )
    func refusesOthers(text: String, kind: ArchiveError.Kind, detail: String) {
        let error = #expect(throws: ArchiveError.self) { try Archive.read(Array(text.utf8)) }
        #expect(error?.kind == kind)
        #expect(error?.detail == detail)
    }

    @Test("XML that names another encoding is refused with that reason, with any bytes")
    func otherEncoding() {
        let bytes =
            Array("<?xml version=\"1.0\" encoding=\"windows-1252\"?><a>".utf8) + [0x80]
            + Array("</a>".utf8)
        let error = #expect(throws: ArchiveError.self) { try Archive.read(bytes) }
        #expect(error?.kind == .notAllowed)
        #expect(
            error?.detail
                == "XML is read in UTF-8, UTF-16, ISO-8859-1 and US-ASCII; this says another"
        )
    }

    @Test(
        "a tree comes back from every format that has words for it",
        arguments: ArchiveFormat.allCases.dropLast()
    )
    func goesThroughFormats(format: ArchiveFormat) throws {
        let tree = ArchiveValue.dictionary([
            "z": .array([.integer(1), .real(1), .bool(true), .string("1")]),
            "a": .dictionary(["$null": .string("$null")]),
            "é": .integer(ArchiveInteger(UInt64.max)), "empty": .array([]),
        ])
        let bytes = try Archive.write(tree, as: format)
        let (value, found) = try Archive.read(bytes)
        #expect(value == tree)
        #expect(found == format)
        #expect(try Archive.write(value, as: found) == bytes)
        #expect(ArchiveFormat(name: format.name) == format)
    }

    @Test(
        "a keyed archive can be read as a plain list, and written so again",
        arguments: [ArchiveFormat.Spelling.binary, .xml]
    )
    func readsRaw(spelling: ArchiveFormat.Spelling) throws {
        let list = spelling == .binary ? ArchiveFormat.binaryPropertyList : .xmlPropertyList
        let bytes = try Archive.write(
            .tagged("NSUUID", .string("E621E1F8-C36C-495A-93FC-0C247A3E6E5F")),
            as: .keyedArchive(spelling)
        )
        let (raw, format) = try Archive.read(bytes, as: list)
        guard case .dictionary(let fields) = raw else { return #expect(Bool(false)) }
        #expect(fields["$archiver"] == .string("NSKeyedArchiver"))
        #expect(format == list)
        #expect(try Archive.write(raw, as: list) == bytes)
    }

    @Test(
        "a part of a keyed archive is not taken for a plain list",
        arguments: ["$archiver", "$objects", "$top"]
    )
    func refusesParts(key: String) throws {
        let bytes = try BinaryPropertyList.write(.dictionary([key: .string("NSKeyedArchiver")]))
        #expect(throws: ArchiveError.self) { try Archive.read(bytes) }
        #expect(throws: Never.self) { try Archive.read(bytes, as: .binaryPropertyList) }
    }

    @Test("reading stays within its memory, and reports the place where it stopped")
    func holdsMemory() {
        var limits = ArchiveLimits()
        limits.memoryBeyondArchive = 1 << 20
        for part in ["[0],", "{\"a\":0},", "\"abcdefghijklmnop\",", "[[[]]],"] {
            let text = "[" + String(repeating: part, count: 200_000) + "0]"
            let error = #expect(throws: ArchiveError.self) { try JSON.read(Array(text.utf8), limits: limits) }
            #expect(error?.kind == .tooLarge)
            #expect(error?.path.isEmpty == false)
        }
    }

    @Test(
        "a list that looks like a keyed archive and is none is not written",
        arguments: [ArchiveFormat.binaryPropertyList, .xmlPropertyList]
    )
    func refusesToWriteParts(format: ArchiveFormat) throws {
        for list: ArchiveValue in [.dictionary(["$top": .dictionary([:])]), .string("NSKeyedArchiver")] {
            let error = #expect(throws: ArchiveError.self) { try Archive.write(list, as: format) }
            #expect(error?.detail == "this list would be taken for a keyed archive, and is none")
        }
    }
}
