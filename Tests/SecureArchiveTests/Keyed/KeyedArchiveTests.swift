import ArchiveProperties
import SecureArchive
import TestSupport
import Testing

@Suite("Keyed archives as objects that refer to each other", .timeLimit(.minutes(10)))
struct KeyedArchiveTests {
    private typealias Kit = KeyedKit

    @Test(
        "an envelope that differs from that of a keyed archive is refused",
        arguments: [
            ("$version", .integer(100_001), "$version: it is not 100000"),
            ("$version", .real(100_000), "$version: it is not 100000"),
            ("$version", nil, "$version: it is not 100000"),
            ("$archiver", .string("Other"), "$archiver: it is not “NSKeyedArchiver”"),
            ("$top", .dictionary([:]), "$top: the archive has no top"),
            ("$top", .dictionary(["root": .integer(1)]), "$top.root: it names no object"),
            (
                "$top", .dictionary(["root": .array([])]),
                "$top.root: it is neither the number of an object nor a plain value"
            ),
            ("$top", .dictionary(["root": .reference(9)]), "$top.root: object 9 does not exist"),
            ("$objects", .array([]), "$objects: it is no list of objects that begins with “$null”"),
            ("$objects", .array([.string("$null"), .reference(0)]), "$objects[1]: this can't be an object"),
            ("more", .integer(1), "a keyed archive has four keys, and this one has 5"),
        ] as [(String, ArchiveValue?, String)]
    )
    func envelope(key: String, value: ArchiveValue?, message: String) throws {
        guard case .dictionary(var fields) = Kit.list([.string("a")]) else { return }
        fields[key] = value
        KeyedKit.expectRefusal(of: try BinaryPropertyList.write(.dictionary(fields)), .values, message)
    }

    @Test(
        "a definition that defines no class is refused",
        arguments: [
            (.string("NSArray"), "$objects[1].$class: object 2 defines no class"),
            (.array([]), "$objects[1].$class: object 2 defines no class"),
            (.dictionary([:]), "$objects[2].$classname: it is no text"),
            (.dictionary(["$classname": .integer(1)]), "$objects[2].$classname: it is no text"),
            (
                .dictionary(["$classname": .string("%n%s")]),
                "$objects[2].$classname: “%n%s” can't be the name of a class"
            ),
            (
                .dictionary(["$classname": .string("\u{1B}[2J")]),
                "$objects[2].$classname: “\\u{1b}[2J” can't be the name of a class"
            ),
            (
                .dictionary(["$classname": .string("A"), "$classes": .string("A")]),
                "$objects[2].$classes: it is no list of names"
            ),
            (
                .dictionary(["$classname": .string("A"), "$classes": .array([.integer(1)])]),
                "$objects[2].$classes: it is no list of names"
            ),
            (Kit.object(["$classname": .string("A")], class: 2), "$objects[1].$class: object 2 defines no class"),
        ] as [(ArchiveValue, String)]
    )
    func definitions(definition: ArchiveValue, message: String) throws {
        let archive = try Kit.archive([Kit.object([:], class: 2), definition])
        KeyedKit.expectRefusal(of: archive, .values, message)
    }

