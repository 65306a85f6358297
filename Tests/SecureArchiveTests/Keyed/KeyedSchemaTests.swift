import ArchiveProperties
import SecureArchive
import Testing

@Suite("Classes and fields that a schema allows")
struct KeyedSchemaTests {
    private typealias Kit = KeyedKit

    private static let hero: ArchiveFields = [
        "charColor": .reference(3), "charClass": .reference(4), "strength": .integer(10), "dexterity": .integer(11),
        "constitution": .integer(12), "intelligence": .integer(13), "wisdom": .integer(14), "charisma": .integer(15),
    ]

    private static let read: ArchiveFields = {
        var fields = hero
        fields["charColor"] = .string("red")
        fields["charClass"] = .string("fighter")
        return fields
    }()

    private static func archive(_ change: (inout ArchiveFields) -> Void, name: String = "SimpleCharacter") throws
        -> [UInt8]
    {
        var fields = hero
        change(&fields)
        return try Kit.archive([
            Kit.object(fields, class: 2), Kit.definition(name, "NSObject"), .string("red"), .string("fighter"),
            .array([.string("red")]), .integer(10), Kit.object(["NS.objects": Kit.references()], class: 8),
            Kit.definition("NSArray", "NSObject"),
        ])
    }

    @Test(
        "an object of a declared class becomes its fields, tagged, and comes back",
        arguments: ["SimpleCharacter", "decode.SimpleCharacter"]
    )
    func reads(name: String) throws {
        let value = try KeyedArchive.read(Self.archive({ _ in }, name: name), schema: KeyedProperties.schema)
        #expect(value == .tagged("SimpleCharacter", .dictionary(Self.read)))
        let written = try KeyedArchive.write(value, schema: KeyedProperties.schema)
        #expect(try KeyedArchive.read(written, schema: KeyedProperties.schema) == value)
        guard case .instance(let definition, let fields) = try KeyedArchive(written).object(1) else {
            Issue.record("the root is no object")
            return
        }
        #expect(definition.name == "SimpleCharacter")
        #expect(definition.chain == ["SimpleCharacter", "NSObject"])
        #expect(fields["strength"] == .integer(10))
        #expect(fields["charColor"] == .reference(2))
    }

    @Test(
        "a field of another type is refused with the path",
        arguments: [
            ("strength", .real(1.5), "$objects[1].strength: it is a real, but an integer is expected"),
            ("strength", .bool(true), "$objects[1].strength: it is a boolean, but an integer is expected"),
            (
                "strength", .reference(6),
                "$objects[1].strength: it is a reference to an object of a keyed archive, but an integer is expected"
            ),
            ("strength", nil, "$objects[1].strength: the field is missing"),
            ("luck", .integer(1), "$objects[1].luck: its class declares no such field"),
            ("charColor", .string("red"), "$objects[1].charColor: a string is here, but an object is expected"),
            ("charColor", .reference(6), "$objects[1].charColor: it is an integer, but a string is expected"),
            ("charColor", .reference(7), "$objects[1].charColor: it is an array, but a string is expected"),
            ("charColor", .reference(5), "$objects[1].charColor: it names a collection without a class"),
            ("charColor", .reference(2), "$objects[1].charColor: it names the definition of a class"),
            ("charColor", .reference(0), "$objects[1].charColor: there is no object where one is expected"),
            (
                "charColor", .reference(1),
                "$objects[1].charColor: it is an object of SimpleCharacter, but a string is expected"
            ),
            ("charColor", .reference(99), "$objects[1].charColor: object 99 does not exist"),
        ] as [(String, ArchiveValue?, String)]
    )
    func refuses(key: String, value: ArchiveValue?, message: String) throws {
        let archive = try Self.archive { $0[key] = value }
        KeyedKit.expectRefusal(of: archive, KeyedProperties.schema, message)
    }

