import Foundation
import SecureCoding

/// A character as a role-playing game for Apple's systems has it, with keys.
final class SimpleCharacter: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    var charColor: String
    var charClass: String
    var strength: Int
    var dexterity: Int
    var constitution: Int
    var intelligence: Int
    var wisdom: Int
    var charisma: Int

    init(color: String = "red", class kind: String = "fighter", _ abilities: [Int] = [10, 11, 12, 13, 70_000, 15]) {
        charColor = color
        charClass = kind
        strength = abilities[0]
        dexterity = abilities[1]
        constitution = abilities[2]
        intelligence = abilities[3]
        wisdom = abilities[4]
        charisma = abilities[5]
    }

    init?(coder: NSCoder) {
        guard let color = coder.decodeObject(of: NSString.self, forKey: "charColor"),
            let kind = coder.decodeObject(of: NSString.self, forKey: "charClass")
        else { return nil }
        charColor = color as String
        charClass = kind as String
        strength = coder.decodeInteger(forKey: "strength")
        dexterity = coder.decodeInteger(forKey: "dexterity")
        constitution = coder.decodeInteger(forKey: "constitution")
        intelligence = coder.decodeInteger(forKey: "intelligence")
        wisdom = coder.decodeInteger(forKey: "wisdom")
        charisma = coder.decodeInteger(forKey: "charisma")
    }

    func encode(with coder: NSCoder) {
        coder.encode(charColor as NSString, forKey: "charColor")
        coder.encode(charClass, forKey: "charClass")
        coder.encode(strength, forKey: "strength")
        coder.encode(dexterity, forKey: "dexterity")
        coder.encode(constitution, forKey: "constitution")
        coder.encode(intelligence, forKey: "intelligence")
        coder.encode(wisdom, forKey: "wisdom")
        coder.encode(charisma, forKey: "charisma")
    }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SimpleCharacter else { return false }
        return charColor == other.charColor && charClass == other.charClass && abilities == other.abilities
    }

    override var hash: Int { charColor.hashValue }

    var abilities: [Int] { [strength, dexterity, constitution, intelligence, wisdom, charisma] }
}

/// The same in the older order, without keys.
final class OldCharacter: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    var charColor: String
    var abilities: [Int32]
    var levels: [Int32]

    init(color: String, abilities: [Int32], levels: [Int32]) {
        charColor = color
        self.abilities = abilities
        self.levels = levels
    }

    init?(coder: NSCoder) {
        guard let color = coder.decodeObject() as? String else { return nil }
        charColor = color
        abilities = []
        for _ in 0..<6 {
            var ability: Int32 = 0
            coder.decodeValue(ofObjCType: "i", at: &ability)
            abilities.append(ability)
        }
        levels = [0, 0, 0]
        coder.decodeArray(ofObjCType: "i", count: 3, at: &levels)
        guard coder.decodePropertyList() as? [String: Int] == ["gold": 7], coder.decodeData() == Data([1, 2]) else {
            return nil
        }
    }

    func encode(with coder: NSCoder) {
        coder.encode(charColor as NSString)
        for var ability in abilities { coder.encodeValue(ofObjCType: "i", at: &ability) }
        coder.encodeArray(ofObjCType: "i", count: 3, at: levels)
        coder.encodePropertyList(["gold": 7] as NSDictionary)
        coder.encode(Data([1, 2]))
    }
}

/// A class with every kind of content.
final class Chest: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    var owner: SimpleCharacter
    var friend: SimpleCharacter
    var party: [SimpleCharacter]
    var byName: [NSString: SimpleCharacter]
    var notes: NSMutableArray
    var bag: Set<NSString>
    var isOpen: Bool
    var weight: Double
    var size: Float
    var count: Int64
    var seal: [UInt8]
    var place: NSPoint

    override init() {
        owner = SimpleCharacter()
        friend = owner
        party = [owner, SimpleCharacter(color: "blue")]
        byName = ["first": owner]
        notes = ["a", true, 1, 1.0, Data([3]), NSDate(timeIntervalSinceReferenceDate: 5.5), NSNull()]
        bag = ["x", "y", "z"]
        isOpen = true
        weight = 0.1
        size = 0.1
        count = .min
        seal = [0, 255]
        place = NSPoint(x: 1.5, y: -2)
    }

    init?(coder: NSCoder) {
        guard let owner = coder.decodeObject(of: SimpleCharacter.self, forKey: "owner"),
            let friend = coder.decodeObject(of: SimpleCharacter.self, forKey: "friend"),
            let party = coder.decodeArrayOfObjects(ofClass: SimpleCharacter.self, forKey: "party"),
            let byName = coder.decodeDictionary(
                withKeyClass: NSString.self,
                objectClass: SimpleCharacter.self,
                forKey: "byName"
            ),
            let notes = coder.decodeObject(
                of: [NSMutableArray.self, NSString.self, NSNumber.self, NSData.self, NSDate.self, NSNull.self],
                forKey: "notes"
            ) as? NSMutableArray,
            let bag = coder.decodeObject(of: [NSSet.self, NSString.self], forKey: "bag") as? NSSet
        else { return nil }
        self.owner = owner
        self.friend = friend
        self.party = party
        self.byName = byName
        self.notes = notes
        self.bag = Set(bag.compactMap { $0 as? NSString })
        isOpen = coder.decodeBool(forKey: "isOpen")
        weight = coder.decodeDouble(forKey: "weight")
        size = coder.decodeFloat(forKey: "size")
        count = coder.decodeInt64(forKey: "count")
        seal = coder.withDecodedUnsafeBytes(forKey: "$seal") { $0.map { Array($0) } ?? [] }
        place = coder.decodePoint(forKey: "place")
        guard !coder.containsValue(forKey: "nothing"), coder.decodeInteger(forKey: "nothing") == 0 else { return nil }
    }

    func encode(with coder: NSCoder) {
        coder.encode(owner, forKey: "owner")
        coder.encodeConditionalObject(friend, forKey: "friend")
        coder.encode(party, forKey: "party")
        coder.encode(byName as NSDictionary, forKey: "byName")
        coder.encode(notes, forKey: "notes")
        coder.encode(bag as NSSet, forKey: "bag")
        coder.encode(isOpen, forKey: "isOpen")
        coder.encode(weight, forKey: "weight")
        coder.encode(size, forKey: "size")
        coder.encode(count, forKey: "count")
        coder.encodeBytes(seal, length: seal.count, forKey: "$seal")
        coder.encode(place, forKey: "place")
    }
}
