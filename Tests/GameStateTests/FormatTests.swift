import GameState
import SecureArchive
import Testing
import Vocabulary
import Workbench

@Suite("Formats")
struct FormatTests {
    private static let everything = GameState([
        "none": .null, "yes": .bool(true), "one": .integer(1), "oneAndAHalf": real(1.5), "whole": real(2),
        "text": .string("ä\n\"x\""), "bytes": .data([0, 255]), "when": date(1_700_000_000),
        "moment": date(1_700_000_000.25),
        "id": .tagged("NSUUID", .string("6D1B4C1E-0000-4000-8000-000000000001")),
        "hero": SimpleCharacter().tree(.objects), "list": .tagged("NSMutableArray", .array([.null, .data([1])])),
    ])

    private static func plain(_ keys: String...) -> GameState {
        var fields = ArchiveFields()
        for key in keys { fields[key] = try? everything.value(at: StatePath([.key(key)])) }
        return GameState(fields)
    }

    @Test(
        "each format gives its values back, with kinds of number and the order of keys",
        arguments: ArchiveFormat.allCases
    )
    func roundTrip(format: ArchiveFormat) throws {
        guard format != .xml else { return }
        var state = Self.everything
        for obstacle in state.obstacles(to: format).reversed() where obstacle.remedy != .dropClassNames {
            try state.remove(at: obstacle.path)
        }
        for obstacle in state.obstacles(to: format).reversed() { try state.remove(at: obstacle.path) }
        #expect(try state.fields(at: ".").count >= 5)
        let again = try GameState(reading: state.write(as: format))
        #expect(again.root == state.root)
        #expect(again.format == format)
        #expect(try again.fields(at: ".").keys == state.fields(at: ".").keys)
        #expect(try again.write() == state.write(as: format))
    }