    @Test(
        "a number that may be a text is a number or a text, and nothing else",
        arguments: [
            (.integer(3), nil), (.reference(3), nil), (.reference(4), nil),
            (.reference(0), "it is a reference"),
            (.reference(5), "it is a reference"), (.real(1.5), "it is a real"),
            (.string("3"), "it is a string"),
            (.reference(1), "it is a reference"), (.reference(9), "object 9 does not exist"),
        ] as [(ArchiveValue, String?)]
    )
    func numbersInTexts(value: ArchiveValue, fault: String?) throws {
        let schema = ArchiveSchema.values.allowing(
            ArchiveClass("Hero", fields: [ArchiveField("rank", .orText(.integer))])
        )
        let archive = try Kit.archive([
            Kit.object(["rank": value], class: 2), Kit.definition("Hero", "NSObject"), .string("3"),
            Kit.object(["NS.string": .string("3")], class: 6), .integer(3),
            Kit.definition("NSMutableString", "NSString", "NSObject"),
        ])
        do throws(ArchiveError) {
            let tree = try KeyedArchive.read(archive, schema: schema)
            #expect(fault == nil)
            let written = try KeyedArchive.write(tree, schema: schema)
            #expect(try KeyedArchive.read(written, schema: schema) == tree)
        } catch {
            #expect(error.message.contains("rank: \(fault ?? "nothing")"))
        }
    }

    @Test("a class that is not allowed is refused at its first place, the outermost class first")
    func namesThePlace() throws {
        let archive = try Kit.archive([
            Kit.object(["NS.objects": Kit.references(2, 2, 4)], class: 3), .string("a"),
            Kit.definition("NSArray", "NSObject"),
            Kit.object(["launchPath": .reference(6)], class: 5), Kit.definition("NSTask", "NSObject"),
            Kit.object([:], class: 7), Kit.definition("NSPort", "NSObject"),
        ])
        KeyedKit.expectRefusal(of: archive, .values, "$objects[1].NS.objects[2]: class NSTask is not allowed")
    }

    @Test("a class that is not allowed is refused even if nothing refers to its object")
    func refusesWhatNothingNames() throws {
        let archive = try Kit.archive([
            Kit.object(["NS.objects": Kit.references(2)], class: 3), .string("a"),
            Kit.definition("NSArray", "NSObject"),
            Kit.object(["launchPath": .reference(2)], class: 5), Kit.definition("NSTask", "NSObject"),
        ])
        KeyedKit.expectRefusal(of: archive, .values, "$objects[4]: class NSTask is not allowed")
    }

    @Test("a descendant of an allowed class gains nothing from its list of ancestors")
    func knowsNoSubclasses() throws {
        let archive = try Kit.archive([
            Kit.object(["NS.objects": Kit.references()], class: 2), Kit.definition("Trap", "NSArray", "NSObject"),
        ])
        KeyedKit.expectRefusal(of: archive, .values, "$top.root: class Trap is not allowed")
    }

    @Test("an object that was accepted in one field is refused in another of a narrower type")
    func cachesNoVerdict() throws {
        let schema = ArchiveSchema.values.allowing(
            ArchiveClass("Pair", fields: [ArchiveField("any", .any), ArchiveField("names", .array(.string))])
        )
        let archive = try Kit.archive([
            Kit.object(["any": .reference(3), "names": .reference(3)], class: 2), Kit.definition("Pair", "NSObject"),
            Kit.object(["NS.objects": Kit.references(4, 5)], class: 6), .string("a"), .integer(1),
            Kit.definition("NSArray", "NSObject"),
        ])
        KeyedKit.expectRefusal(
            of: archive,
            schema,
            "$objects[1].names[1]: it is an integer, but a string is expected"
        )
    }

