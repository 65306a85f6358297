import SecureArchive
import TestSupport
import Testing

@Suite("Binary property lists")
struct BinaryPropertyListTests {
    @Test(
        "a value is read from its bytes and written as them",
        arguments: [
            ([0x08], .bool(false)), ([0x09], .bool(true)),
            ([0x10, 0x00], .integer(0)), ([0x10, 0xFF], .integer(255)), ([0x11, 0x01, 0x00], .integer(256)),
            ([0x12, 0xFF, 0xFF, 0xFF, 0xFF], .integer(4_294_967_295)),
            ([0x13, 0, 0, 0, 1, 0, 0, 0, 0], .integer(4_294_967_296)),
            ([0x13] + Array(repeating: 0xFF, count: 8), .integer(-1)),
            ([0x13, 0x80, 0, 0, 0, 0, 0, 0, 0], .integer(ArchiveInteger(Int.min))),
            (
                [0x14] + Array(repeating: 0, count: 8) + Array(repeating: 0xFF, count: 8),
                .integer(ArchiveInteger(UInt64.max))
            ),
            ([0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0], .real(1.5)), ([0x23, 0x80, 0, 0, 0, 0, 0, 0, 0], .real(-0.0)),
            ([0x33, 0x40, 0, 0, 0, 0, 0, 0, 0], date(2)),
            ([0x33, 0xC2, 0x2D, 0x63, 0xC8, 0xC5, 0, 0, 0], date(-63_114_076_800)),
            ([0x40], .data([])), ([0x42, 1, 2], .data([1, 2])), ([0x50], .string("")),
            ([0x52, 0x61, 0x00], .string("a\0")),
            ([0x61, 0x00, 0xE9], .string("\u{E9}")), ([0x62, 0xD8, 0x3D, 0xDE, 0x00], .string("😀")),
            ([0x80, 0x05], .reference(5)), ([0x83, 0xFF, 0xFF, 0xFF, 0xFF], .reference(.max)),
            ([0xA0], .array([])), ([0xD0], .dictionary([:])),
        ] as [([UInt8], ArchiveValue)]
    )
    func scalars(object: [UInt8], value: ArchiveValue) throws {
        let list = Self.list([object])
        #expect(try BinaryPropertyList.read(list) == value)
        #expect(try BinaryPropertyList.write(value) == list)
    }

    @Test(
        "a value is read from other forms than those that are written",
        arguments: [
            ([0x13, 0, 0, 0, 0, 0, 0, 0, 7], .integer(7)), ([0x14] + Array(repeating: 0, count: 15) + [7], .integer(7)),
            ([0x22, 0x3F, 0xC0, 0, 0], .real(1.5)), ([0x5F, 0x10, 0x01, 0x61], .string("a")),
            ([0x61, 0x00, 0x61], .string("a")), ([0x87, 0, 0, 0, 0, 0, 0, 0, 9], .reference(9)),
        ] as [([UInt8], ArchiveValue)]
    )
    func otherForms(object: [UInt8], value: ArchiveValue) throws {
        #expect(try BinaryPropertyList.read(Self.list([object])) == value)
    }

