import ArchiveProperties
import SecureArchive
import Testing

@Suite("Foundation's values of several fields in keyed archives")
struct ComposedValueTests {
    private typealias Kit = KeyedKit

    private static func read(_ name: String, _ fields: ArchiveFields, _ more: [ArchiveValue] = [])
        throws -> [UInt8]
    {
        try Kit.archive([Kit.object(fields, class: 2), Kit.definition(name, "NSObject")] + more)
    }

    private static func real(_ value: Double) -> ArchiveValue {
        ArchiveReal(value).map { .real($0) } ?? .null
    }

    /// The forms of Apple's archiver; referenced objects begin at 3.
    private static let sound: [(String, ArchiveFields, [ArchiveValue])] = [
        (
            "NSValue", ["NS.pointval": .reference(3), "NS.special": .integer(1)],
            [.string("{12, 34.5}")]
        ),
        (
            "NSValue", ["NS.sizeval": .reference(3), "NS.special": .integer(2)],
            [.string("{480, 320}")]
        ),
        (
            "NSValue", ["NS.rectval": .reference(3), "NS.special": .integer(3)],
            [.string("{{0, -1e2}, {480, 320}}")]
        ),
        (
            "NSValue",
            [
                "NS.rangeval.location": .reference(3), "NS.rangeval.length": .reference(4),
                "NS.special": .integer(4),
            ], [.integer(7), .integer(2)]
        ),
        ("NSIndexSet", ["NSRangeCount": .integer(0)], []),
        (
            "NSMutableIndexSet",
            ["NSRangeCount": .integer(1), "NSLocation": .integer(3), "NSLength": .integer(9)], []
        ),
        (
            "NSIndexSet", ["NSRangeCount": .integer(2), "NSRangeData": .reference(3)],
            [.data([1, 2, 7, 1])]
        ),
        ("NSIndexPath", ["NSIndexPathLength": .integer(1), "NSIndexPathValue": .integer(4)], []),
        (
            "NSIndexPath", ["NSIndexPathLength": .integer(2), "NSIndexPathData": .reference(3)],
            [.data([1, 2])]
        ),
        (
            "NSDecimalNumber",
            [
                "NS.mantissa": .data(Array(repeating: 1, count: 16)), "NS.negative": .bool(true),
                "NS.compact": .bool(true), "NS.length": .integer(1), "NS.exponent": .integer(-2),
                "NS.mantissa.bo": .integer(1),
            ], []
        ),
        (
            "NSCountedSet",
            [
                "NS.count": .integer(2), "NS.object0": .reference(3), "NS.count0": .integer(1),
                "NS.object1": .reference(4), "NS.count1": .integer(3),
            ], [.string("coin"), .integer(7)]
        ),
        (
            "NSMeasurement", ["NS.value": real(2.5), "NS.unit": .reference(3)],
            [
                Kit.object(
                    ["NS.symbol": .reference(5), "NS.converter": .reference(6), "NS.specifier": .integer(1287)],
                    class: 4
                ),
                Kit.definition("NSUnitLength", "NSDimension", "NSUnit", "NSObject"), .string("km"),
                Kit.object(["NS.coefficient": real(1000), "NS.constant": real(0)], class: 7),
                Kit.definition("NSUnitConverterLinear", "NSUnitConverter", "NSObject"),
            ]
        ),
        (
            "NSMeasurement", ["NS.value": real(0), "NS.unit": .reference(3)],
            [Kit.object(["NS.symbol": .reference(5)], class: 4), Kit.definition("NSUnit", "NSObject"), .string("")]
        ),
        ("NSCountedSet", ["NS.count": .integer(0)], []),
    ]

    @Test(
        "points, sizes, rectangles, ranges, indexes, decimals and measurements come back",
        arguments: sound.indices
    )
    func returns(index: Int) throws {
        let (name, fields, more) = Self.sound[index]
        let archive = try Self.read(name, fields, more)
        let value = try KeyedArchive.read(archive, schema: .values)
        let written = try KeyedArchive.write(value, schema: .values)
        #expect(try KeyedArchive.read(written, schema: .values) == value)
        #expect(KeyedProperties.violation(for: archive) == nil)
    }

