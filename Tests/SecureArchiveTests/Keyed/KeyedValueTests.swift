import ArchiveProperties
import SecureArchive
import Testing

@Suite("Value classes in keyed archives")
struct KeyedValueTests {
    private typealias Kit = KeyedKit

    /// The forms of Apple's archiver, which are also those that are written here.
    private static let forms: [(objects: [ArchiveValue], value: ArchiveValue)] = [
        ([.string("hello")], .string("hello")), ([.integer(42)], .integer(42)), ([.real(2.5)], .real(2.5)),
        ([.bool(true)], .bool(true)), ([.data([1, 2])], .data([1, 2])), ([.string("$null")], .string("$null")),
        ([Kit.object([:], class: 2), Kit.definition("NSNull", "NSObject")], .null),
        (
            [Kit.object(["NS.time": .real(7)], class: 2), Kit.definition("NSDate", "NSObject")],
            ArchiveDate(secondsSince2001: 7).map { .date($0) } ?? .null
        ),
        (
            [
                Kit.object(["NS.objects": Kit.references(2, 3, 2)], class: 4), .string("a"), .integer(1),
                Kit.definition("NSArray", "NSObject"),
            ],
            .array([.string("a"), .integer(1), .string("a")])
        ),
        (
            [
                Kit.object(["NS.keys": Kit.references(2, 3), "NS.objects": Kit.references(4, 2)], class: 5),
                .string("a"),
                .string("b"), .bool(true), Kit.definition("NSDictionary", "NSObject"),
            ],
            .dictionary(["a": .bool(true), "b": .string("a")])
        ),
        (
            [
                Kit.object(["NS.string": .string("x")], class: 2),
                Kit.definition("NSMutableString", "NSString", "NSObject"),
            ],
            .tagged("NSMutableString", .string("x"))
        ),
        (
            [Kit.object(["NS.data": .data([9])], class: 2), Kit.definition("NSMutableData", "NSData", "NSObject")],
            .tagged("NSMutableData", .data([9]))
        ),
        (
            [
                Kit.object(["NS.objects": Kit.references()], class: 2),
                Kit.definition("NSMutableArray", "NSArray", "NSObject"),
            ],
            .tagged("NSMutableArray", .array([]))
        ),
        (
            [
                Kit.object(["NS.objects": Kit.references(2)], class: 3), .string("a"),
                Kit.definition("NSSet", "NSObject"),
            ],
            .tagged("NSSet", .array([.string("a")]))
        ),
        (
            [
                Kit.object(["NS.object.0": .reference(2), "NS.object.1": .reference(3)], class: 4), .string("a"),
                .integer(1),
                Kit.definition("NSOrderedSet", "NSObject"),
            ],
            .tagged("NSOrderedSet", .array([.string("a"), .integer(1)]))
        ),
        (
            [
                Kit.object(
                    [
                        "NS.uuidbytes": .data([
                            0x71, 0xDC, 0x06, 0x8E, 0x34, 0x20, 0x45, 0xFF, 0x91, 0x9E, 0x3A, 0x26, 0x7D, 0x55, 0xEC,
                            0x22,
                        ])
                    ],
                    class: 2
                ),
                Kit.definition("NSUUID", "NSObject"),
            ],
            .tagged("NSUUID", .string("71DC068E-3420-45FF-919E-3A267D55EC22"))
        ),
        (
            [
                Kit.object(["NS.base": .reference(0), "NS.relative": .reference(2)], class: 3), .string("https://a.b"),
                Kit.definition("NSURL", "NSObject"),
            ],
            .tagged("NSURL", .string("https://a.b"))
        ),
        (
            [
                Kit.object(["NS.base": .reference(2), "NS.relative": .reference(5)], class: 4),
                Kit.object(["NS.base": .reference(0), "NS.relative": .reference(3)], class: 4), .string("https://a.b"),
                Kit.definition("NSURL", "NSObject"), .string("c"),
            ],
            .tagged("NSURL", .dictionary(["base": .string("https://a.b"), "relative": .string("c")]))
        ),
    ]