    @Test("every type of field is read and comes back")
    func allTypes() throws {
        let hero = ArchiveValue.tagged("SimpleCharacter", .dictionary(Self.read))
        let fields: ArchiveFields = [
            "bool": .bool(true), "real": .real(0.5), "bytes": .data([1]), "number": .integer(3), "data": .data([1]),
            "date": ArchiveDate(secondsSince2001: 1).map { .date($0) } ?? .null,
            "names": .tagged("NSMutableArray", .array([.string("a"), .tagged("NSMutableString", .string("b"))])),
            "scores": .dictionary(["a": .integer(1)]), "hero": hero, "next": .tagged("NSNull", .null),
        ]
        let value = ArchiveValue.tagged("Everything", .dictionary(fields))
        let written = try KeyedArchive.write(value, schema: KeyedProperties.schema)
        #expect(try KeyedArchive.read(written, schema: KeyedProperties.schema) == value)
        let archive = try KeyedArchive(written)
        guard case .instance(_, let raw) = archive.object(1) else { return #expect(Bool(false)) }
        #expect(raw["bytes"] == .data([1]))
        #expect(raw["bool"] == .bool(true))
        for key in ["number", "data", "date", "names", "scores", "hero", "next"] {
            guard case .reference = raw[key] else {
                Issue.record("\(key) is no object of its own")
                continue
            }
        }
    }

    @Test(
        "a number of either form comes back in the form it had",
        arguments: [.integer(7), .tagged("NSNumber", .bool(true))] as [ArchiveValue]
    )
    func eitherForm(number: ArchiveValue) throws {
        let value = ArchiveValue.tagged("Everything", .dictionary(["luck": number]))
        let written = try KeyedArchive.write(value, schema: KeyedProperties.schema)
        #expect(try KeyedArchive.read(written, schema: KeyedProperties.schema) == value)
        guard case .instance(_, let raw) = try KeyedArchive(written).object(1) else { return #expect(Bool(false)) }
        #expect(raw["luck"] == number || raw["luck"] == .reference(2))
        let text = ArchiveValue.tagged("Everything", .dictionary(["luck": .tagged("NSNumber", .string("7"))]))
        #expect(throws: ArchiveError.self) { try KeyedArchive.write(text, schema: KeyedProperties.schema) }
    }

    @Test("an optional field may be missing, or have no object, and stays as it was")
    func optionalFields() throws {
        for fields in [[:], ["next": .null], ["date": .null, "next": .string("x")]] as [ArchiveFields] {
            let value = ArchiveValue.tagged("Everything", .dictionary(fields))
            let written = try KeyedArchive.write(value, schema: KeyedProperties.schema)
            #expect(try KeyedArchive.read(written, schema: KeyedProperties.schema) == value)
        }
    }

    @Test("fields without keys are read in their order, and come back without keys")
    func unkeyed() throws {
        let archive = try Kit.archive([
            Kit.object(
                [
                    "$0": .reference(3), "$1": .reference(4), "$2": .integer(1), "$3": .integer(2), "$4": .integer(3),
                    "$5": .integer(4), "$6": .integer(5), "$7": .integer(6),
                ],
                class: 2
            ), Kit.definition("SimpleCharacter", "NSObject"), .string("red"), .string("mage"),
        ])
        let value = try KeyedArchive.read(archive, schema: KeyedProperties.schema)
        guard case .tagged(_, .dictionary(let fields)) = value else { return #expect(Bool(false)) }
        #expect(fields["$1"] == .string("mage"))
        #expect(fields["$7"] == .integer(6))
        #expect(
            try KeyedArchive.read(
                KeyedArchive.write(value, schema: KeyedProperties.schema),
                schema: KeyedProperties.schema
            ) == value
        )
        let short = try Kit.archive([
            Kit.object(["$0": .reference(3)], class: 2), Kit.definition("SimpleCharacter"), .string("red"),
        ])
        KeyedKit.expectRefusal(of: short, KeyedProperties.schema, "$objects[1].$1: the field is missing")
    }

    @Test("the content of a class with undeclared fields comes back in its form")
    func undeclaredFields() throws {
        let objects: [ArchiveValue] = [
            Kit.object(
                [
                    "inline": .integer(1), "own": .reference(3), "text": .string("x"), "other": .reference(4),
                    "none": .reference(0),
                    "null": .reference(5),
                ],
                class: 7
            ), .integer(0), .integer(1), .string("x"), Kit.object([:], class: 6), Kit.definition("NSNull", "NSObject"),
            Kit.definition("Archived", "NSObject"),
        ]
        let value = try KeyedArchive.read(Kit.archive(objects), schema: KeyedProperties.schema)
        let fields: ArchiveFields = [
            "inline": .integer(1), "own": .tagged("NSNumber", .integer(1)), "text": .tagged("$inline", .string("x")),
            "other": .string("x"), "none": .null, "null": .tagged("NSNull", .null),
        ]
        #expect(value == .tagged("Archived", .dictionary(fields)))
        let written = try KeyedArchive.write(value, schema: KeyedProperties.schema)
        #expect(try KeyedArchive.read(written, schema: KeyedProperties.schema) == value)
    }

    @Test(
        "a tree that its own schema would refuse is not written",
        arguments: [
            ("strength", .real(1), "strength: it is a real, but an integer is expected"),
            ("strength", nil, "strength: the field is missing"),
            ("luck", .integer(1), "luck: its class declares no such field"),
            ("charColor", .integer(1), "charColor: it is an integer, but a string is expected"),
            ("$class", .integer(1), "no field may be called “$class”"),
        ] as [(String, ArchiveValue?, String)]
    )
    func writesOnlyWhatItReads(key: String, value: ArchiveValue?, message: String) {
        var fields = Self.read
        fields[key] = value
        do throws(ArchiveError) {
            _ = try KeyedArchive.write(.tagged("SimpleCharacter", .dictionary(fields)), schema: KeyedProperties.schema)
            Issue.record("it was written")
        } catch {
            #expect(error.message == message)
            #expect(error.kind == .inexpressible)
        }
    }

    @Test("an archive with other keys at its top is a dictionary of them")
    func otherTops() throws {
        let archive = try Kit.archive(
            [.string("a"), .integer(3)],
            top: ["root": .reference(1), "count": .reference(2), "version": .integer(7)]
        )
        let value = try KeyedArchive.read(archive, schema: .values)
        let fields: ArchiveFields = [
            "root": .string("a"), "count": .tagged("NSNumber", .integer(3)), "version": .integer(7),
        ]
        #expect(value == .tagged("$top", .dictionary(fields)))
        #expect(try KeyedArchive.read(KeyedArchive.write(value, schema: .values), schema: .values) == value)
    }

    @Test("an archive without a root is a dictionary of its top, unless the schema demands a root")
    func noRoot() throws {
        let archive = try Kit.archive(
            [.string("Ann"), Kit.object(["NS.objects": Kit.references(1)], class: 3), Kit.definition("NSArray")],
            top: ["player": .reference(1), "friends": .reference(2)]
        )
        let value = try KeyedArchive.read(archive, schema: .values)
        #expect(
            value == .tagged("$top", .dictionary(["player": .string("Ann"), "friends": .array([.string("Ann")])]))
        )
        #expect(try KeyedArchive.read(KeyedArchive.write(value, schema: .values), schema: .values) == value)
        var schema = ArchiveSchema.values
        schema.top = [ArchiveField("root", .any)]
        KeyedKit.expectRefusal(of: archive, schema, "$top.root: it is missing")
        schema.top = [ArchiveField("player", .integer)]
        let words = "it is a reference to an object of a keyed archive, but an integer is expected"
        KeyedKit.expectRefusal(of: archive, schema, "$top.player: \(words)")
    }

    @Test("values under other keys than root are checked as well")
    func strangersWithoutRoot() throws {
        let object = Kit.object([:], class: 2)
        KeyedKit.expectRefusal(
            of: try Kit.archive([object, Kit.definition("Trap", "NSObject")], top: ["party": .reference(1)]),
            .values,
            "$top.party: class Trap is not allowed"
        )
        KeyedKit.expectRefusal(
            of: try Kit.archive([.string("a")], top: ["party": .array([.reference(1)])]),
            .values,
            "$top.party: it is neither the number of an object nor a plain value"
        )
    }
}