    @Test("an archive of classes that no schema allows can be read as objects and as a list")
    func looking() throws {
        let list = Kit.list([
            Kit.object(["somekey": .reference(2)], class: 3), .string("x"), Kit.definition("Unheard.Of", "NSObject"),
        ])
        let bytes = try BinaryPropertyList.write(list)
        #expect(try KeyedArchive.raw(bytes) == list)
        let archive = try KeyedArchive(bytes)
        #expect(archive.count == 4)
        guard case .instance(let definition, _) = archive.object(1), case .value(.string("x")) = archive.object(2),
            case .null = archive.object(0), case .definition = archive.object(3)
        else { return #expect(Bool(false)) }
        #expect(definition.name == "Unheard.Of")
        KeyedKit.expectRefusal(of: bytes, .values, "$top.root: class Unheard.Of is not allowed")
    }

    @Test("objects within each other are counted, shared ones at each place", arguments: [63, 64, 65])
    func depth(levels: Int) throws {
        var objects = (1...levels).map { level in
            Kit.object(
                ["NS.objects": level == levels ? .array([]) : Kit.references(UInt32(level + 1))],
                class: UInt32(levels + 1)
            )
        }
        objects.append(Kit.definition("NSArray", "NSObject"))
        let archive = try Kit.archive(objects)
        if levels <= 64 {
            #expect(throws: Never.self) { try KeyedArchive.read(archive, schema: .values) }
        } else {
            KeyedKit.expectRefusal(of: archive, .values, "$objects[64].NS.objects[0]: it is nested more than 64 deep")
        }
    }

    @Test("a width bomb of two to the thirtieth is refused at once")
    func width() throws {
        var objects = (1...30).map {
            Kit.object(["NS.objects": Kit.references(UInt32($0 + 1), UInt32($0 + 1))], class: 32)
        }
        objects += [.string("x"), Kit.definition("NSArray", "NSObject")]
        let archive = try Kit.archive(objects)
        let time = processorTime(of: {
            #expect(throws: ArchiveError.self) { try KeyedArchive.read(archive, schema: .values) }
        })
        #expect(time < .milliseconds(100 * OwnProcess.allowance))
    }

    @Test("the deepest possible archive is read, compared, written and released on a small stack")
    func smallStack() throws {
        var value = ArchiveValue.string("x")
        for level in 1...ArchiveLimits.deepest {
            value = level % 2 == 0 ? .array([value]) : .tagged("NSMutableDictionary", .dictionary(["a": value]))
        }
        var limits = ArchiveLimits()
        limits.depth = .max
        let (deep, inForce) = (value, limits)
        SmallStack.run {
            do throws(ArchiveError) {
                let bytes = try KeyedArchive.write(deep, schema: .values)
                let again = try KeyedArchive.read(bytes, schema: .values, limits: inForce)
                #expect(again == deep)
                let list = try BinaryPropertyList.write(KeyedArchive.propertyList(of: deep, schema: .values))
                #expect(list == bytes)
            } catch {
                Issue.record("\(error)")
            }
        }
        #expect(throws: ArchiveError.self) { try KeyedArchive.write(.array([deep]), schema: .values) }
    }

    @Test("four thousand dictionaries of equal size are written in linear time")
    func linear() throws {
        func list(_ count: Int) -> ArchiveValue {
            .array((0..<count).map { .dictionary(["name": .string("n\($0)"), "level": .integer(ArchiveInteger($0))]) })
        }
        let (few, many) = (list(1_000), list(4_000))
        _ = try KeyedArchive.write(few, schema: .values)
        let small = processorTime(of: { _ = try? KeyedArchive.write(few, schema: .values) })
        let large = processorTime(of: { _ = try? KeyedArchive.write(many, schema: .values) })
        #expect(large < small * 12 + .milliseconds(50))
        #expect(large < .seconds(1 * OwnProcess.allowance))
    }

    @Test("a program that writes object by object gets the bytes of the tree")
    func writer() throws {
        var writer = KeyedWriter()
        let list = writer.begin()
        let hero = writer.begin()
        writer.put(.reference(writer.add(.string("red"))), for: "charColor", in: hero)
        writer.put(.reference(writer.add(.string("red"))), for: "charClass", in: hero)
        for (number, key) in ["strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"]
            .enumerated()
        {
            writer.put(.integer(ArchiveInteger(number)), for: key, in: hero)
        }
        #expect(writer.has("wisdom", in: hero))
        #expect(!writer.has("luck", in: hero))
        writer.end(hero, as: "SimpleCharacter", ancestors: ["NSObject"])
        writer.put(.array([.reference(hero), .reference(hero)]), for: "NS.objects", in: list)
        writer.end(list, as: "NSArray", ancestors: ["NSObject"])
        writer.top["root"] = .reference(list)
        let value = try KeyedArchive.read(writer.bytes(), schema: KeyedProperties.schema)
        guard case .array(let heroes) = value else { return #expect(Bool(false)) }
        #expect(heroes.count == 2)
        #expect(heroes[0] == heroes[1])
        let first = try KeyedArchive.write(.array([heroes[0]]), schema: KeyedProperties.schema)
        #expect(try KeyedArchive(first).count == 6)
    }

    @Test("fields without keys are numbered, and an unended object is not written")
    func writerUnkeyed() throws {
        var writer = KeyedWriter()
        let object = writer.begin()
        writer.putUnkeyed(.integer(7), in: object)
        writer.putUnkeyed(.integer(8), in: object)
        writer.top["root"] = .reference(object)
        #expect(throws: ArchiveError.self) { try writer.bytes() }
        writer.end(object, as: "Old", ancestors: ["NSObject"])
        guard case .instance(_, let fields) = try KeyedArchive(writer.bytes()).object(object) else {
            return #expect(Bool(false))
        }
        #expect(fields["$1"] == .integer(8))
        #expect(KeyedWriter.spelling(of: "$x") == "$$x")
        #expect(KeyedWriter.spelling(of: "x") == "x")
    }
}