    @Test("each value class is read from the form of Apple's archiver, and written in it", arguments: forms)
    func reads(objects: [ArchiveValue], value: ArchiveValue) throws {
        let archive = try Kit.archive(objects)
        #expect(try KeyedArchive.read(archive, schema: .values) == value)
        #expect(try KeyedArchive.propertyList(of: value, schema: .values) == Kit.list(objects))
    }

    @Test(
        "other forms are read as the same",
        arguments: [
            ([Kit.object(["NS.string": .string("x")], class: 2), Kit.definition("NSString")], .string("x")),
            ([Kit.object(["NS.bytes": .data([0x78])], class: 2), Kit.definition("NSString")], .string("x")),
            ([Kit.object(["NS.number": .bool(true)], class: 2), Kit.definition("NSNumber")], .bool(true)),
            ([Kit.object(["NS.data": .reference(2)], class: 3), .data([1]), Kit.definition("NSData")], .data([1])),
            (
                [Kit.object(["NS.time": .integer(0)], class: 2), Kit.definition("NSDate")],
                ArchiveDate(secondsSince2001: 0).map { .date($0) } ?? .null
            ),
            (
                [
                    Kit.object(["NS.objects": Kit.references(2)], class: 3), .string("a"),
                    Kit.definition("NSOrderedSet", "NSObject"),
                ],
                .tagged("NSOrderedSet", .array([.string("a")]))
            ),
            // Python's bpylist2 writes None so, and no ancestors.
            (
                [Kit.object(["NS.objects": Kit.references(0, 2)], class: 3), .string("a"), Kit.definition("NSArray")],
                .array([.null, .string("a")])
            ),
        ] as [([ArchiveValue], ArchiveValue)]
    )
    func readsOthers(objects: [ArchiveValue], value: ArchiveValue) throws {
        #expect(try KeyedArchive.read(Kit.archive(objects), schema: .values) == value)
    }