    @Test(
        "an object without a meaning is refused with the reason",
        arguments: [
            ([0x00], "an object of the kind “null”, which no property list has (byte 8)"),
            ([0x0F], "an object of the kind “filler”, which no property list has (byte 8)"),
            ([0xB0], "an object of the kind “ordered set”, which no property list has (byte 8)"),
            ([0xC0], "an object of the kind “set”, which no property list has (byte 8)"),
            ([0x71, 0x61], "an object of the kind “UTF-8 text”, which no property list has (byte 8)"),
            ([0x90], "an object of the unknown kind 0x90 (byte 8)"),
            ([0x15] + Array(repeating: 0, count: 32), "an object of the unknown kind 0x15 (byte 8)"),
            ([0x14, 1] + Array(repeating: 0, count: 15), "an integer has more than 64 bits (byte 9)"),
            ([0x33, 0x7F, 0xF8, 0, 0, 0, 0, 0, 0], "a date that is none (byte 9)"),
            ([0x33, 0x7F, 0xE0, 0, 0, 0, 0, 0, 0], "a date that is none (byte 9)"),
            ([0x51, 0xE9], "a text is not the ASCII that it says it is (byte 9)"),
            ([0x61, 0xD8, 0x3D], "a text holds half a character (byte 9)"),
            ([0x62, 0xDE, 0x00, 0xD8, 0x3D], "a text holds half a character (byte 9)"),
            ([0x62, 0xD8, 0x3D, 0x00, 0x61], "a text holds half a character (byte 9)"),
            ([0x84, 1, 0, 0, 0, 0], "the number of an object has more than 32 bits (byte 9)"),
            ([0x42, 1], "an object is longer than the file (byte 9)"),
            ([0x5F], "the length of an object is missing (byte 9)"),
            ([0x5F, 0x23, 0], "the length of an object is missing (byte 9)"),
            (
                [0x4F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
                "an object is longer than the file (byte 9)"
            ),
            (
                [0xAF, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
                "an object is longer than the file (byte 9)"
            ),
            ([0xDF, 0x13, 0x40, 0, 0, 0, 0, 0, 0, 0], "an object is longer than the file (byte 9)"),
            ([0xA1, 0x01], "a collection names an object that does not exist (byte 9)"),
            ([0xA1, 0x00], "[0]: a collection contains itself (byte 8)"),
            ([0xD1, 0x00, 0x00], "a collection where none may be (byte 9)"),
        ] as [([UInt8], String)]
    )
    func refusals(object: [UInt8], message: String) {
        Self.expectRefusal(of: Self.list([object]), message)
    }

    @Test(
        "objects that do not fit together are refused with the place",
        arguments: [
            ([[0xD1, 1, 2], [0x10, 1], [0x08]], "a key is no text (byte 11)"),
            ([[0xD2, 1, 2, 3, 3], [0x51, 0x61], [0x51, 0x61], [0x08]], "a: a key occurs twice (byte 9)"),
            ([[0xD1, 1, 2], [0x51, 0x61], [0xA1, 0]], "a[0]: a collection contains itself (byte 8)"),
            ([[0xA1, 1], [0xA1, 2], [0xA1, 1]], "[0][0][0]: a collection contains itself (byte 10)"),
            ([[0xA1, 1], [0xC1, 0x08]], "an object of the kind “set”, which no property list has (byte 10)"),
        ] as [([[UInt8]], String)]
    )
    func unfitting(objects: [[UInt8]], message: String) {
        Self.expectRefusal(of: Self.list(objects), message)
    }

    @Test("objects that overlap each other or the table are refused")
    func overlapping() {
        // The data in the middle contains bytes that look like a text.
        var list = Self.list([[0xA2, 1, 2], [0x42, 0x51, 0x61], [0x08]])
        let entry = list.count - 33
        list[entry] = 12
        Self.expectRefusal(of: list, "two objects overlap (byte 12)")
        list[entry] = 8
        Self.expectRefusal(of: list, "two objects overlap (byte 8)")
        list[entry] = UInt8(entry)
        Self.expectRefusal(of: list, "an object would lie outside of the objects (byte \(entry))")
    }

    @Test(
        "a trailer that does not fit the file is refused before anything is made",
        arguments: [
            (6, 0, "the size of offsets or references is not 1 to 8 bytes"),
            (6, 9, "the size of offsets or references is not 1 to 8 bytes"),
            (7, 0, "the size of offsets or references is not 1 to 8 bytes"),
            (8, 0x7F, "the number of objects does not fit the size of the file"),
            (15, 2, "the number of objects does not fit the size of the file"),
            (15, 0, "the number of objects does not fit the size of the file"),
            (6, 2, "the number of objects does not fit the size of the file"),
            (16, 0x80, "the root is none of the objects"),
            (23, 1, "the root is none of the objects"), (24, 0xFF, "the offset table would lie outside of the file"),
            (31, 7, "the offset table would lie outside of the file"),
            (31, 200, "the offset table would lie outside of the file"),
        ]
    )
    func badTrailers(position: Int, byte: UInt8, detail: String) {
        var list = Self.list([[0x08]])
        list[list.count - 32 + position] = byte
        Self.expectRefusal(of: list, detail, exactly: false)
    }

    @Test(
        "a file that is no binary property list is refused",
        arguments: ["", "bplist", "bplist00", "<?xml version=\"1.0\"?>", "x"]
    )
    func strangers(text: String) {
        #expect(throws: ArchiveError.self) { try BinaryPropertyList.read(Array(text.utf8)) }
        Self.expectRefusal(of: Array("bplist15".utf8), "a binary property list of another version than 00")
    }

    @Test("an object at several places is one in memory and counts at each")
    func sharing() throws {
        let list = Self.list([[0xA2, 1, 1], [0xA2, 2, 2], [0x51, 0x61]])
        let inner: ArchiveValue = .array([.string("a"), .string("a")])
        #expect(try BinaryPropertyList.read(list) == .array([inner, inner]))
        var limits = ArchiveLimits()
        limits.values = 7
        #expect(throws: Never.self) { try BinaryPropertyList.read(list, limits: limits) }
        limits.values = 6
        Self.expectRefusal(of: list, "there are more than 6 values", limits, exactly: false)
        limits = ArchiveLimits()
        limits.expandedBytes = 7 * 8 + 3
        Self.expectRefusal(of: list, "larger than 59 bytes", limits, exactly: false)
        limits.expandedBytes = 7 * 8 + 4
        #expect(throws: Never.self) { try BinaryPropertyList.read(list, limits: limits) }
    }

    @Test("shared depth counts at its deepest place")
    func sharedDepth() throws {
        // Object 3 comes first at depth 2, and again at depth 3.
        let list = Self.list([[0xA2, 2, 1], [0xA1, 2], [0xA1, 3], [0x08]])
        var limits = ArchiveLimits()
        limits.depth = 3
        #expect(throws: Never.self) { try BinaryPropertyList.read(list, limits: limits) }
        limits.depth = 2
        Self.expectRefusal(of: list, "it is nested more than 2 deep", limits, exactly: false)
    }

    @Test("limits on size, text and memory hold")
    func otherLimits() {
        let list = Self.list([Array("\u{5F}\u{10}\u{20}".utf8) + Array(repeating: 0x61, count: 32)])
        var limits = ArchiveLimits()
        limits.bytes = list.count - 1
        Self.expectRefusal(of: list, "the archive has \(list.count) bytes", limits, exactly: false)
        limits = ArchiveLimits()
        limits.stringBytes = 31
        Self.expectRefusal(of: list, "a text has 32 bytes, 31 are allowed", limits, exactly: false)
        limits = ArchiveLimits()
        limits.memoryBeyondArchive = -list.count + 60
        Self.expectRefusal(of: list, "would take more than", limits, exactly: false)
        limits = ArchiveLimits()
        (limits.bytes, limits.depth, limits.values, limits.stringBytes) = (.max, .max, .max, .max)
        (limits.expandedBytes, limits.memoryBeyondArchive) = (.max, .max)
        #expect(throws: Never.self) { try BinaryPropertyList.read(list, limits: limits) }
    }

    @Test("a value that a property list can't contain is refused with the path")
    func inexpressible() {
        #expect(throws: ArchiveError(.inexpressible, "a property list can't say null", at: "people[1].pet")) {
            try BinaryPropertyList.write(
                .dictionary(["people": .array([.bool(true), .dictionary(["pet": .null])])])
            )
        }
        #expect(throws: ArchiveError(.inexpressible, "a property list can't say an object of NSUUID", at: "[0]")) {
            try BinaryPropertyList.write(.array([.tagged("NSUUID", .string(""))]))
        }
    }

