import Foundation
import SecureArchive
import SecureCoding
import Testing

@Suite("Classes that come back")
struct RoundTripTests {
    private func data(_ object: Any, _ table: ClassTable = ClassTable()) throws -> Data {
        try SecureArchiver.archivedData(withRootObject: object, requiringSecureCoding: true, classes: table)
    }

    @Test("a class with NSSecureCoding comes back by its own code")
    func keyed() throws {
        let hero = SimpleCharacter(color: "城", [Int.min, .max, 0, -1, 1, 2])
        #expect(try SecureUnarchiver.unarchivedObject(ofClass: SimpleCharacter.self, from: data(hero)) == hero)
    }

    @Test("a class that codes without keys comes back in the order of writing")
    func unkeyed() throws {
        let old = OldCharacter(color: "red", abilities: [1, -2, 3, 4, 5, 6], levels: [-7, 8, 9])
        let back = try SecureUnarchiver.unarchivedObject(
            ofClasses: [OldCharacter.self, NSString.self],
            from: data(old)
        )
        let character = try #require(back as? OldCharacter)
        #expect(character.charColor == "red")
        #expect(character.abilities == old.abilities)
        #expect(character.levels == old.levels)
    }

    @Test("all content of a class comes back, shared instances as one, mutable ones mutable")
    func everything() throws {
        let chest = Chest()
        let back = try #require(try SecureUnarchiver.unarchivedObject(ofClass: Chest.self, from: data(chest)))
        #expect(back.owner == chest.owner)
        #expect(back.friend === back.owner)
        #expect(back.party == chest.party)
        #expect(back.party[0] === back.owner)
        #expect(back.byName["first"] === back.owner)
        #expect(back.notes == chest.notes)
        back.notes.add("more")
        #expect(back.notes.count == chest.notes.count + 1)
        #expect(back.bag == chest.bag)
        #expect(back.isOpen && back.weight == 0.1 && back.size == 0.1 && back.count == .min)
        #expect(back.seal == [0, 255])
        #expect(back.place == chest.place)
    }

