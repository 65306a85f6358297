import Foundation
import SecureCoding

/// A class that asks a coder for a field in every way.
final class Traveller: NSObject, NSSecureCoding, BackReferenceDecoding {
    static var supportsSecureCoding: Bool { true }

    private let isWell: Bool
    private let age: Int
    private let steps: Int32
    private let distance: Int64
    private let speed: Float
    private let height: Double
    private let token: [UInt8]
    private let name: NSString?
    private(set) var companion: Traveller?
    private(set) var inherited: Any?
    private(set) var list: Any?
    private let words: [NSString]
    private let prices: [NSString: NSNumber]
    private var count: CInt = 0
    private var row: [Int16] = [0, 0, 0]

    init?(coder: NSCoder) {
        isWell = coder.decodeBool(forKey: "isWell")
        age = coder.decodeInteger(forKey: "age")
        steps = coder.decodeInt32(forKey: "steps")
        distance = coder.decodeInt64(forKey: "distance")
        speed = coder.decodeFloat(forKey: "speed")
        height = coder.decodeDouble(forKey: "height")
        token = coder.withDecodedUnsafeBytes(forKey: "token") { $0.map { Array($0) } ?? [] }
        name = coder.decodeObject(of: NSString.self, forKey: "name")
        let companions: [AnyClass] = [Traveller.self, NSString.self, NSNumber.self, NSOrderedSet.self]
        companion = coder.decodeObject(of: companions, forKey: "companion") as? Traveller
        inherited = coder.decodeObject(forKey: "inherited")
        list = coder.decodePropertyList(forKey: "list")
        words = coder.decodeArrayOfObjects(ofClass: NSString.self, forKey: "words") ?? []
        prices =
            coder.decodeDictionary(withKeyClass: NSString.self, objectClass: NSNumber.self, forKey: "prices") ?? [:]
        coder.decodeValue(ofObjCType: "i", at: &count)
        coder.decodeArray(ofObjCType: "s", count: row.count, at: &row)
    }

    func receive(_ object: NSObject, decodedForKey key: String) {
        switch key {
        case "companion": companion = object as? Traveller
        case "inherited": inherited = object
        case "list": list = object
        default: break
        }
    }

    /// Releases the objects that may lead back here.
    func forget() {
        (companion, inherited, list) = (nil, nil, nil)
    }

    func encode(with coder: NSCoder) {
        coder.encode(isWell, forKey: "isWell")
        coder.encode(age, forKey: "age")
        coder.encode(steps, forKey: "steps")
        coder.encode(distance, forKey: "distance")
        coder.encode(speed, forKey: "speed")
        coder.encode(height, forKey: "height")
        coder.encodeBytes(token, length: token.count, forKey: "token")
        coder.encode(name, forKey: "name")
        coder.encode(companion, forKey: "companion")
        coder.encode(inherited, forKey: "inherited")
        coder.encode(list, forKey: "list")
        coder.encode(words as NSArray, forKey: "words")
        coder.encode(prices as NSDictionary, forKey: "prices")
        coder.encodeValue(ofObjCType: "i", at: &count)
        coder.encodeArray(ofObjCType: "s", count: row.count, at: &row)
    }
}
