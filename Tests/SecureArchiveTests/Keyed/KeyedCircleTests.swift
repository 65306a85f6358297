import ArchiveProperties
import SecureArchive
import TestSupport
import Testing

@Suite("Keyed archives in which objects lead back to themselves", .timeLimit(.minutes(10)))
struct KeyedCircleTests {
    private typealias Kit = KeyedKit

    private static let schema = ArchiveSchema.values.allowing(ArchiveClass(withAnyFields: "Node"))

    /// A node of a scene, its list of children, and a child that refers to its parent, as games have them.
    private static let parent: [ArchiveValue] = [
        Kit.object(["name": .reference(3), "children": .reference(4)], class: 2),
        Kit.definition("Node", "NSObject"), .string("root"),
        Kit.object(["NS.objects": Kit.references(6, 7)], class: 5),
        Kit.definition("NSArray", "NSObject"),
        Kit.object(["name": .reference(8), "parent": .reference(1)], class: 2),
        Kit.object(["name": .reference(9), "parent": .reference(1)], class: 2), .string("lamp"),
        .string("door"),
    ]

    private static let parentTree = ArchiveValue.tagged(
        "$1",
        .tagged(
            "Node",
            .dictionary([
                "name": .string("root"),
                "children": .array(
                    ["lamp", "door"].map {
                        .tagged(
                            "Node",
                            .dictionary([
                                "name": .string($0), "parent": .tagged("Node", .reference(1)),
                            ])
                        )
                    }
                ),
            ])
        )
    )

    @Test("a tree has a parent once, and its number at a child that refers to it")
    func parents() throws {
        let archive = try Kit.archive(Self.parent)
        #expect(try KeyedArchive.read(archive, schema: Self.schema) == Self.parentTree)
        try expectReturn(of: archive)
    }

    @Test("a circle of classes that are not allowed is refused for the class, and not as damaged")
    func unknownClasses() throws {
        KeyedKit.expectRefusal(
            of: try Kit.archive(Self.parent),
            .values,
            "$top.root: class Node is not allowed"
        )
    }

    @Test("mutable collections may contain themselves")
    func mutableCollections() throws {
        let archive = try Kit.archive([
            Kit.object(["NS.objects": Kit.references(1, 3)], class: 2),
            Kit.definition("NSMutableArray", "NSArray", "NSObject"), .string("end"),
        ])
        let expected = ArchiveValue.tagged(
            "$1",
            .tagged(
                "NSMutableArray",
                .array([.tagged("NSMutableArray", .reference(1)), .string("end")])
            )
        )
        #expect(try KeyedArchive.read(archive, schema: .values) == expected)
        try expectReturn(of: archive)
    }

    @Test(
        "immutable collections that contain each other are damaged, because no program makes them",
        arguments: ["NSArray", "NSSet"]
    )
    func fixedCollections(name: String) throws {
        let archive = try Kit.archive([
            Kit.object(["NS.objects": Kit.references(2)], class: 3),
            Kit.object(["NS.objects": Kit.references(1)], class: 3),
            Kit.definition(name, "NSObject"),
        ])
        KeyedKit.expectRefusal(
            of: archive,
            .values,
            "$objects[2]: collections that can't change contain each other"
        )
    }

    @Test(
        "two circles through one object come back, and so does an object in both"
    )
    func entangled() throws {
        // 1 contains 4, 4 and 5; 4 contains 5; 5 contains 1 and 4.
        try expectReturn(
            of: Kit.archive([
                Kit.object(["NS.objects": Kit.references(4, 4, 5)], class: 2),
                Kit.definition("NSMutableArray", "NSArray", "NSObject"),
                Kit.definition("Node", "NSObject"),
                Kit.object(["next": .reference(5), "none": .reference(0)], class: 3),
                Kit.object(
                    ["up": .reference(1), "back": .reference(4), "count": .integer(2)],
                    class: 3
                ),
            ])
        )
    }

    @Test("an ordered set with its elements in another order in the file comes back")
    func orderedSets() throws {
        try expectReturn(
            of: Kit.archive([
                Kit.object(
                    [
                        "NS.object.1": .reference(4), "NS.object.0": .reference(5),
                        "NS.object.2": .reference(1),
                    ],
                    class: 2
                ), Kit.definition("NSMutableOrderedSet", "NSOrderedSet", "NSObject"),
                Kit.definition("Node", "NSObject"),
                Kit.object(["next": .reference(5)], class: 3),
                Kit.object(["next": .reference(4)], class: 3),
            ])
        )
    }

    @Test("objects at the top of an archive may be in a circle, under more than one name")
    func tops() throws {
        try expectReturn(
            of: Kit.archive(
                [
                    Kit.object(["next": .reference(3)], class: 2),
                    Kit.definition("Node", "NSObject"),
                    Kit.object(["next": .reference(1)], class: 2),
                ],
                top: ["first": .reference(1), "second": .reference(3), "again": .reference(1)]
            )
        )
    }

    @Test("an object of another class than expected is refused in a circle, too")
    func checksClasses() throws {
        let schema = ArchiveSchema.values.allowing(
            ArchiveClass("Child", fields: [ArchiveField("parent", .object("Parent"))]),
            ArchiveClass("Parent", fields: [ArchiveField("child", .object("Child"))])
        )
        func archive(_ parent: UInt32) throws -> [UInt8] {
            try Kit.archive([
                Kit.object(["child": .reference(2)], class: 3),
                Kit.object(["parent": .reference(parent)], class: 4),
                Kit.definition("Parent", "NSObject"), Kit.definition("Child", "NSObject"),
            ])
        }
        #expect(throws: Never.self) { try KeyedArchive.read(archive(1), schema: schema) }
        KeyedKit.expectRefusal(
            of: try archive(2),
            schema,
            "$objects[2].parent: it is an object of Child, but an object of Parent is expected"
        )
    }