    @Test("texts that look alike and have different bytes stay two")
    func literalTexts() throws {
        let spellings = ["\u{e9}", "e\u{301}", "\u{e9}", "\u{212b}", "\u{c5}"]
        let classes: [AnyClass] = [NSArray.self, NSString.self]
        let back = try #require(
            try SecureUnarchiver.unarchivedObject(ofClasses: classes, from: data(spellings as NSArray)) as? NSArray
        )
        let texts = back.compactMap { $0 as? String }
        #expect(texts.map { Array($0.utf8) } == spellings.map { Array($0.utf8) })
    }

    @Test("the kinds of numbers stay different")
    func numbers() throws {
        let numbers: NSArray = [true, 1, 1.0, UInt64.max, Int64.min, false, 0, 0.5, NSNumber(value: Float(0.5))]
        let back = try #require(
            try SecureUnarchiver.unarchivedObject(ofClasses: [NSArray.self, NSNumber.self], from: data(numbers))
                as? NSArray
        )
        let kinds = back.compactMap { ($0 as AnyObject as? NSNumber).map { String(cString: $0.objCType) } }
        #expect(
            kinds == ["c", "i", "d", "Q", "q", "c", "i", "d", "d"]
                || kinds == ["c", "q", "d", "Q", "q", "c", "q", "d", "d"]
        )
        #expect(back == numbers)
    }

    static var samples: [NSObject] {
        [
            NSString("$null"), NSMutableString(string: "a\u{0}b"), NSArray(array: [NSArray()]), NSMutableArray(),
            NSDictionary(dictionary: ["k": "$null", "l": ["m": 1]]), NSMutableDictionary(dictionary: [1: "one"]),
            NSData(data: Data(0..<255)), NSMutableData(data: Data([1])), NSDate(timeIntervalSinceReferenceDate: 0.25),
            NSSet(array: ["a", 1, Data([7])]), NSMutableSet(array: [NSUUID()]), NSOrderedSet(array: ["b", "a", 3]),
            NSMutableOrderedSet(array: [1.5]), NSNull(), NSUUID(), NSNumber(value: true),
            NSURL(string: "https://example.org/a?b#c") ?? NSURL(fileURLWithPath: "/"),
            NSURL(string: "x y", relativeTo: URL(string: "http://h/a/")) ?? NSURL(fileURLWithPath: "/tmp"),
        ]
    }

    @Test("each value class comes back as itself", arguments: samples.indices)
    func values(index: Int) throws {
        let value = Self.samples[index]
        let all: [AnyClass] = [
            NSString.self, NSArray.self, NSDictionary.self, NSData.self, NSDate.self, NSSet.self, NSOrderedSet.self,
            NSNull.self, NSUUID.self, NSNumber.self, NSURL.self,
        ]
        let back = try #require(
            try SecureUnarchiver.unarchivedObject(ofClasses: all, from: data(value)) as? NSObject
        )
        #expect(back == value)
        #expect(type(of: back) == type(of: value))
    }

    @Test("mutable values are mutable, and each reader of one has the same")
    func mutables() throws {
        let shared = NSMutableString(string: "a")
        let archiver = SecureArchiver()
        archiver.encode(shared, forKey: "one")
        archiver.encode(shared, forKey: "other")
        let unarchiver = try SecureUnarchiver(forReadingFrom: archiver.archivedData())
        let one = try #require(unarchiver.decodeObject(of: NSMutableString.self, forKey: "one"))
        one.append("b")
        #expect(unarchiver.decodeObject(of: NSString.self, forKey: "other") === one)
        #expect(one.isEqual(to: "ab"))
    }

    @Test("names of classes are written plain, or as a table names them, and read as both")
    func names() throws {
        let hero = SimpleCharacter()
        let plain = try data(hero)
        #expect(plain.range(of: Data("SecureCodingTests".utf8)) == nil)
        var table = ClassTable()
        table.setName("Game.Villain", for: SimpleCharacter.self)
        let named = try data(hero, table)
        #expect(named.range(of: Data("Game.Villain".utf8)) != nil)
        #expect(throws: ArchiveError.self) {
            try SecureUnarchiver.unarchivedObject(ofClass: SimpleCharacter.self, from: named)
        }
        #expect(
            try SecureUnarchiver.unarchivedObject(ofClass: SimpleCharacter.self, from: named, classes: table) == hero
        )
        let archiver = SecureArchiver()
        archiver.setClassName("Villain", for: SimpleCharacter.self)
        archiver.encode(hero, forKey: "it")
        let unarchiver = try SecureUnarchiver(forReadingFrom: archiver.archivedData())
        unarchiver.setClass(SimpleCharacter.self, forClassName: "Villain")
        #expect(unarchiver.decodeObject(of: SimpleCharacter.self, forKey: "it") == hero)
        #expect(unarchiver.error == nil)
    }

    @Test("an object can have another one or none written in its place")
    func replacements() throws {
        let archiver = SecureArchiver()
        archiver.encode(Mask(SimpleCharacter(color: "blue")), forKey: "other")
        archiver.encode(Mask(nil), forKey: "nothing")
        archiver.encode(Mask(Mask(Link())), forKey: "mask")
        let unarchiver = try SecureUnarchiver(forReadingFrom: archiver.archivedData())
        #expect(unarchiver.decodeObject(of: SimpleCharacter.self, forKey: "other")?.charColor == "blue")
        #expect(unarchiver.decodeObject(of: Link.self, forKey: "nothing") == nil)
        #expect(unarchiver.error == nil)
    }

    @Test("a class can have another one made in its place, if the list names that one, too")
    func substitutes() throws {
        let data = try data(Former())
        let types: [AnyClass] = [Former.self, Other.self]
        #expect(try SecureUnarchiver.unarchivedObject(ofClasses: types, from: data) is Other)
        let error = #expect(throws: ArchiveError.self) {
            try SecureUnarchiver.unarchivedObject(ofClasses: [Former.self], from: data)
        }
        #expect(error?.detail.contains("is to be made as Other") == true)
    }

    @Test("dictionaries give the same bytes, made in any order, with any keys")
    func stableKeys() throws {
        let id = UUID()
        var keys: [NSObject] = (0..<12).map { NSData(data: Data([UInt8(7 * $0 % 12), 1])) }
        keys += [NSUUID(uuidString: id.uuidString) ?? NSUUID(), NSString(string: id.uuidString)]
        keys += [NSDate(timeIntervalSinceReferenceDate: 5), NSNumber(value: 5.0)]
        let values = keys.indices.map { NSNumber(value: $0) }
        let made = NSDictionary(objects: values, forKeys: keys)
        let other = NSDictionary(objects: values.reversed(), forKeys: keys.reversed())
        #expect(try data(made) == data(other))
        let classes: [AnyClass] = [
            NSDictionary.self, NSData.self, NSUUID.self, NSString.self, NSDate.self, NSNumber.self,
        ]
        let back = try SecureUnarchiver.unarchivedObject(ofClasses: classes, from: data(made)) as? NSDictionary
        #expect(back == made)
    }

    @Test("the same objects are the same bytes")
    func isStable() throws {
        let names = (0..<200).map { "key \($0)" }
        let once = try data(NSDictionary(dictionary: Dictionary(uniqueKeysWithValues: names.map { ($0, $0) })))
        let again = try data(
            NSDictionary(dictionary: Dictionary(uniqueKeysWithValues: names.reversed().map { ($0, $0) }))
        )
        #expect(once == again)
        #expect(try data(NSSet(array: names)) == data(NSSet(array: names.shuffled())))
    }

    @Test("Apple's helpers read arrays and dictionaries of one class, and refuse others in them")
    func helpers() throws {
        let party = [SimpleCharacter(), SimpleCharacter(color: "blue")]
        let array = try data(party as NSArray)
        #expect(try SecureUnarchiver.unarchivedArrayOfObjects(ofClass: SimpleCharacter.self, from: array) == party)
        let dictionary = try data(["a": party[0]] as NSDictionary)
        let back = try SecureUnarchiver.unarchivedDictionary(
            ofKeyClass: NSString.self,
            objectClass: SimpleCharacter.self,
            from: dictionary
        )
        #expect(back == ["a": party[0]])
        #expect(throws: ArchiveError.self) {
            try SecureUnarchiver.unarchivedArrayOfObjects(ofClass: SimpleCharacter.self, from: data([party] as NSArray))
        }
    }
}
