@testable import GameState
import SecureArchive
import Testing
import Vocabulary

/// A model with each kind of field.
private struct Hero: StateModel {
    enum Guild: String, CaseIterable { case fighter, mage, none }
    enum Rank: Int, CaseIterable { case recruit, knight }

    var heroName = ""
    var level = 1
    var guild = Guild.none
    var rank = Rank.recruit
    var speed = 1.0
    var isAlive = true
    var born: ArchiveDate?
    var icon: [UInt8]?
    var pet: Pet?
    var pets: [Pet] = []
    var visits: [Keyed<Int>] = []

    struct Pet: StateModel {
        var petName = ""
        static let table = FieldTable<Pet>("Pet", [.required("petName", \.petName, .text)])
    }

    static let table = FieldTable<Hero>(
        "Hero",
        alsoCalled: ["Game.Hero"],
        [
            .required("heroName", \.heroName, .text),
            .required("level", \.level, .integer, alsoCalled: ["lvl"]),
            .defaulting("guild", \.guild, .choice(fallback: Guild.none)),
            .defaulting("rank", \.rank, .choice()),
            .defaulting("speed", \.speed, .number),
            .defaulting("isAlive", \.isAlive, .bool),
            .optional("born", \.born, .date(.text, .date, .secondsSince1970)),
            .optional("icon", \.icon, .data),
            .optional("pet", \.pet, .model()),
            .defaulting("pets", \.pets, .list(of: .model())),
            .defaulting("visits", \.visits, .keyed(.integer)),
        ]
    )

    var impossibilities: [StateError] {
        level > 0 ? [] : [StateError(.impossible, "no hero is of level \(level)", at: "level")]
    }
}

@Suite("Reading models from trees")
struct FieldTests {
    private static let minimal: ArchiveFields = ["heroName": .string("Ada"), "level": .integer(3)]

