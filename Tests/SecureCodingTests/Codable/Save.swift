import Foundation
import SecureArchive

/// Types as games have them, with every form of Swift's own coding.
struct Save: Codable, Equatable {
    var title: String
    var level: Int
    var speed: Double
    var zoom: Float
    var isOver: Bool
    var when: Date
    var picture: Data
    var site: URL
    var gold: Decimal
    var id: UUID
    var party: [Hero]
    var counts: [String: UInt64]
    var byLevel: [Int: String]
    var weapon: Weapon
    var note: String?
    var places: IndexSet

    static var sample: Save {
        Save(
            title: "“Castle” – 城",
            level: -3,
            speed: 0.1,
            zoom: 0.1,
            isOver: true,
            when: Date(timeIntervalSinceReferenceDate: 700_000_000.5),
            picture: Data([0, 255, 7]),
            site: URL(filePath: "/tmp/a b"),
            gold: Decimal(string: "-12345678901234567890.0123") ?? 0,
            id: UUID(),
            party: [Hero(name: "Ada", mount: Hero(name: "Horse", mount: nil)), Hero(name: "", mount: nil)],
            counts: ["most": .max, "none": 0],
            byLevel: [1: "one", -2: "two"],
            weapon: .bow(arrows: 12, isLong: false),
            note: nil,
            places: IndexSet([1, 2, 3, 900])
        )
    }
}

final class Hero: Codable, Equatable, Sendable {
    let name: String
    let mount: Hero?

    init(name: String, mount: Hero?) {
        self.name = name
        self.mount = mount
    }

    static func == (left: Hero, right: Hero) -> Bool { left.name == right.name && left.mount == right.mount }
}

enum Weapon: Codable, Equatable, Sendable {
    case none
    case bow(arrows: Int, isLong: Bool)
}

/// A class that opens containers in containers by hand, and one for its superclass.
class Base: Codable {
    var base: Int

    init(base: Int) { self.base = base }
}

final class Derived: Base {
    var rows: [[Int]]
    var inner: [String: Bool]

    enum Key: String, CodingKey { case rows, box }
    enum BoxKey: String, CodingKey { case inner }

    init(base: Int, rows: [[Int]], inner: [String: Bool]) {
        self.rows = rows
        self.inner = inner
        super.init(base: base)
    }

    required init(from decoder: any Decoder) throws {
        let keyed = try decoder.container(keyedBy: Key.self)
        var outer = try keyed.nestedUnkeyedContainer(forKey: .rows)
        var rows: [[Int]] = []
        while !outer.isAtEnd {
            var row = try outer.nestedUnkeyedContainer()
            var numbers: [Int] = []
            while !row.isAtEnd {
                if try !row.decodeNil() { numbers.append(try row.decode(Int.self)) }
            }
            rows.append(numbers)
        }
        self.rows = rows
        let box = try keyed.nestedContainer(keyedBy: BoxKey.self, forKey: .box)
        inner = try box.decode([String: Bool].self, forKey: .inner)
        try super.init(from: keyed.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var keyed = encoder.container(keyedBy: Key.self)
        var outer = keyed.nestedUnkeyedContainer(forKey: .rows)
        for row in rows {
            var numbers = outer.nestedUnkeyedContainer()
            for number in row { try numbers.encode(number) }
            try numbers.encodeNil()
        }
        var box = keyed.nestedContainer(keyedBy: BoxKey.self, forKey: .box)
        try box.encode(inner, forKey: .inner)
        try super.encode(to: keyed.superEncoder())
    }
}

/// Two lists of keys for one dictionary.
struct Split: Codable, Equatable, Sendable {
    var first: Int
    var second: Int

    enum FirstKey: String, CodingKey { case first }
    enum SecondKey: String, CodingKey { case second }

    init(first: Int, second: Int) {
        self.first = first
        self.second = second
    }

    init(from decoder: any Decoder) throws {
        first = try decoder.container(keyedBy: FirstKey.self).decode(Int.self, forKey: .first)
        second = try decoder.container(keyedBy: SecondKey.self).decode(Int.self, forKey: .second)
    }

    func encode(to encoder: any Encoder) throws {
        var firsts = encoder.container(keyedBy: FirstKey.self)
        try firsts.encode(first, forKey: .first)
        var seconds = encoder.container(keyedBy: SecondKey.self)
        try seconds.encode(second, forKey: .second)
    }
}

/// A type that encodes itself as itself, for ever.
struct Echo: Codable {
    init() {}

    init(from decoder: any Decoder) throws {
        self = try decoder.singleValueContainer().decode(Echo.self)
    }

    func encode(to encoder: any Encoder) throws {
        var single = encoder.singleValueContainer()
        try single.encode(self)
    }
}

/// A type that opens a container in a container, nearly for ever.
struct Burrow: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for _ in 0..<10_000 { container = container.nestedUnkeyedContainer() }
    }
}

/// A type that begins as an array and continues as a dictionary.
struct Undecided: Encodable {
    func encode(to encoder: any Encoder) throws {
        var values = encoder.unkeyedContainer()
        try values.encode(1)
        var keyed = encoder.container(keyedBy: Split.FirstKey.self)
        try keyed.encode(1, forKey: .first)
    }
}

struct Silent: Encodable {
    func encode(to encoder: any Encoder) throws {}
}