    @Test("random trees come back equal, and their bytes are the same each time", arguments: UInt64(1)...40)
    func roundTrip(seed: UInt64) throws {
        var chance = RandomValue(seed: seed)
        let value = Self.plain(chance.value(depth: 5))
        let bytes = try BinaryPropertyList.write(value)
        #expect(try BinaryPropertyList.read(bytes) == value)
        #expect(try BinaryPropertyList.write(BinaryPropertyList.read(bytes)) == bytes)
    }

    @Test("counts and sizes of every width come back", arguments: [14, 15, 255, 256, 300, 65_600])
    func widths(count: Int) throws {
        let value: ArchiveValue = .array(
            [
                .string(String(repeating: "x", count: count)), .string(String(repeating: "é", count: count)),
                .data(Array(repeating: 7, count: count)),
            ]
                + (0..<count).map { .integer(ArchiveInteger($0)) }
        )
        #expect(try BinaryPropertyList.read(BinaryPropertyList.write(value)) == value)
    }

    /// The value without the parts that a property list can't contain.
    private static func plain(_ value: ArchiveValue) -> ArchiveValue {
        switch value {
        case .null: return .string("null")
        case .tagged(_, let payload): return plain(payload)
        case .array(let elements): return .array(elements.map(plain))
        case .dictionary(let fields):
            var made = ArchiveFields()
            for (key, value) in fields { made[key] = plain(value) }
            return .dictionary(made)
        default: return value
        }
    }

    private static func date(_ seconds: Double) -> ArchiveValue {
        ArchiveDate(secondsSince2001: seconds).map { .date($0) } ?? .null
    }

    /// A list of these objects, of which the first is the root.
    static func list(_ objects: [[UInt8]]) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(bytes.count))
            bytes += object
        }
        let table = bytes.count
        return bytes + offsets + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)]
            + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, UInt8(table)]
    }

    private static func expectRefusal(
        of list: [UInt8],
        _ message: String,
        _ limits: ArchiveLimits = ArchiveLimits(),
        exactly: Bool = true,
        at location: SourceLocation = #_sourceLocation
    ) {
        do throws(ArchiveError) {
            let value = try BinaryPropertyList.read(list, limits: limits)
            Issue.record("it was read as \(value)", sourceLocation: location)
        } catch {
            let isRight = exactly ? error.message == message : error.message.contains(message)
            #expect(isRight, "\(error.message)", sourceLocation: location)
        }
    }
}