    @Test("XML stays the same when it is edited by path")
    func xml() throws {
        var state = try GameState(reading: fixture("scene.xml"))
        #expect(state.format == .xml)
        let before = try state.write()
        #expect(try GameState(reading: before).root == state.root)
        let node = try PathPattern(parsing: "**.content").paths(in: state).first { path in
            (try? state.value(at: path)) == .string("cactus.png")
        }
        try state.set(.string("palm.png"), at: #require(node))
        let after = try String(decoding: state.write(), as: UTF8.self)
        #expect(after == String(decoding: before, as: UTF8.self).replacing("cactus.png", with: "palm.png"))
    }

    @Test("a value that a format has no word for is refused with its place, and all such values can be listed")
    func refuses() throws {
        let inJSON = Self.everything.obstacles(to: .json)
        #expect(
            inJSON.map { "\($0.path): \($0.detail)" } == [
                "bytes: JSON can't say data", "when: JSON can't say a date", "moment: JSON can't say a date",
                "id: JSON can't say an object of NSUUID", "hero: JSON can't say an object of SimpleCharacter",
                "list: JSON can't say an object of NSMutableArray", "list[1]: JSON can't say data",
            ]
        )
        #expect(Self.everything.obstacles(to: .json, limit: 2).count == 2)
        #expect(
            words { _ = try Self.everything.write(as: .json) }
                == "bytes: JSON can't say data, and there are further values that it can't say"
        )
        #expect(words { _ = try Self.plain("when").write(as: .json) } == "when: JSON can't say a date")
        #expect(
            words { _ = try Self.plain("none").write(as: .binaryPropertyList) }
                == "none: a binary property list can't say null"
        )
        #expect(
            words { _ = try Self.plain("moment").write(as: .xmlPropertyList) }?.contains("fractions of a second")
                == true
        )
        #expect(words { _ = try Self.plain("one").write(as: .xml) } != nil)
        #expect(words { _ = try GameState(.reference(7)).write(as: .keyedArchive(.binary)) } != nil)
        #expect(Self.everything.obstacles(to: .keyedArchive(.binary)).isEmpty)
    }

    @Test("a null in a list or as the whole can't be dropped")
    func nullsThatHavePlaces() {
        let state = GameState(["key": .null, "list": .array([.null])])
        #expect(state.obstacles(to: .binaryPropertyList).map(\.remedy) == [.dropNulls, nil])
        #expect(GameState(.null).obstacles(to: .xmlPropertyList).map(\.remedy) == [nil])
        #expect(
            GameState(.tagged("NSNull", .null)).obstacles(to: .xmlPropertyList).map(\.remedy) == [.dropClassNames, nil]
        )
    }

    @Test("a conversion changes only values that it permits")
    func converts() throws {
        var conversion = Conversion()
        conversion.dropsClassNames = true
        let step = Self.everything.converted(to: .json, conversion)
        #expect(
            step.obstacles(to: .json).map(\.remedy) == [
                .writeDataAsText, .writeDatesAsText, .writeDatesAsText, .writeDataAsText,
            ]
        )
        let all = try GameState(reading: Self.everything.write(as: .json, .all))
        #expect(try all.string(at: "bytes") == "AP8=")
        #expect(try all.string(at: "when") == "2023-11-14T22:13:20Z")
        #expect(try all.string(at: "moment") == "2023-11-14T22:13:20.25Z")
        #expect(try all.integer(at: "hero.strength") == 0)
        #expect(try all.value(at: "none") == .null)
        #expect(try all.value(at: "whole") == real(2))
        let list = try GameState(reading: Self.plain("none", "when", "moment", "yes").write(as: .xmlPropertyList, .all))
        #expect(try list.fields(at: ".").keys == ["when", "moment", "yes"])
        #expect(try list.date(at: "moment") == list.date(at: "when"))
        // The position in a list matters, so nothing is dropped from it.
        #expect(words { _ = try Self.plain("list").write(as: .xmlPropertyList, .all) }?.hasPrefix("list[0]:") == true)
    }

    @Test("a character from a keyed archive is read with keys and without, and written as either")
    func characters() throws {
        for name in ["character.keyed", "character-unkeyed.keyed"] {
            let state = try GameState(reading: fixture(name))
            #expect(state.format == .keyedArchive(.binary))
            let hero = try SimpleCharacter(reading: state.root)
            #expect(
                hero.charColor == "red" && hero.charClass == "fighter" && hero.strength == 18 && hero.charisma == 11
            )
            for style in [ModelStyle.objects, .unkeyedObjects] {
                let written = try GameState(hero.tree(style)).write(as: .keyedArchive(.binary))
                #expect(try SimpleCharacter(reading: GameState(reading: written).root) == hero)
            }
            #expect(hero.tree(over: state.root) == state.root)
        }
    }

    @Test("numbers that are objects are read without keys, and stay objects")
    func boxedNumbers() throws {
        var tree = GameState(SimpleCharacter().tree(.unkeyedObjects))
        try tree.set(.tagged("NSNumber", .integer(9)), at: #"["$2"]"#)
        let written = try tree.write(as: .keyedArchive(.binary))
        let again = try GameState(reading: written)
        #expect(again.root == tree.root)
        #expect(try SimpleCharacter(reading: again.root).strength == 9)
        #expect(try again.write() == written)
    }

    @Test("a field that a character's class does not declare is refused by name and place")
    func strangers() throws {
        for (path, value, schema) in [
            ("charColor", .array([]), GameState.defaultSchema),
            ("strength", .data([18]), GameState.defaultSchema),
            ("hitPoints", .integer(1), GameState.defaultSchema), ("wisdom", real(1.5), GameState.defaultSchema),
        ] as [(String, ArchiveValue, ArchiveSchema)] {
            var state = GameState(SimpleCharacter().tree(.objects))
            try state.set(value, at: StatePath([.key(path)]))
            var lax = ArchiveSchema.values
            lax.allow(ArchiveClass(withAnyFields: "SimpleCharacter"))
            let bytes = try state.write(as: .keyedArchive(.binary), schema: lax)
            let found = words { _ = try GameState(reading: bytes, schema: schema) }
            #expect(found?.contains(path) == true, "\(found ?? "nothing")")
        }
        var state = GameState(["x": .tagged("NSTask", .dictionary([:]))])
        #expect(words { _ = try state.write(as: .keyedArchive(.binary)) }?.contains("NSTask is not allowed") == true)
        try state.remove(at: "x")
    }

    @Test("passcode settings are read from an archive, with the app's version in them or beside them")
    func passcodes() throws {
        let state = try GameState(reading: fixture("passcode.keyed"))
        let settings = try PasscodeSettings(readingArchive: state.root)
        #expect(settings.isPassCodeEnabled && settings.attemptCount == 4 && settings.checkInterval == 60)
        #expect(settings.nextCheckDate == ArchiveDate(secondsSince1970: 1_700_000_060))
        #expect(settings.appVersion == "2.1")
        let beside = try GameState(reading: GameState(settings.archive()).write(as: .keyedArchive(.binary)))
        #expect(try beside.string(at: "appVersion") == "2.1")
        #expect(!beside.contains("root.appVersion"))
        #expect(try PasscodeSettings(readingArchive: beside.root) == settings)
        #expect(settings.tree(over: state.root) == state.root)
    }

    @Test("property lists of high scores are the same in both spellings, and written as Python wrote them")
    func propertyLists() throws {
        let xml = try GameState(reading: fixture("hiscores.plist"))
        let binary = try GameState(reading: fixture("hiscores-binary.plist"))
        #expect(xml.root == binary.root)
        #expect(try xml.write() == fixture("hiscores.plist"))
        #expect(try GameState(reading: binary.write()).root == xml.root)
    }
}
