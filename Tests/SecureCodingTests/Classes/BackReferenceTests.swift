import Foundation
import SecureArchive
import SecureCoding
import Synchronization
import TestSupport
import Testing

/// A person with children and a parent.
private final class Person: NSObject, NSSecureCoding, BackReferenceDecoding {
    static var supportsSecureCoding: Bool { true }
    weak var parent: Person?
    var children: NSArray?
    var received: [String] = []

    override init() {}

    init?(coder: NSCoder) {
        super.init()
        children = coder.decodeObject(of: [NSArray.self, Person.self, Witness.self], forKey: "children") as? NSArray
        parent = coder.decodeObject(of: Person.self, forKey: "parent")
    }

    func receive(_ object: NSObject, decodedForKey key: String) {
        received.append(key)
        if key == "parent" { parent = object as? Person }
        if key == "children" { children = object as? NSArray }
    }

    func encode(with coder: NSCoder) {
        coder.encode(children, forKey: "children")
        coder.encodeConditionalObject(parent, forKey: "parent")
    }
}

/// Counts its instances. Only one test makes any.
private final class Witness: NSObject, NSSecureCoding {
    static let alive = Mutex(0)
    static let seen = Mutex(0)
    static var supportsSecureCoding: Bool { true }

    init?(coder: NSCoder) {
        Self.alive.withLock { $0 += 1 }
        Self.seen.withLock { $0 += 1 }
    }

    deinit { Self.alive.withLock { $0 -= 1 } }

    func encode(with coder: NSCoder) {}
}

@Suite("Objects that lead back to themselves, through a coder")
struct BackReferenceTests {
    private static let lists: [AnyClass] = [
        NSArray.self, NSDictionary.self, NSSet.self, NSOrderedSet.self, NSString.self, Person.self, Link.self,
        Keeper.self, Other.self, Holder.self, Witness.self,
    ]

    private func open(_ body: (inout ArchiveSketch) -> UInt32) throws -> NSObject {
        let data = try ArchiveSketch.data(body)
        return try #require(try SecureUnarchiver.unarchivedObject(ofClasses: Self.lists, from: data) as? NSObject)
    }

