import Foundation
import SecureArchive
import SecureCoding
import TestSupport
import Testing

@Suite("Archives with objects that are not allowed")
struct HostileArchiveTests {
    /// The error of an archive, in words.
    private func refusal(
        _ types: [AnyClass],
        _ table: ClassTable = ClassTable(),
        _ body: (inout ArchiveSketch) -> UInt32
    ) throws -> String {
        let data = try ArchiveSketch.data(body)
        let error = #expect(throws: ArchiveError.self) {
            try SecureUnarchiver.unarchivedObject(ofClasses: types, from: data, classes: table)
        }
        return error?.message ?? ""
    }

    @Test("a class that one list allows is not allowed by another, though its definition is the same")
    func verdictsAreNotCarriedOver() throws {
        let words = try refusal([Holder.self]) { sketch in
            let definition = sketch.define("Other")
            let other = sketch.make(of: definition)
            let another = sketch.make(of: definition)
            return sketch.make("Holder", ["wide": .reference(other), "narrow": .reference(another)])
        }
        #expect(words == "$objects[5].narrow: class Other is not allowed here")
    }

    @Test("an existing object must pass the next list, too")
    func instancesAreLookedAtAgain() throws {
        let words = try refusal([Holder.self]) { sketch in
            let other = sketch.make("Other")
            return sketch.make("Holder", ["wide": .reference(other), "narrow": .reference(other)])
        }
        #expect(words.hasSuffix(".narrow: class Other is not allowed here"))
    }

    @Test("an existing collection must pass the next list with all its content")
    func contentsAreLookedAtAgain() throws {
        let words = try refusal([Holder.self]) { sketch in
            let other = sketch.make("Other")
            let inner = sketch.array([other])
            let array = sketch.array([inner])
            return sketch.make("Holder", ["wide": .reference(array), "narrow": .reference(array)])
        }
        #expect(words.contains("class Other is not allowed here"))
    }

    @Test("the objects that a class read by its own list must pass the next list, too")
    func inheritedContentsAreLookedAtAgain() throws {
        let words = try refusal([Holder.self]) { sketch in
            let other = sketch.make("Other")
            let keeper = sketch.make("Keeper", ["kept": .reference(other)])
            return sketch.make("Holder", ["wide": .reference(keeper), "narrow": .reference(keeper)])
        }
        #expect(words.contains("class Other is not allowed here"))
    }

    @Test("decoding without a list uses the current list, and none at the top")
    func listsAreInForce() throws {
        let fine = try ArchiveSketch.data { sketch in
            let other = sketch.make("Other")
            return sketch.make("Holder", ["inherited": .reference(other)])
        }
        let types: [AnyClass] = [Holder.self, Other.self]
        let holder = try SecureUnarchiver.unarchivedObject(ofClasses: types, from: fine) as? Holder
        #expect(holder?.inherited is Other)
        #expect(throws: ArchiveError.self) {
            try SecureUnarchiver.unarchivedObject(ofClasses: [Holder.self], from: fine)
        }
        let unarchiver = try SecureUnarchiver(forReadingFrom: fine)
        #expect(unarchiver.decodeObject(forKey: "root") == nil)
        #expect(unarchiver.error != nil)
    }

    @Test("text, numbers and data without a class need the list as well")
    func plainValuesAreBound() throws {
        #expect(
            try refusal([NSNumber.self]) { $0.add(.string("text")) } == "$top.root: class NSString is not allowed here"
        )
        #expect(try refusal([NSString.self]) { $0.add(.data([1])) } == "$top.root: class NSData is not allowed here")
        #expect(try refusal([NSMutableString.self]) { $0.add(.string("plain")) }.contains("NSString is not allowed"))
        _ = try refusal([NSArray.self]) { $0.add(.array([.string("raw")])) }
        _ = try refusal([NSDictionary.self]) { $0.add(.dictionary(["raw": .bool(true)])) }
        _ = try refusal([NSArray.self]) { $0.make("NSArray", ["NS.objects": .array([.string("inline")])]) }
        _ = try refusal([NSArray.self]) { $0.array([0]) }
    }

    @Test("a subclass is not accepted, unless a table accepts it")
    func subclassesStandForNothing() throws {
        #expect(try refusal([Other.self]) { $0.make("OtherChild") }.contains("class OtherChild is not allowed here"))
        #expect(try refusal([NSObject.self]) { $0.make("Other") }.contains("class Other is not allowed here"))
        var table = ClassTable()
        table.allow(OtherChild.self, inPlaceOf: Other.self)
        let data = try ArchiveSketch.data { $0.make("OtherChild") }
        #expect(try SecureUnarchiver.unarchivedObject(ofClass: Other.self, from: data, classes: table) is OtherChild)
    }

    @Test(
        "no name alone finds a class",
        arguments: [
            "Foundation._NSCFArray", "Foundation._NSCFDictionary", "Foundation.__NSCFBoolean", "NSDecimalNumber",
            "NSCountedSet", "NSTask", "NSArray\u{0}", "Foundation.NSArray", "_TtC10Foundation7NSArray",
            "%@%n%s%s%s.%n", "%999999999d", "$null", "", ".",
        ]
    )
    func namesFindNothing(name: String) throws {
        let all: [AnyClass] = [NSArray.self, NSDictionary.self, NSNumber.self, NSSet.self, NSObject.self]
        let words = try refusal(all) { $0.make(name, ["NS.objects": .array([])]) }
        #expect(words.unicodeScalars.allSatisfy { $0.value >= 32 })
    }

    @Test("the ancestors and substitutes in an archive have no effect")
    func chainsMeanNothing() throws {
        let words = try refusal([NSString.self]) { sketch in
            let definition = sketch.define("Other", chain: ["NSString", "NSObject"], hints: ["NSString"])
            return sketch.make(of: definition, ["NS.string": .string("x")])
        }
        #expect(words.contains("class Other is not allowed here"))
    }

    @Test("classes without secure coding, and those of Foundation, are refused and never asked")
    func classesWithoutSafeCoding() throws {
        let cases: [(AnyClass, String)] = [
            (Unsafe.self, "does not support secure coding"), (Legacy.self, "does not support secure coding"),
            (NSLocale.self, "is of Foundation"), (NSIndexSet.self, "is of Foundation"),
            (OwnURL.self, "is made from Foundation's NSURL"),
        ]
        for (type, words): (AnyClass, String) in cases {
            #expect(try refusal([type]) { $0.make(String(describing: type)) }.contains(words))
        }
    }

    @Test("two classes of one list that have the same name are refused")
    func namesAreUnambiguous() throws {
        var table = ClassTable()
        table.addName("Other", for: Holder.self)
        #expect(try refusal([Other.self, Holder.self], table) { $0.make("Other") }.contains("two of the classes"))
    }

    @Test("an allowed class in the wrong field is an error, and so is one in the place of text")
    func wrongFields() throws {
        let words = try refusal([SimpleCharacter.self, NSArray.self]) { sketch in
            let color = sketch.array([])
            return sketch.make("SimpleCharacter", ["charColor": .reference(color)])
        }
        #expect(words.hasSuffix(".charColor: class NSArray is not allowed here"))
        let inner = try refusal([SimpleCharacter.self]) { sketch in
            let character = sketch.make("SimpleCharacter")
            return sketch.make("SimpleCharacter", ["charColor": .reference(character)])
        }
        #expect(inner.hasSuffix(".charColor: class SimpleCharacter is not allowed here"))
    }

    static let misfits: [(String, ArchiveValue)] = [
        ("integer", .string("1")), ("integer", .bool(true)), ("integer", .integer(ArchiveInteger(UInt64.max))),
        ("integer", .array([])), ("int32", .integer(ArchiveInteger(Int.max))), ("cint", .integer(1_099_511_627_776)),
        ("int64", .integer(ArchiveInteger(UInt64.max))), ("bool", .integer(1)), ("bool", .string("true")),
        ("double", .string("0")), ("double", .integer(ArchiveInteger(Int.max))), ("float", .data([])),
        ("bytes", .string("x")), ("object", .integer(1)), ("point", .string("{1, 2}")), ("list", .bool(true)),
    ]

    @Test("a scalar of another kind or size is an error, never a zero", arguments: misfits.indices)
    func wrongKinds(index: Int) throws {
        let (key, value) = Self.misfits[index]
        let words = try refusal([Probe.self]) { $0.make("Probe", [key: value]) }
        #expect(words.hasPrefix("$objects[2].\(key): "), "\(words)")
    }

    @Test("reals are no integers, and a whole number is a number")
    func realsAreNoIntegers() throws {
        let half = try #require(ArchiveReal(3))
        #expect(try refusal([Probe.self]) { $0.make("Probe", ["integer": .real(half)]) }.contains("Int was expected"))
        let huge = try #require(ArchiveReal(1e300))
        #expect(try refusal([Probe.self]) { $0.make("Probe", ["float": .real(huge)]) }.contains("does not fit"))
        let fine = try ArchiveSketch.data { $0.make("Probe", ["double": .integer(3)]) }
        _ = try SecureUnarchiver.unarchivedObject(ofClass: Probe.self, from: fine)
    }

    @Test("a class that returns nil is an error with its name, and the error of a class is kept")
    func refusers() throws {
        #expect(
            try refusal([Refuser.self]) { $0.make("Refuser") }
                == "$top.root: Refuser did not accept what the archive says"
        )
        let data = try ArchiveSketch.data { $0.make("Complainer") }
        #expect(throws: Complainer.Complaint.self) {
            try SecureUnarchiver.unarchivedObject(ofClass: Complainer.self, from: data)
        }
        #expect(throws: Complainer.Complaint.self) {
            try SecureArchiver.archivedData(withRootObject: [Complainer()], requiringSecureCoding: true)
        }
    }

    @Test("circles and depths are refused, also on a small stack", arguments: [10, 60, 70, 5_000])
    func depths(count: Int) async throws {
        let chain = try ArchiveSketch.data { sketch in
            let definition = sketch.define("Link")
            var last: UInt32 = 0
            for _ in 0..<count { last = sketch.make(of: definition, ["next": .reference(last)]) }
            return last
        }
        let nested = try ArchiveSketch.data { sketch in
            let definition = sketch.define("NSArray")
            var last = sketch.add(.string("end"))
            for _ in 0..<count { last = sketch.make(of: definition, ["NS.objects": .array([.reference(last)])]) }
            return last
        }
        var limits = ArchiveLimits()
        limits.depth = count > 60 ? .max : 64
        let fits = await onSmallStack { [limits] in
            let link = try? SecureUnarchiver.unarchivedObject(ofClass: Link.self, from: chain, limits: limits)
            let types: [AnyClass] = [NSArray.self, NSString.self]
            let array = try? SecureUnarchiver.unarchivedObject(ofClasses: types, from: nested, limits: limits)
            return (link != nil, array != nil)
        }
        #expect(fits == (count < 100, count < 100))
    }

    @Test("an object that holds itself is refused")
    func circles() throws {
        _ = try refusal([Link.self]) { sketch in
            let link = sketch.make("Link")
            sketch.replace(link, .dictionary(["$class": .reference(link - 1), "next": .reference(link)]))
            return link
        }
    }

    @Test("keys and elements with one hash are refused before they take time")
    func hashFloods() throws {
        let data = try ArchiveSketch.data { sketch in
            // Foundation hashes the beginning, the middle and the end of a long text.
            let same = String(repeating: "x", count: 100)
            let texts = (0..<20_000).map { number in
                let rest = String(repeating: "y", count: 90)
                return sketch.add(.string(same + String(100_000 + number) + rest + same))
            }
            return sketch.make("NSSet", ["NS.objects": .array(texts.map { .reference($0) })])
        }
        let time = processorTime {
            let types: [AnyClass] = [NSSet.self, NSString.self]
            let error = #expect(throws: ArchiveError.self) {
                try SecureUnarchiver.unarchivedObject(ofClasses: types, from: data)
            }
            #expect(error?.kind == .tooLarge)
        }
        #expect(time < .seconds(5))
        #expect(
            try refusal([NSSet.self, NSArray.self]) { $0.array([$0.array([])], "NSSet") }.contains(
                "a collection can't be"
            )
        )
    }

    @Test("an invalid UUID, URL or date is an error")
    func badValues() throws {
        _ = try refusal([NSUUID.self]) { $0.make("NSUUID", ["NS.uuidbytes": .data([1])]) }
        _ = try refusal([NSURL.self]) { $0.make("NSURL", ["NS.base": .reference(0), "NS.relative": .reference(0)]) }
        let number = try #require(ArchiveReal(1e300))
        _ = try refusal([NSDate.self]) { $0.make("NSDate", ["NS.time": .real(number)]) }
        _ = try refusal([NSDate.self]) { $0.make("NSDate") }
        _ = try refusal([NSDictionary.self, NSString.self]) { sketch in
            let key = sketch.add(.string("k"))
            return sketch.make("NSDictionary", ["NS.keys": .array([.reference(key)]), "NS.objects": .array([])])
        }
        _ = try refusal([NSDictionary.self, NSString.self]) { sketch in
            let keys = [sketch.add(.string("k")), sketch.add(.string("k"))].map { ArchiveValue.reference($0) }
            return sketch.make("NSDictionary", ["NS.keys": .array(keys), "NS.objects": .array(keys)])
        }
    }
}
