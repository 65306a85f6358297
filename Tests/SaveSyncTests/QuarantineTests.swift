import GameState
import Ledger
import LinuxPlatform
import SaveRules
@testable import SaveSync
import SecureArchive
import Session
import TestSupport
import Testing
import Vocabulary

@Suite("Saves that come from elsewhere", .timeLimit(.minutes(5)))
struct QuarantineTests {
    private static let sound: [UInt8] = {
        let root = ArchiveValue.dictionary(["level": .integer(ArchiveInteger(3))])
        guard let bytes = try? Archive.write(root, as: .binaryPropertyList) else { preconditionFailure("it is sound") }
        return bytes
    }()

    /// A property list whose trailer names more objects than there are bytes.
    private static let killer = Array("bplist00".utf8) + [UInt8](repeating: 0xFF, count: 40)

    @Test("a save that would kill its reader stays out of the folder, is reported, and a sound one after it arrives")
    @Engine
    func killer() async throws {
        let shared = try await SharedSet.open()
        shared.one.place().put(Self.sound, at: "save.plist")
        shared.one.places.settle(shared.set)
        try await shared.other.untilApplied(in: shared.set)
        shared.one.place().put(Self.killer, at: "save.plist")
        shared.one.places.settle(shared.set)
        let (id, error) = try await shared.other.next(in: shared.set) { event in
            if case .quarantined(let id, let error) = event { (id, error) } else { nil }
        }
        #expect(error.code == "archive.damaged")
        #expect(shared.other.place().files()["save.plist"] == Self.sound)
        let version = try #require(
            try await shared.other.engine.versions(of: shared.set).latest().first { $0.snapshot.id == id }
        )
        #expect(version.refusal != nil && version.isWhole && !version.isShown)
        #expect(try shared.other.engine.report(of: shared.set).quarantine != nil)
        await #expect(throws: SaveSyncError.self) { try await shared.other.engine.editor(of: shared.set).restore(id) }
        let notes = try await shared.other.node.ledger.audit().values.filter { $0.event == "save-quarantined" }
        #expect(notes.map(\.peer) == [shared.one.id])
        shared.one.place().put(Self.sound, at: "save.plist")
        try await shared.one.save("chapter 2", in: shared.set)
        try await shared.other.untilApplied(in: shared.set)
        #expect(shared.other.place().texts()["slot"] == "chapter 2")
        await shared.stop()
    }

    private static let latinOpening = "<?xml version='1.0' encoding='ISO-8859-1'?>"

    private static func latin(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8($0.value) }
    }

    private static func wide(_ text: String) -> [UInt8] {
        [0xFF, 0xFE] + text.utf8.flatMap { [$0, 0] }
    }

    /// Lists that would crash their readers, some of them after content that readers skip.
    private static let disguises: [[UInt8]] = [
        [UInt8](repeating: 0x20, count: 300 << 10) + Array("<plist><dict><key>".utf8),
        Array("<!--".utf8) + [UInt8](repeating: 0x2D, count: 300 << 10) + Array("--><plist><dict><key>".utf8),
        [UInt8](repeating: 0x20, count: 4_093) + Array("<plist><dict><key>".utf8),
        Array("<!DOCTYPE a [<!ENTITY b ']>'>".utf8) + [UInt8](repeating: 0x20, count: 5_000)
            + Array("]>\n<plist><dict><key>".utf8),
        Array("<plist version=\"1.0\"><?x y?><dict/></plist>".utf8),
        // External entities, and dangerous content after harmless content.
        Array("<!DOCTYPE plist SYSTEM \"file:///etc/passwd\"><plist><dict/></plist>".utf8),
        Array("<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><dict/></plist>".utf8),
        Array("<!DOCTYPE plist []><plist><date>never</date></plist>".utf8),
        Array("<?xml version=\"1.0\" encoding=\"windows-1252\"?><plist><string>".utf8) + [0x80]
            + Array("</string></plist>".utf8),
        wide("<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist><dict/></plist>"),
        wide("<plist><date>never</date></plist>"),
        latin("\(latinOpening)<plist><date>\u{E9}</date></plist>"),
        // Lists without the enclosing element.
        Array("<!DOCTYPE \(apple)>\(formatting)".utf8), Array("<?a b?><!-- c --><!DOCTYPE x>\(formatting)".utf8),
        Array("<?xml version=\"1.0\"?>\(formatting)".utf8), Array("\(formatting)<save/>".utf8),
        Array("<plist>\(formatting)</plist>".utf8), Array("bplist99".utf8),
        Array(String(repeating: "<array>", count: 12_000).utf8),
        Array("<integer>".utf8) + [0xFF] + Array("9</integer>".utf8),
        Array("<?xml version=\"1.0\" encoding=\"UTF-7\"?>+ADw-array/+AD4-".utf8),
    ]

    /// A keyed archive with a class name that its reader takes for a format string.
    private static let formatting = """
        <dict><key>$version</key><integer>100000</integer><key>$archiver</key><string>NSKeyedArchiver</string>\
        <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>\
        <key>$objects</key><array><string>$null</string>\
        <dict><key>$class</key><dict><key>CF$UID</key><integer>2</integer></dict></dict>\
        <dict><key>$classname</key><string>%s%n%n%s</string></dict></array></dict>
        """

    @Test("a dangerous save is found behind anything that readers skip, and in any encoding", arguments: disguises)
    @Engine
    func hidden(bytes: [UInt8]) async throws {
        let shared = try await SharedSet.open()
        shared.one.place().put(bytes, at: "save.plist")
        shared.one.places.settle(shared.set)
        try await shared.other.next(in: shared.set) { if case .quarantined = $0 { true } else { nil } }
        #expect(shared.other.place().files()["save.plist"] == nil)
        await shared.stop()
    }

    private static let apple =
        "plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\""

    /// Prologs that no known writer puts before a list, and that hide nothing.
    private static let oddPreambles = [
        "<!DOCTYPE plist>", "<!DOCTYPE plist[\n]>", "<!DOCTYPE \(apple)[]>", "<!DOCTYPE \(apple) [ ] >\n<!-- a -->",
        "<?xml version=\"1.0\" encoding=\"utf8\"?>", "<?xml version='1.0' encoding='ISO-8859-1'?>",
        "<?xml version=\"1.1\"?>\n<!-- a --><!DOCTYPE plist>",
    ]

    /// Documents that only share element names with property lists, and that can hide nothing.
    private static let ownDocuments = [
        "<data version=\"2\"><slot id=\"1\">3</slot></data>", "<array n=\"1\"><item>&own;</item></array>",
        "<?xml version=\"1.0\"?>\n<dict><entry key=\"a\">b</entry></dict>", "<date>never</date>",
        "<!DOCTYPE save SYSTEM \"save.dtd\"><save><array/></save>", "<dict><key>level</key><integer>3</integer></dict>",
    ]

    @Test("a save of a game's own format is not checked, nor is one with classes that no program here knows")
    @Engine
    func ownFormats() async throws {
        let shared = try await SharedSet.open()
        let archive = ArchiveValue.dictionary([
            "$version": .integer(100_000), "$archiver": .string("NSKeyedArchiver"),
            "$top": .dictionary(["root": .reference(1)]),
            "$objects": .array([
                .string("$null"), .dictionary(["$class": .reference(2), "depth": .integer(3)]),
                .dictionary([
                    "$classname": .string("Dungeon"), "$classes": .array([.string("Dungeon"), .string("NSObject")]),
                ]),
            ]),
        ])
        let bytes = try Archive.write(archive, as: .binaryPropertyList)
        #expect(throws: ArchiveError.self) { try GameState(reading: bytes) }
        shared.one.place().put(bytes, at: "dungeon")
        shared.one.place().put(try Archive.write(archive, as: .xmlPropertyList), at: "dungeon.xml")
        shared.one.place().put(Array("<plist version=\"1.0\"><real>nan</real></plist>".utf8), at: "odd.plist")
        shared.one.place().put(Self.wide("<plist><dict/></plist>"), at: "wide.plist")
        let latin = Self.latin("\(Self.latinOpening)<plist><string>\u{E9}</string></plist>")
        shared.one.place().put(latin, at: "latin.plist")
        for (number, preamble) in Self.oddPreambles.enumerated() {
            shared.one.place().put(Array("\(preamble)<plist><dict/></plist>".utf8), at: "odd \(number).plist")
        }
        for (number, document) in Self.ownDocuments.enumerated() {
            shared.one.place().put(Array(document.utf8), at: "own \(number).xml")
        }
        shared.one.place().put([0, 1, 2, 3], at: "binary")
        shared.one.places.settle(shared.set)
        try await shared.other.untilApplied(in: shared.set)
        #expect(shared.other.place().files() == shared.one.place().files())
        await shared.stop()
    }

    /// An archive whose root has a list of one child, and the child refers to its parent.
    private static func parents(_ name: String, list: String) throws -> [UInt8] {
        func definition(_ name: String) -> ArchiveValue {
            .dictionary([
                "$classname": .string(name),
                "$classes": .array([.string(name), .string("NSObject")]),
            ])
        }
        let isDictionary = name == "NSMutableDictionary"
        func object(_ key: UInt32, _ value: UInt32, _ class: UInt32) -> ArchiveValue {
            isDictionary
                ? .dictionary([
                    "NS.keys": .array([.reference(key)]), "NS.objects": .array([.reference(value)]),
                    "$class": .reference(`class`),
                ]) : .dictionary(["held \(key)": .reference(value), "$class": .reference(`class`)])
        }
        return try Archive.write(
            .dictionary([
                "$version": .integer(100_000), "$archiver": .string("NSKeyedArchiver"),
                "$top": .dictionary(["root": .reference(1)]),
                "$objects": .array([
                    .string("$null"), object(2, 4, 3), .string("children"), definition(name),
                    .dictionary(["NS.objects": .array([.reference(6)]), "$class": .reference(5)]),
                    definition(list),
                    object(7, 1, 3), .string("parent"),
                ]),
            ]),
            as: .binaryPropertyList
        )
    }

    @Test(
        "a save whose objects lead back to themselves gets into the folder",
        arguments: ["Node", "NSMutableDictionary"]
    )
    @Engine
    func circles(name: String) async throws {
        let shared = try await SharedSet.open()
        shared.one.place().put(try Self.parents(name, list: "NSArray"), at: "scene")
        shared.one.places.settle(shared.set)
        try await shared.other.untilApplied(in: shared.set)
        #expect(shared.other.place().files() == shared.one.place().files())
        await shared.stop()
    }
}