    @Test(
        "an object in another form than its class's is refused with the path",
        arguments: [
            ("NSArray", [:], "$objects[1].NS.objects: it is missing"),
            ("NSArray", ["NS.objects": .string("x")], "$objects[1].NS.objects: it is no list of objects"),
            ("NSArray", ["NS.objects": .array([.string("x")])], "$objects[1].NS.objects[0]: it names no object"),
            (
                "NSArray", ["NS.objects": Kit.references(3, 0)],
                "$objects[1].NS.objects[1]: there is no object where one is expected"
            ),
            (
                "NSArray", ["NS.objects": Kit.references(2)],
                "$objects[1].NS.objects[0]: it names the definition of a class"
            ),
            (
                "NSArray", ["NS.objects": Kit.references(5)],
                "$objects[1].NS.objects[0]: it names a collection without a class"
            ),
            (
                "NSArray", ["NS.objects": Kit.references(), "x": .bool(true)],
                "$objects[1].x: its class has no such field"
            ),
            ("NSDictionary", ["NS.keys": Kit.references()], "$objects[1].NS.objects: it is missing"),
            (
                "NSDictionary", ["NS.keys": Kit.references(3), "NS.objects": Kit.references()],
                "$objects[1]: there are 1 keys and 0 values"
            ),
            (
                "NSDictionary",
                ["NS.keys": Kit.references(3, 4), "NS.objects": Kit.references(3, 3)],
                "$objects[1].NS.keys[1]: keys are texts or numbers, and not both"
            ),
            (
                "NSDictionary", ["NS.keys": Kit.references(3, 3), "NS.objects": Kit.references(3, 4)],
                "$objects[1].NS.keys[1]: a key occurs twice"
            ),
            (
                "NSMutableDictionary", ["NS.keys": Kit.references(3), "NS.objects": Kit.references(0)],
                "$objects[1].NS.objects[0]: there is no object where one is expected"
            ),
            ("NSString", [:], "$objects[1].NS.string: it is missing or no text"),
            ("NSString", ["NS.string": .integer(1)], "$objects[1].NS.string: it is missing or no text"),
            ("NSString", ["NS.bytes": .data([0xFF])], "$objects[1].NS.bytes: it is no UTF-8"),
            ("NSNumber", ["NS.number": .string("1")], "$objects[1].NS.number: it is no number"),
            ("NSData", ["NS.data": .reference(3)], "$objects[1].NS.data: it is no data"),
            ("NSDate", ["NS.time": .real(1e300)], "$objects[1].NS.time: it is no instant"),
            ("NSDate", ["NS.time": .string("now")], "$objects[1].NS.time: it is no instant"),
            ("NSUUID", ["NS.uuidbytes": .data([1])], "$objects[1].NS.uuidbytes: it does not have 16 bytes"),
            ("NSNull", ["x": .bool(true)], "$objects[1]: NSNull has no fields"),
            ("NSSet", ["NS.objects": Kit.references(3, 3)], "$objects[1].NS.objects[1]: a set holds an object twice"),
            ("NSSet", ["NS.objects": Kit.references(3, 6)], "$objects[1].NS.objects[1]: a set holds an object twice"),
            ("NSOrderedSet", ["NS.object.1": .reference(3)], "$objects[1].NS.object.0: it is missing"),
            ("NSURL", ["NS.base": .reference(0)], "$objects[1].NS.relative: it is missing"),
            ("NSURL", ["NS.relative": .reference(4)], "$objects[1].NS.relative: it is no text"),
            ("NSURL", ["NS.relative": .reference(3), "NS.base": .reference(3)], "$objects[1].NS.base: it is no URL"),
            (
                "NSCharacterSet", ["NS.count": .integer(0)],
                "$top.root: class NSCharacterSet is not allowed"
            ),
            (
                "Foundation._NSCFArray", ["NS.objects": Kit.references()],
                "$top.root: class Foundation._NSCFArray is not allowed"
            ),
        ] as [(String, ArchiveFields, String)]
    )
    func refuses(name: String, fields: ArchiveFields, message: String) throws {
        let objects: [ArchiveValue] = [
            Kit.object(fields, class: 2), Kit.definition(name, "NSObject"), .string("a"), .integer(1), .array([]),
            .string("a"),
        ]
        KeyedKit.expectRefusal(of: try Kit.archive(objects), .values, message)
    }

    @Test(
        "a value that a class can't contain is not written",
        arguments: [
            (.tagged("NSUUID", .string("71DC068E")), "the text is no UUID"),
            (.array([.tagged("NSUUID", .integer(1))]), "[0]: an integer can't be of class NSUUID"),
            (.tagged("NSSet", .array([.integer(1), .integer(1)])), "[1]: a set can't hold it twice"),
            (
                .tagged("NSURL", .dictionary(["base": .string("a")])),
                "a URL is text, or a dictionary of “base” and “relative”"
            ),
            (.dictionary(["a": .tagged("NSTask", .dictionary([:]))]), "a: class NSTask is not allowed"),
            (.array([.reference(3)]), "[0]: there is no object 3 in what is written"),
        ] as [(ArchiveValue, String)]
    )
    func inexpressible(value: ArchiveValue, message: String) {
        do throws(ArchiveError) {
            _ = try KeyedArchive.write(value, schema: .values)
            Issue.record("it was written")
        } catch {
            #expect(error.message == message)
            #expect(error.kind == .inexpressible)
        }
    }

    @Test("random trees come back equal, and their bytes are the same each time", arguments: UInt64(1)...60)
    func roundTrip(seed: UInt64) throws {
        var chance = RandomValue(seed: seed)
        let value = chance.value(depth: 5)
        let bytes = try KeyedArchive.write(value, schema: .values)
        let again = try KeyedArchive.read(bytes, schema: .values)
        #expect(again == value)
        #expect(try KeyedArchive.write(again, schema: .values) == bytes)
    }
}