    private static func faults(_ tree: ArchiveFields, _ strictness: Strictness = .exact) -> [String] {
        do throws(ModelFaults) {
            _ = try Hero(reading: .dictionary(tree), strictness)
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    @Test("a model that is written and read again is the same, in every style")
    func roundTrip() throws {
        var hero = Hero()
        hero.heroName = "Ada"
        hero.guild = .mage
        hero.rank = .knight
        hero.speed = 1.5
        hero.born = ArchiveDate(secondsSince1970: 1_700_000_000)
        hero.icon = [1, 2]
        hero.pet = Hero.Pet(petName: "Rex")
        hero.pets = [Hero.Pet(petName: "a"), Hero.Pet(petName: "b")]
        hero.visits = [Keyed("castle", 3), Keyed("a.b", 1)]
        #expect(try Hero(reading: hero.tree()) == hero)
        #expect(try Hero(reading: hero.tree(.objects)) == hero)
        #expect(try Hero(reading: hero.tree(.unkeyedObjects)) == hero)
        var snake = ModelStyle.plain
        snake.spelling = .snakeCase
        let tree = hero.tree(snake)
        #expect(try GameState(tree).string(at: "pets[1].pet_name") == "b")
        #expect(try Hero(reading: tree, .tolerant) == hero)
        #expect(throws: ModelFaults.self) { try Hero(reading: tree) }
    }

    @Test("a missing key and null mean the same for an optional field")
    func absent() throws {
        var fields = Self.minimal
        fields["pet"] = .null
        fields["speed"] = .tagged("NSNull", .null)
        let hero = try Hero(reading: .dictionary(fields))
        #expect(hero.pet == nil)
        #expect(hero.speed == 1)
        #expect(
            try GameState(hero.tree()).fields(at: ".").keys == [
                "heroName", "level", "guild", "rank", "speed", "isAlive", "pets", "visits",
            ]
        )
    }

    @Test("an unknown, missing or misspelled key is reported with the nearest one")
    func namesKeys() {
        #expect(
            Self.faults(["heroNmae": .string("A"), "level": .integer(1)]) == [
                "heroNmae: this key is unknown here: did you mean “heroName”?"
            ]
        )
        #expect(
            Self.faults(["hero_name": .string("A"), "level": .integer(1)]) == [
                "hero_name: this key is unknown here: did you mean “heroName”?"
            ]
        )
        #expect(
            Self.faults(["heroName": .string("A"), "level": .integer(1), "zzz": .null]) == [
                "zzz: this key is unknown here: remove the key, or read less strictly"
            ]
        )
        #expect(Self.faults(["heroName": .string("A")]).first?.hasPrefix("level: the key is missing") == true)
        #expect(
            Self.faults(["heroName": .string("A"), "level": .integer(1), "lvl": .integer(2)]).first?.hasPrefix(
                "lvl: it is the same as “level”, which is there too"
            ) == true
        )
    }

    @Test("all faults are reported, each with its place")
    func tellsAll() {
        let found = Self.faults([
            "heroName": .integer(1), "level": real(1), "guild": .string("mgae"), "rank": .integer(7),
            "born": .string("yesterday"), "pets": .array([.dictionary([:]), .null]),
            "visits": .dictionary(["x": .null]),
        ])
        #expect(
            found.map { $0.prefix { $0 != ":" } } == [
                "heroName", "level", "guild", "rank", "born", "pets[0].petName", "pets[1]", "visits.x",
            ]
        )
        #expect(found[2].hasSuffix("did you mean “mage”?"))
    }

    @Test("a tree with very many faults is refused with the first of them")
    func manyFaults() throws {
        let pets = ArchiveValue.array(Array(repeating: .null, count: 100_000))
        let error = #expect(throws: ModelFaults.self) {
            try Hero(reading: .dictionary(["heroName": .string("a"), "level": .integer(1), "pets": pets]))
        }
        #expect(error?.faults.count == ModelFaults.limit)
        #expect(error?.code == "state.wrong-kind")
    }

    @Test("tolerant reading accepts other spellings, numbers in texts, unknown choices and missing keys")
    func tolerates() throws {
        let hero = try Hero(
            reading: .dictionary([
                "HERO-NAME": .string("Ada"), "LVL": .string("4"), "guild": .string("bard"), "is alive": .string("No"),
                "whatever": .null, "speed": .string("2.5"),
            ]),
            .tolerant
        )
        #expect(hero.heroName == "Ada")
        #expect(hero.level == 4)
        #expect(hero.guild == .none)
        #expect(hero.speed == 2.5)
        #expect(!hero.isAlive)
        #expect(try Hero(reading: .dictionary([:]), .tolerant) == Hero())
        #expect(throws: ModelFaults.self) { try Hero(reading: .dictionary(["speed": .string("nan")]), .tolerant) }
        #expect(throws: ModelFaults.self) { try Hero(reading: .array([]), .tolerant) }
    }

    @Test("a contradiction is refused, or read and reported")
    func impossible() throws {
        var fields = Self.minimal
        fields["level"] = .integer(0)
        #expect(Self.faults(fields).first?.hasPrefix("level: no hero is of level 0") == true)
        let hero = try Hero(reading: .dictionary(fields), .tolerant)
        #expect(hero.impossibilities.count == 1)
    }

    @Test("an object of another class is refused, and a plain dictionary is accepted")
    func checksClasses() throws {
        let tree = ArchiveValue.dictionary(Self.minimal)
        for name in ["Hero", "Game.Hero", "NSMutableDictionary"] as [ClassName] {
            #expect(try Hero(reading: .tagged(name, tree)).level == 3)
        }
        let error = #expect(throws: ModelFaults.self) { try Hero(reading: .tagged("Villain", tree)) }
        #expect(error?.message == "it is an object of Villain, not of Hero")
    }

    @Test("a model written over its tree keeps unknown keys, order, spelling and classes")
    func writesOver() throws {
        let original = ArchiveValue.tagged(
            "Game.Hero",
            .dictionary([
                "secret": .data([9]), "lvl": .integer(3), "hero_name": .tagged("NSMutableString", .string("Ada")),
                "pets": .tagged(
                    "NSMutableArray",
                    .array([.tagged("Pet", .dictionary(["petName": .string("a"), "x": .null]))])
                ),
            ])
        )
        var hero = try Hero(reading: original, .tolerant)
        hero.level = 4
        hero.heroName = "Eva"
        hero.pets[0].petName = "b"
        hero.pets.append(Hero.Pet(petName: "c"))
        let state = GameState(hero.tree(over: original))
        #expect(try Array(state.fields(at: ".").keys.prefix(4)) == ["secret", "lvl", "hero_name", "pets"])
        #expect(try state.value(at: "hero_name") == .tagged("NSMutableString", .string("Eva")))
        #expect(try state.integer(at: "lvl") == 4)
        #expect(
            try state.value(at: "pets")
                == .tagged(
                    "NSMutableArray",
                    .array([
                        .tagged("Pet", .dictionary(["petName": .string("b"), "x": .null])),
                        .tagged("Pet", .dictionary(["petName": .string("c")])),
                    ])
                )
        )
        guard case .tagged("Game.Hero", _) = state.root else {
            Issue.record("its class was lost")
            return
        }
    }

    @Test(
        "dates are read as programs write them",
        arguments: [
            ("2001-01-01T00:00:00Z", 0), ("2001-01-01", 0), ("2001-01-01 00:00", 0), ("2001-01-01 02:00:00 +0200", 0),
            ("2001-01-01T00:00:00.250Z", 0.25), ("2001-01-01T00:00:01,5-01:30", 5401.5),
            ("2000-02-29T00:00:00Z", -26_524_800),
            ("2001-01-01T00:00:00+02", -7200), ("2001-02-29", nil), ("2001-13-01", nil), ("2001-01-01T24:00:00Z", nil),
            ("2001-01-01T00:00:00.Z", nil), ("2001-01-01T00:00:00+2", nil), ("2001-01-01x", nil), ("", nil),
            ("0000-01-01", nil), ("2001-01-01T00:00:00Z ", nil),
        ] as [(String, Double?)]
    )
    func readsDates(text: String, seconds: Double?) {
        #expect(DateText.date(text)?.secondsSince2001 == seconds)
        if let date = DateText.date(text) { #expect(DateText.date(date.description) == date) }
    }

    @Test("dates have the style that the table names")
    func styles() throws {
        let date = try #require(ArchiveDate(secondsSince1970: 1_700_000_000.5))
        func written(_ form: FieldForm<ArchiveDate>) -> ArchiveValue { form.write(date, .plain, nil) }
        #expect(written(.date(.secondsSince1970)) == real(1_700_000_000.5))
        #expect(written(.date(.millisecondsSince1970)) == .integer(1_700_000_000_500))
        #expect(written(.date(.secondsSince2001)) == real(721_692_800.5))
        #expect(written(.date(.text)) == .string("2023-11-14T22:13:20.5Z"))
        #expect(written(.date(.date, .text)) == .date(date))
    }

    @Test(
        "keys can have other spellings",
        arguments: [
            ("charColor", "char_color"), ("TTTGameKeyGridState", "ttt_game_key_grid_state"), ("x", "x"),
            ("isPassCodeEnabled", "is_pass_code_enabled"), ("already_snake", "already_snake"), ("ID", "id"), ("", ""),
        ]
    )
    func spells(key: String, snake: String) {
        #expect(KeySpelling.snakeCase.spell(key) == snake)
        #expect(KeySpelling.kebabCase.spell(key) == snake.map { $0 == "_" ? "-" : $0 }.map(String.init).joined())
        #expect(KeySpelling.bareLetters(KeySpelling.pascalCase.spell(key)) == KeySpelling.bareLetters(key))
    }
}
