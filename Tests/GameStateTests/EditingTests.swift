import GameState
import SecureArchive
import TestSupport
import Testing

@Suite("Editing a tree")
struct EditingTests {
    static let tree: ArchiveValue = .dictionary([
        "people": .array([
            .tagged("SimpleCharacter", .dictionary(["name": .string("Ada"), "height": .integer(170)])),
            .dictionary(["name": .tagged("NSMutableString", .string("Bob")), "height": real(1.8)]),
        ]),
        "odd key.": .bool(true),
        "empty": .array([]),
    ])

    @Test("a path finds its value, through objects and from the end")
    func finds() throws {
        let state = GameState(Self.tree)
        #expect(try state.integer(at: "people[0].height") == 170)
        #expect(try state.string(at: "people[-1].name") == "Bob")
        #expect(try state.bool(at: #"["odd key."]"#))
        #expect(try state.value(at: ".") == Self.tree)
        #expect(state.contains("people[1]"))
        #expect(!state.contains("people[2]"))
        #expect(!state.contains("people[-3]"))
    }

    @Test(
        "a missing value is an error with the place and the nearest key",
        arguments: [
            (
                "people[0].heigth", "people[0].heigth: there is no such key; there are name, height",
                "did you mean “height”?"
            ),
            ("people[2].name", "people[2]: the array has 2 elements", nil),
            ("people[-3]", "people[-3]: the array has 2 elements", nil),
            ("empty[0]", "empty[0]: the array is empty", nil),
            ("people[+]", "people[+]: the array has 2 elements", nil),
            ("people.name", "people: it is an array, not a dictionary with keys", nil),
            ("people[0][1]", "people[0]: it is a dictionary, not an array with elements", nil),
            ("people[0].name.x", "people[0].name: it is a string, not a dictionary with keys", nil),
            ("poeple", "poeple: there is no such key; there are people, odd key., empty", "did you mean “people”?"),
        ] as [(String, String, String?)]
    )
    func explains(text: String, message: String, nextStep: String?) throws {
        let path = try StatePath(parsing: text)
        let error = #expect(throws: StateError.self) { try GameState(Self.tree).value(at: path) }
        #expect(error?.message == message)
        if let nextStep { #expect(error?.nextStep == nextStep) }
        var state = GameState(Self.tree)
        #expect(throws: StateError.self) { try state.change(at: path) { _ in } }
        #expect(state.root == Self.tree)
    }

    @Test("setting a value replaces it in place, and an earlier copy keeps the old one")
    func sets() throws {
        var state = GameState(Self.tree)
        let before = state
        try state.set(.integer(171), at: "people[0].height")
        #expect(try state.integer(at: "people[0].height") == 171)
        #expect(try before.integer(at: "people[0].height") == 170)
        #expect(try state.fields(at: "people[0]").keys == ["name", "height"])
        guard case .tagged = try state.value(at: "people[0]") else {
            Issue.record("it is no longer an object")
            return
        }
    }

    @Test("an object keeps its class when its content is set, and loses it to a value of another kind")
    func keepsClasses() throws {
        var state = GameState(Self.tree)
        try state.set(.string("Bert"), at: "people[1].name")
        #expect(try state.value(at: "people[1].name") == .tagged("NSMutableString", .string("Bert")))
        try state.set(.integer(7), at: "people[1].name")
        #expect(try state.value(at: "people[1].name") == .integer(7))
        try state.set(.tagged("NSUUID", .string("x")), at: "people[1].name")
        #expect(try state.value(at: "people[1].name") == .tagged("NSUUID", .string("x")))
    }

    @Test("new keys and elements go to the end; parents are made only when asked")
    func adds() throws {
        var state = GameState(Self.tree)
        try state.set(.null, at: "people[+]")
        try state.set(.null, at: "people[0].weight")
        #expect(try state.elements(at: "people").count == 3)
        #expect(try state.fields(at: "people[0]").keys == ["name", "height", "weight"])
        #expect(throws: StateError.self) { try state.set(.null, at: "a.b[+].c") }
        #expect(!state.contains("a"))
        try state.set(.bool(true), at: "a.b[+].c", makingParents: true)
        #expect(try state.bool(at: "a.b[0].c"))
        try state.set(.bool(false), at: "a.b[+].c", makingParents: true)
        #expect(try state.bool(at: "a.b[1].c") == false)
        #expect(throws: StateError.self) { try state.set(.null, at: "a.b[7]") }
        try state.set(.null, at: ".")
        #expect(state.root == .null)
    }

    @Test("inserting moves later elements up, and refuses a taken place")
    func inserts() throws {
        var state = GameState(.array([.integer(1), .integer(3)]))
        try state.insert(.integer(2), at: "[1]")
        try state.insert(.integer(0), at: "[0]")
        try state.insert(.integer(4), at: "[4]")
        try state.insert(.integer(5), at: "[+]")
        #expect(state.root == .array((0...5).map { .integer(ArchiveInteger($0)) }))
        #expect(throws: StateError.self) { try state.insert(.null, at: "[7]") }
        var other = GameState(Self.tree)
        let error = #expect(throws: StateError.self) { try other.insert(.null, at: "people") }
        #expect(error?.kind == .taken)
        try other.insert(.null, at: "new")
        #expect(throws: StateError.self) { try other.insert(.null, at: ".") }
    }

    @Test("removing returns the value and closes the gap")
    func removes() throws {
        var state = GameState(Self.tree)
        #expect(try state.remove(at: "people[0].height") == .integer(170))
        #expect(try state.fields(at: "people[0]").keys == ["name"])
        try state.remove(at: "people[0]")
        #expect(try state.string(at: "people[0].name") == "Bob")
        #expect(throws: StateError.self) { try state.remove(at: "people[4]") }
        #expect(throws: StateError.self) { try state.remove(at: "nothing") }
        #expect(throws: StateError.self) { try state.remove(at: ".") }
    }

    @Test("reading another kind is an error; a whole number is read as a real without loss")
    func readsKinds() throws {
        let state = GameState([
            "whole": .integer(3), "half": real(0.5), "large": .integer(ArchiveInteger(UInt64.max)),
            "odd": .integer(ArchiveInteger((1 << 53) + 1)), "yes": .bool(true), "data": .data([1]),
            "date": date(0), "null": .null,
        ])
        #expect(try state.real(at: "whole") == 3)
        #expect(try state.integer(at: "large", as: UInt64.self) == .max)
        #expect(try state.data(at: "data") == [1])
        #expect(try state.date(at: "date").secondsSince1970 == 0)
        for (path, message) in [
            ("half", "half: it is a real, not an integer"), ("yes", "yes: it is a boolean, not an integer"),
            ("large", "large: 18446744073709551615 does not fit into Int"),
        ] {
            let error = #expect(throws: StateError.self) { try state.integer(at: StatePath(parsing: path)) }
            #expect(error?.message == message)
        }
        #expect(throws: StateError.self) { try state.real(at: "odd") }
        #expect(throws: StateError.self) { try state.bool(at: "whole") }
        #expect(throws: StateError.self) { try state.string(at: "null") }
        #expect(throws: StateError.self) { try state.elements(at: "data") }
        #expect(throws: StateError.self) { try state.fields(at: "data") }
    }

    @Test("a change deep down costs as much as the path, not as the tree", arguments: [true, false])
    func changesInPlace(inArrays: Bool) throws {
        func timeOfChanges(rowLength: Int) throws -> Duration {
            let row = inArrays ? ArchiveValue.array((0..<rowLength).map { whole($0) }) : Self.dictionary(rowLength)
            let steps: [StatePath.Step] = inArrays ? [.index(0), .index(9)] : [.key("k0"), .key("k9")]
            var state = GameState(.dictionary(["rows": .array(Array(repeating: row, count: 20))]))
            // Each row gets storage of its own, so that later changes copy nothing.
            for index in 0..<20 { try state.set(.null, at: StatePath([.key("rows"), .index(index), steps[0]])) }
            let begun = ContinuousClock.now
            for count in 0..<1000 {
                try state.set(.integer(1), at: StatePath([.key("rows"), .index(count % 20), steps[1]]))
            }
            return ContinuousClock.now - begun
        }
        // With a copy each time, a row that is 10,000 times as long would cost hundreds of times as much.
        let (short, long) = try (timeOfChanges(rowLength: 10), timeOfChanges(rowLength: 100_000))
        #expect(long < short * 20)
    }

    private static func dictionary(_ count: Int) -> ArchiveValue {
        var fields = ArchiveFields(reserving: count)
        for number in 0..<count { fields["k\(number)"] = whole(number) }
        return .dictionary(fields)
    }
}