    private func refusal(_ body: (inout ArchiveSketch) -> UInt32) throws -> ArchiveError {
        let data = try ArchiveSketch.data(body)
        return try #require(
            throws: ArchiveError.self,
            performing: { _ = try SecureUnarchiver.unarchivedObject(ofClasses: Self.lists, from: data) }
        )
    }

    @Test("a child receives the parent that is being read, and nothing leaks")
    func parents() throws {
        weak var seen: Person?
        do {
            let parent = Person()
            let children = [Person(), Person()]
            for child in children { child.parent = parent }
            parent.children = children as NSArray
            let data = try SecureArchiver.archivedData(withRootObject: parent, requiringSecureCoding: true)
            let again = try #require(try SecureUnarchiver.unarchivedObject(ofClass: Person.self, from: data))
            let found = try #require(again.children?.allElements as? [Person])
            #expect(found.count == 2 && found.allSatisfy { $0.parent === again && $0.received == ["parent"] })
            #expect(again.received.isEmpty)
            let second = try SecureArchiver.archivedData(withRootObject: again, requiringSecureCoding: true)
            #expect(second == data)
            seen = again
        }
        #expect(seen == nil)
    }

    @Test("a field receives an immutable collection once its content exists")
    func fixedCollections() throws {
        let person = try #require(
            try open { sketch in
                let definition = sketch.define("Person")
                let person = sketch.add(.null)
                let children = sketch.array([person, person])
                sketch.replace(
                    person,
                    .dictionary(["$class": .reference(definition), "children": .reference(children)])
                )
                return person
            } as? Person
        )
        #expect(person.received == ["children"])
        #expect(person.children?.count == 2 && person.children?.object(at: 1) as? Person === person)
        person.children = nil
    }

    @Test("collections that contain each other without a class in between are not allowed, and not damaged")
    func collections() throws {
        for names in [
            ["NSMutableArray"], ["NSMutableArray", "NSArray"], ["NSArray", "NSMutableArray", "NSMutableArray"],
        ] {
            let error = try refusal { sketch in
                let definitions = names.map { sketch.define($0) }
                let arrays = names.map { _ in sketch.add(.null) }
                for (index, array) in arrays.enumerated() {
                    let next = arrays[(index + 1) % arrays.count]
                    sketch.replace(
                        array,
                        .dictionary([
                            "$class": .reference(definitions[index]), "NS.objects": .array([.reference(next)]),
                        ])
                    )
                }
                return sketch.make("Person", ["children": .reference(arrays[0])])
            }
            #expect(error.kind == .notAllowed && error.detail.contains("in a circle"))
        }
    }

    @Test("collections that share each other behind a circle count at each place", arguments: [12, 40, 70])
    func bombs(height: Int) throws {
        let data = try ArchiveSketch.data { sketch in
            let people = sketch.define("Person")
            let arrays = sketch.define("NSMutableArray")
            let root = sketch.add(.null)
            var last = root
            for _ in 0..<height {
                let elements: [ArchiveValue] = [.reference(last), .reference(last), .reference(root)]
                last = sketch.make(of: arrays, ["NS.objects": .array(elements)])
            }
            sketch.replace(root, .dictionary(["$class": .reference(people), "children": .reference(last)]))
            return root
        }
        do {
            let root = try SecureUnarchiver.unarchivedObject(ofClass: Person.self, from: data)
            #expect(height == 12)
            root?.children = nil
        } catch let error as ArchiveError {
            #expect(height > 12 && error.kind == .tooLarge)
        }
    }

    @Test("a class that can't receive an object is refused as not allowed, never as damaged")
    func otherClasses() throws {
        let link = try refusal { sketch in
            let link = sketch.make("Link")
            sketch.replace(link, .dictionary(["$class": .reference(link - 1), "next": .reference(link)]))
            return link
        }
        #expect(link.kind == .notAllowed && link.detail.contains("Link does not adopt BackReferenceDecoding"))
        let ordered = try refusal { sketch in
            let set = sketch.make("NSMutableOrderedSet")
            let fields: ArchiveFields = ["$class": .reference(set - 1), "NS.object.0": .reference(set)]
            sketch.replace(set, .dictionary(fields))
            return set
        }
        #expect(ordered.kind == .notAllowed)
        let key = try refusal { sketch in
            let dictionary = sketch.make("NSMutableDictionary")
            let held: ArchiveValue = .array([.reference(dictionary)])
            sketch.replace(
                dictionary,
                .dictionary(["$class": .reference(dictionary - 1), "NS.keys": held, "NS.objects": held])
            )
            return dictionary
        }
        #expect(key.kind == .notAllowed)
    }

    @Test("an object that comes later passes the list of the call that asked for it")
    func laterLists() throws {
        // The root passes the list of the call. The person's list does not have Other, which the root contains.
        let error = try refusal { sketch in
            let definition = sketch.define("NSMutableArray")
            let root = sketch.add(.null)
            let other = sketch.make("Other")
            let people = sketch.define("Person")
            let person = sketch.make(of: people, ["children": .reference(root)])
            sketch.replace(
                root,
                .dictionary([
                    "$class": .reference(definition),
                    "NS.objects": .array([.reference(person), .reference(other)]),
                ])
            )
            return root
        }
        #expect(error.kind == .notAllowed && error.detail.contains("Other"))
    }

    @Test("a refused archive leaves no circle behind")
    func refusalsDoNotLeak() throws {
        _ = try refusal { sketch in
            let people = sketch.define("Person")
            let person = sketch.add(.null)
            let children = sketch.array([person, sketch.make("Witness"), sketch.make("Other")])
            sketch.replace(
                person,
                .dictionary([
                    "$class": .reference(people), "children": .reference(children), "parent": .reference(person),
                ])
            )
            return person
        }
        #expect(Witness.seen.withLock { $0 } == 1)
        #expect(Witness.alive.withLock { $0 } == 0)
    }

    @Test("ten thousand objects that share a circle take less than a second")
    func sharedCircles() throws {
        let data = try ArchiveSketch.data { sketch in
            let people = sketch.define("Person")
            let root = sketch.add(.null)
            let all = (0..<10_000).map { _ in sketch.add(.null) }
            let list = sketch.array(all + [root])
            for person in all {
                sketch.replace(
                    person,
                    .dictionary(["$class": .reference(people), "children": .reference(list)])
                )
            }
            sketch.replace(root, .dictionary(["$class": .reference(people), "children": .reference(list)]))
            return root
        }
        var limits = ArchiveLimits()
        limits.values = 100_000
        let time = try processorTime {
            let root = try SecureUnarchiver.unarchivedObject(ofClass: Person.self, from: data, limits: limits)
            let all = try #require(root?.children?.map { $0 as? Person })
            #expect(all.count == 10_001)
            for person in all { person?.children = nil }
        }
        #expect(time < .seconds(2))
    }
}

extension NSArray {
    fileprivate var allElements: [Any] { map { $0 } }
}