    private static let unsound: [(String, ArchiveFields, [ArchiveValue])] = [
        (
            "NSCountedSet",
            [
                "NS.count": .integer(1), "NS.object0": .reference(3),
                "NS.count0": .integer(ArchiveInteger(1 << 59)),
            ], [.string("coin")]
        ),
        (
            "NSValue", ["NS.special": .integer(1), "NS.pointval": .reference(3)],
            [.string("{1, nan}")]
        ),
        (
            "NSValue", ["NS.special": .integer(1), "NS.pointval": .reference(3)],
            [.string("{1, 2, 3}")]
        ),
        (
            "NSValue", ["NS.special": .integer(3), "NS.pointval": .reference(3)],
            [.string("{1, 2}")]
        ),
        (
            "NSValue",
            [
                "NS.rangeval.location": .reference(3), "NS.rangeval.length": .reference(3),
                "NS.special": .integer(4),
            ], [.integer(-1)]
        ), ("NSIndexSet", ["NSRangeCount": .integer(-1)], []),
        ("NSIndexSet", ["NSRangeCount": .integer(1)], []),
        (
            "NSIndexSet",
            [
                "NSRangeCount": .integer(1), "NSLocation": .integer(.init(Int.max)),
                "NSLength": .integer(1),
            ], []
        ),
        (
            "NSIndexSet",
            ["NSRangeCount": .integer(ArchiveInteger(1 << 59)), "NSRangeData": .reference(3)],
            [.data([1, 2, 7, 1])]
        ),
        (
            "NSIndexPath",
            [
                "NSIndexPathLength": .integer(ArchiveInteger(1 << 59)),
                "NSIndexPathData": .reference(3),
            ], [.data([1])]
        ),
        ("NSIndexPath", ["NSIndexPathLength": .integer(1), "NSIndexPathValue": .integer(-4)], []),
        (
            "NSDecimalNumber",
            [
                "NS.mantissa": .data(Array(repeating: 1, count: 16)), "NS.negative": .bool(true),
                "NS.compact": .bool(true), "NS.length": .integer(-1), "NS.exponent": .integer(-2),
                "NS.mantissa.bo": .integer(1),
            ], []
        ),
    ]

    @Test(
        "counts beyond the content, and kinds that don't fit, are damaged",
        arguments: unsound.indices
    )
    func refuses(index: Int) throws {
        let (name, fields, more) = Self.unsound[index]
        let archive = try Self.read(name, fields, more)
        let error = #expect(throws: ArchiveError.self) {
            try KeyedArchive.read(archive, schema: .values)
        }
        #expect(error?.kind == .damaged)
    }

    @Test("an unknown kind of Foundation's value is not allowed, and not damaged")
    func otherKinds() throws {
        let insets = try Self.read(
            "NSValue",
            ["NS.special": .integer(12), "NS.pointval": .reference(3)],
            [.string("{1, 2}")]
        )
        let set = try Self.read("NSCountedSet", ["NS.objects": .reference(3)], [.string("coin")])
        for archive in [insets, set] {
            let error = #expect(throws: ArchiveError.self) {
                try KeyedArchive.read(archive, schema: .values)
            }
            #expect(error?.kind == .notAllowed)
        }
    }

    @Test("a UUID as GNUstep writes it is a UUID")
    func gnustep() throws {
        let bytes: [UInt8] = Array(0..<16)
        let archive = try Self.read("NSUUID", ["uuid": .data(bytes)])
        let expected = ArchiveValue.tagged(
            "NSUUID",
            .string("00010203-0405-0607-0809-0A0B0C0D0E0F")
        )
        #expect(try KeyedArchive.read(archive, schema: .values) == expected)
        let both = try Self.read("NSUUID", ["uuid": .data(bytes), "NS.uuidbytes": .data(bytes)])
        #expect(throws: ArchiveError.self) { try KeyedArchive.read(both, schema: .values) }
    }
}
