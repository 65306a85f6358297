import Foundation
import SecureArchive

/// The data to read and write: 5 MB of texts in one dictionary, or many small objects of a class.
enum Load: String {
    case strings = "a dictionary of 60,000 strings"
    case characters = "30,000 characters"

    /// The data for Swift's own coding.
    var texts: [String: String] {
        Dictionary(uniqueKeysWithValues: (0..<60_000).map { ("key \($0)", "the value of key \($0): " + filling) })
    }

    var stats: [CharacterStats] {
        (0..<30_000).map { CharacterStats(number: $0) }
    }

    /// The data for Apple's coding.
    var object: NSObject {
        switch self {
        case .strings: NSDictionary(dictionary: texts)
        case .characters: NSArray(array: stats.map { SimpleCharacter($0) })
        }
    }

    var classes: [AnyClass] {
        switch self {
        case .strings: [NSDictionary.self, NSString.self]
        case .characters: [NSArray.self, SimpleCharacter.self]
        }
    }

    /// The data as a tree. The archive spells the class as Swift does.
    var schema: ArchiveSchema {
        let texts = ["charColor", "charClass"].map { ArchiveField($0, .string) }
        let numbers = SimpleCharacter.keys.map { ArchiveField($0, .integer) }
        var schema = ArchiveSchema.values.allowing(ArchiveClass("SimpleCharacter", fields: texts + numbers))
        schema.allow("archive_benchmark.SimpleCharacter", as: "SimpleCharacter")
        return schema
    }

    private var filling: String { String(repeating: "x", count: 40) }
}

/// A character with Swift's coding.
struct CharacterStats: Codable, Sendable {
    let charColor: String
    let charClass: String
    let strength: Int
    let dexterity: Int
    let constitution: Int
    let intelligence: Int
    let wisdom: Int
    let charisma: Int

    init(number: Int) {
        charColor = "color \(number % 500)"
        charClass = "class \(number % 12)"
        strength = number
        dexterity = number % 19
        constitution = number * 7
        intelligence = number % 100
        wisdom = 70_000
        charisma = -number
    }
}

/// A character with Apple's coding.
final class SimpleCharacter: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    private let color: NSString
    private let kind: NSString
    private let abilities: [Int]

    static let keys = ["strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"]

    init(_ stats: CharacterStats) {
        color = NSString(string: stats.charColor)
        kind = NSString(string: stats.charClass)
        abilities = [
            stats.strength, stats.dexterity, stats.constitution, stats.intelligence, stats.wisdom, stats.charisma,
        ]
    }

    init?(coder: NSCoder) {
        guard let color = coder.decodeObject(of: NSString.self, forKey: "charColor"),
            let kind = coder.decodeObject(of: NSString.self, forKey: "charClass")
        else { return nil }
        self.color = color
        self.kind = kind
        abilities = Self.keys.map { coder.decodeInteger(forKey: $0) }
    }

    func encode(with coder: NSCoder) {
        coder.encode(color, forKey: "charColor")
        coder.encode(kind, forKey: "charClass")
        for (key, value) in zip(Self.keys, abilities) { coder.encode(value, forKey: key) }
    }
}
