import ArchiveProperties
import SecureArchive
import Testing

@Suite("Dictionaries of a keyed archive whose keys are numbers")
struct NumberKeyTests {
    private typealias Kit = KeyedKit

    private static func archive(
        _ keys: [ArchiveValue],
        class name: String = "NSDictionary"
    ) throws -> [UInt8] {
        // The keys are objects 3 and on, the value is the last.
        let value = UInt32(keys.count + 3)
        return try Kit.archive(
            [
                Kit.object(
                    [
                        "NS.keys": .array(keys.indices.map { .reference(UInt32($0 + 3)) }),
                        "NS.objects": .array(keys.map { _ in .reference(value) }),
                    ],
                    class: 2
                ), Kit.definition(name, "NSObject"),
            ] + keys + [.string("v")]
        )
    }

    @Test(
        "whole numbers and reals are keys, keep their kind and come back",
        arguments: ["NSDictionary", "NSMutableDictionary"]
    )
    func reads(name: String) throws {
        let keys: [ArchiveValue] = [
            .integer(7), .integer(-1), .integer(ArchiveInteger(UInt64.max)),
            .real(try #require(ArchiveReal(7))),
            .real(try #require(ArchiveReal(-0.0))), .real(try #require(ArchiveReal(1e300))),
        ]
        let archive = try Self.archive(keys, class: name)
        let fields = ArchiveValue.dictionary([
            "7": .string("v"), "-1": .string("v"), "18446744073709551615": .string("v"),
            "7.0": .string("v"),
            "-0.0": .string("v"), "1e+300": .string("v"),
        ])
        let numbers = ArchiveValue.tagged("$numbers", fields)
        let expected = name == "NSDictionary" ? numbers : .tagged("NSMutableDictionary", numbers)
        let value = try KeyedArchive.read(archive, schema: .values)
        #expect(value == expected)
        #expect(numbers.kindInWords == "a dictionary whose keys are numbers")
        let written = try KeyedArchive.write(value, schema: .values)
        #expect(try KeyedArchive.read(written, schema: .values) == value)
        #expect(KeyedProperties.violation(for: archive) == nil)
    }

    @Test(
        "keys of two kinds, a duplicate number, and keys that are neither text nor number are refused",
        arguments: [
            ([.integer(1), .string("1")], "NS.keys[1]: keys are texts or numbers, and not both"),
            ([.string("1"), .integer(1)], "NS.keys[1]: keys are texts or numbers, and not both"),
            ([.integer(1), .integer(1)], "NS.keys[1]: a key occurs twice"),
            ([.bool(true)], "NS.keys[0]: a key is no text"),
            ([.data([1])], "NS.keys[0]: a key is no text"),
        ] as [([ArchiveValue], String)]
    )
    func refuses(keys: [ArchiveValue], message: String) throws {
        KeyedKit.expectRefusal(of: try Self.archive(keys), .values, "$objects[1].\(message)")
    }

    @Test(
        "a key that is not spelled as a tree spells numbers is not written",
        arguments: ["a", "07", "+7", "7.00", "inf", ""]
    )
    func inexpressible(key: String) {
        let value = ArchiveValue.tagged("$numbers", .dictionary([key: .null]))
        let error = #expect(throws: ArchiveError.self) {
            try KeyedArchive.write(value, schema: .values)
        }
        #expect(error?.kind == .inexpressible)
    }
}