    @Test("a number that the tree does not have, or has for two objects, is not written")
    func unwritable() {
        let self1 = ArchiveValue.tagged("NSMutableArray", .reference(1))
        let cases: [(ArchiveValue, String)] = [
            (.array([.integer(1), .reference(3)]), "[1]: there is no object 3 in what is written"),
            (.array([.tagged("NSTask", .reference(3))]), "[0]: class NSTask is not allowed"),
            (
                .array([.tagged("$1", .array([])), .tagged("$1", .array([.null]))]),
                "[1]: object 1 is in two places, and they differ"
            ),
            (.tagged("$1", .integer(1)), "it is an integer, and only an object has a number"),
            (
                .array([self1, .tagged("$1", .array([]))]),
                "[0]: object 1 is of class NSArray, and here of NSMutableArray"
            ),
        ]
        for (value, message) in cases {
            do throws(ArchiveError) {
                _ = try KeyedArchive.write(value, schema: .values)
                Issue.record("it was written: \(value)")
            } catch {
                #expect(error.message == message)
                #expect(error.kind == .inexpressible)
            }
        }
    }

    @Test("a number may come before its object")
    func forward() throws {
        let value = ArchiveValue.array([
            .tagged("NSMutableArray", .reference(1)),
            .tagged("$1", .tagged("NSMutableArray", .array([]))),
        ])
        let again = try KeyedArchive.read(
            KeyedArchive.write(value, schema: .values),
            schema: .values
        )
        #expect(
            again
                == .array([
                    .tagged("NSMutableArray", .array([])), .tagged("NSMutableArray", .array([])),
                ])
        )
    }

    @Test(
        "twenty thousand objects that refer to each other are refused or read soon"
    )
    func hostile() throws {
        // Each contains the next and the first, and the last contains all: deep, wide and full of circles.
        let count: UInt32 = 20_000
        var objects: [ArchiveValue] = [Kit.definition("NSMutableArray", "NSArray", "NSObject")]
        objects += (2..<count).map {
            Kit.object(["NS.objects": Kit.references($0 + 1, 2)], class: 1)
        }
        objects.append(
            Kit.object(["NS.objects": .array((2...count).map { .reference($0) })], class: 1)
        )
        let deep = try Kit.archive(objects, top: ["root": .reference(2)])
        // Each of many contains all before it, and the first contains the last: a width bomb with a circle.
        var wide: [ArchiveValue] = [Kit.definition("NSMutableArray", "NSArray", "NSObject")]
        wide += (2...40).map { number in
            Kit.object(
                [
                    "NS.objects": number == 2
                        ? Kit.references(40) : Kit.references(number - 1, number - 1)
                ],
                class: 1
            )
        }
        let bomb = try Kit.archive(wide, top: ["root": .reference(40)])
        let time = processorTime(of: {
            #expect(throws: ArchiveError.self) { try KeyedArchive.read(deep, schema: .values) }
            #expect(throws: Never.self) { try KeyedArchive.read(bomb, schema: .values) }
        })
        #expect(time < .seconds(3 * OwnProcess.allowance))
        try expectReturn(of: bomb)
    }

    @Test(
        "random graphs come back as the same tree, and their bytes are the same each time",
        arguments: UInt64(1)...80
    )
    func chance(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let count = UInt32.random(in: 1...12, using: &dice)
        let names = [
            "NSMutableArray", "NSMutableSet", "NSMutableDictionary", "Node", "NSArray",
            "NSMutableOrderedSet",
        ]
        var objects = names.map { Kit.definition($0, "NSObject") } + [.string("key")]
        let first = UInt32(objects.count + 1)
        for _ in 0..<count {
            var held: [ArchiveValue] = []
            for _ in 0..<Int.random(in: 0...3, using: &dice) {
                let one = ArchiveValue.reference(first + UInt32.random(in: 0..<count, using: &dice))
                if !held.contains(one) { held.append(one) }
            }
            let kind = UInt32.random(in: 1...UInt32(names.count), using: &dice)
            var fields: ArchiveFields = ["NS.objects": .array(held)]
            switch kind {
            case 3:
                held = Array(held.prefix(1))
                fields = [
                    "NS.keys": held.isEmpty ? .array([]) : Kit.references(7),
                    "NS.objects": .array(held),
                ]
            case 4, 6:
                fields = [:]
                for (position, one) in held.enumerated().reversed() {
                    fields[kind == 4 ? "field \(position)" : "NS.object.\(position)"] = one
                }
            default: break
            }
            objects.append(Kit.object(fields, class: kind))
        }
        let archive = try Kit.archive(objects, top: ["root": .reference(first)])
        if (try? KeyedArchive.read(archive, schema: Self.schema)) != nil {
            try expectReturn(of: archive)
        }
    }

    private func expectReturn(
        of archive: [UInt8],
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let value = try KeyedArchive.read(archive, schema: Self.schema)
        let written = try KeyedArchive.write(value, schema: Self.schema)
        let again = try KeyedArchive.read(written, schema: Self.schema)
        #expect(again == value, sourceLocation: location)
        #expect(
            try KeyedArchive.write(again, schema: Self.schema) == written,
            sourceLocation: location
        )
        #expect(KeyedProperties.violation(for: archive) == nil, sourceLocation: location)
    }
}
