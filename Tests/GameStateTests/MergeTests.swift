import GameState
import SecureArchive
import TestSupport
import Testing

@Suite("Merging")
struct MergeTests {
    /// Rules with the same result in any order of versions.
    static let joins = """
        merge best    = max
        merge fastest = min
        merge played  = newest
        merge saved   = newest
        merge stats   = max
        merge tags    = union
        merge scores  = union by name with max
        merge rooms   = max
        """

    private static func rules(_ text: String) throws -> MergeRules { try GameRules(parsing: text).merging }

    private static func merged(
        _ base: ArchiveFields?,
        _ mine: ArchiveFields,
        _ theirs: ArchiveFields,
        _ rules: String = ""
    ) throws -> MergeOutcome {
        try GameState.merge(
            base: base.map { GameState($0) },
            mine: GameState(mine),
            theirs: GameState(theirs),
            rules: Self.rules(rules)
        )
    }

    // MARK: Without rules

    @Test("a change on one side is taken, equal changes agree, and the rest is a conflict with all three versions")
    func ordinary() throws {
        let outcome = try Self.merged(
            [
                "a": .integer(1), "b": .integer(1), "c": .integer(1), "d": .integer(1), "gone": .null,
                "list": .array([whole(1), whole(2)]),
            ],
            [
                "a": .integer(2), "b": .integer(1), "c": .integer(3), "d": .integer(4), "x": .null,
                "list": .array([whole(9), whole(2)]),
            ],
            [
                "a": .integer(1), "b": .integer(2), "c": .integer(3), "d": .integer(5), "y": .null,
                "list": .array([whole(1), whole(8)]),
            ]
        )
        #expect(
            outcome.merged.root
                == .dictionary([
                    "a": .integer(2), "b": .integer(2), "c": .integer(3), "d": .integer(4), "x": .null, "y": .null,
                    "list": .array([whole(9), whole(8)]),
                ])
        )
        #expect(outcome.conflicts.map(\.path) == ["d"])
        let conflict = try #require(outcome.conflicts.first)
        #expect(conflict.base == .integer(1) && conflict.mine == .integer(4) && conflict.theirs == .integer(5))
    }

    @Test("removing a value that the other side changed is a conflict, and the kind of a number is a change")
    func removal() throws {
        let outcome = try Self.merged(
            ["a": .integer(1), "b": .integer(1)],
            ["b": real(1)],
            ["a": .integer(2), "b": .integer(2)]
        )
        #expect(outcome.conflicts.map(\.path) == ["b", "a"])
        #expect(outcome.conflicts[1].mine == nil)
        #expect(try outcome.merged.fields(at: ".").keys == ["b"])
    }

    @Test("lists that both sides made longer or shorter are a conflict as a whole")
    func lists() throws {
        let outcome = try Self.merged(["l": .array([])], ["l": .array([.null])], ["l": .array([.bool(true)])])
        #expect(outcome.conflicts.map(\.path) == ["l"])
        let grown = try Self.merged(["l": .array([])], ["l": .array([])], ["l": .array([.bool(true)])])
        #expect(grown.conflicts.isEmpty)
        #expect(try grown.merged.elements(at: "l").count == 1)
    }

    @Test("objects of one class are merged field by field, and objects of two classes are wholes")
    func objects() throws {
        func hero(_ name: ClassName, _ strength: Int, _ wisdom: Int) -> ArchiveFields {
            ["hero": .tagged(name, .dictionary(["strength": whole(strength), "wisdom": whole(wisdom)]))]
        }
        let same = try Self.merged(hero("A", 1, 1), hero("A", 2, 1), hero("A", 1, 3))
        #expect(same.conflicts.isEmpty)
        #expect(same.merged.root == .dictionary(hero("A", 2, 3)))
        #expect(try Self.merged(hero("A", 1, 1), hero("B", 1, 1), hero("A", 1, 3)).conflicts.map(\.path) == ["hero"])
    }

    @Test("settling a conflict takes one side's value, and removes the key if that side has none")
    func settles() throws {
        var outcome = try Self.merged(
            ["a": .integer(1), "b": .integer(1)],
            ["b": .integer(3)],
            ["a": .integer(2), "b": .integer(2)]
        )
        #expect(words { try outcome.settle("c", by: .mine) } == "c: there is no conflict here")
        try outcome.settle("a", by: .theirs)
        #expect(try outcome.merged.integer(at: "a") == 2)
        try outcome.settle("b", by: .base)
        #expect(try outcome.merged.integer(at: "b") == 1)
        #expect(outcome.conflicts.isEmpty)
        var other = try Self.merged(["a": .integer(1)], ["a": .integer(2)], [:])
        try other.settleAll(by: .theirs)
        #expect(other.merged.root == .dictionary([:]))
        var whole = GameState.merge(base: nil, mine: GameState(.null), theirs: GameState(.bool(true)))
        try whole.settle(".", by: .theirs)
        #expect(whole.merged.root == .bool(true))
    }

    // MARK: Rules

    @Test(
        "a rule merges two changes",
        arguments: [
            ("max", whole(1), whole(2), whole(3), whole(3)), ("min", whole(1), whole(2), whole(3), whole(2)),
            ("max", whole(5), whole(2), whole(3), whole(3)), ("max", nil, whole(2), nil, whole(2)),
            ("max", whole(1), whole(2), real(2.5), real(2.5)), ("max", whole(1), .null, whole(1), whole(1)),
            ("max", nil, date(1), date(2), date(2)), ("max", nil, .bool(true), .bool(false), .bool(true)),
            ("min", nil, whole(2), real(2), whole(2)), ("max", nil, whole(2), real(2), real(2)),
            ("max", nil, .integer(ArchiveInteger(UInt64.max)), real(1e19), .integer(ArchiveInteger(UInt64.max))),
            ("sum of changes", whole(10), whole(12), whole(15), whole(17)),
            ("sum of changes", whole(10), whole(12), whole(12), whole(14)),
            ("sum of changes", nil, whole(2), whole(3), whole(5)),
            ("sum of changes", whole(10), whole(4), whole(9), whole(3)),
            ("sum of changes", real(1), real(1.5), real(2), real(2.5)),
            ("sum of changes", whole(1), nil, whole(1), nil),
            ("sum of changes", whole(-9), whole(.max), whole(-9), whole(.max)),
            ("sum of changes", .string("10"), .string("12"), .string("15"), .string("17")),
            ("sum of changes", nil, .string("2"), .string("3"), .string("5")),
            ("sum of changes", .string("1.5"), .string("2.5"), .string("2.0"), .string("3.0")),
            ("sum of changes", .string("1"), .string("2"), .string("1.5"), .string("2.5")),
            ("sum of changes", .string("10"), .string("12"), whole(15), .string("17")),
            ("sum of changes", whole(10), whole(15), .string("12"), whole(17)),
            ("sum of changes", nil, whole(2), .string("3"), whole(5)),
            ("sum of changes", .string("10"), .string("10"), .string("10"), .string("10")),
            ("newest", nil, date(5), date(4), date(5)), ("newest", nil, whole(5), real(5.5), real(5.5)),
            (
                "newest", nil, .string("2026-01-02"), .string("2026-01-01T23:00:00-02:00"),
                .string("2026-01-01T23:00:00-02:00")
            ),
            ("keep mine", whole(1), whole(1), whole(3), whole(1)), ("keep mine", whole(1), nil, whole(3), nil),
            ("keep theirs", whole(1), whole(2), whole(1), whole(1)), ("ask", whole(1), whole(2), whole(1), whole(2)),
            (
                "union", nil, .array([whole(2), whole(1)]), .array([whole(3), whole(1)]),
                .array([whole(1), whole(2), whole(3)])
            ),
            (
                "union", .array([whole(9), whole(2)]), .array([whole(2), whole(1)]), .array([whole(9), whole(0)]),
                .array([whole(9), whole(2), whole(0), whole(1)])
            ),
            ("union", nil, .array([whole(1)]), nil, .array([whole(1)])),
        ] as [(String, ArchiveValue?, ArchiveValue?, ArchiveValue?, ArchiveValue?)]
    )
    func rules(rule: String, base: ArchiveValue?, mine: ArchiveValue?, theirs: ArchiveValue?, expected: ArchiveValue?)
        throws
    {
        func state(_ value: ArchiveValue?) -> GameState {
            var fields: ArchiveFields = [:]
            fields["x"] = value
            return GameState(fields)
        }
        let outcome = try GameState.merge(
            base: state(base),
            mine: state(mine),
            theirs: state(theirs),
            rules: Self.rules("merge x = \(rule)")
        )
        #expect(outcome.conflicts.isEmpty, "\(outcome.conflicts)")
        #expect(outcome.merged.root == state(expected).root)
    }

    @Test(
        "a rule that can't be applied is a conflict with the reason",
        arguments: [
            ("max", whole(1), whole(2), .string("three"), "can't be compared"),
            ("max", nil, .bool(true), whole(3), "can't be compared"),
            ("max", nil, .array([whole(1)]), .array([]), "can't be compared"),
            ("newest", nil, .string("2026-01-02"), .string("yesterday"), "can't be compared"),
            ("sum of changes", whole(0), whole(.max), whole(1), "can't be added up"),
            ("sum of changes", whole(0), .string("a"), whole(1), "can't be added up"),
            ("sum of changes", .string("0"), .string("9223372036854775807"), .string("1"), "can't be added up"),
            ("sum of changes", .string("0"), .string("1e308"), .string("1.5e308"), "can't be added up"),
            ("sum of changes", .string("a"), .string("1"), .string("2"), "can't be added up"),
            ("sum of changes", whole(0), nil, whole(1), "one side has removed"),
            ("ask", whole(1), whole(2), whole(3), "one whole"),
            ("newest by when", nil, .dictionary(["a": .null]), .dictionary(["b": .null]), "no dates"),
            (
                "newest by when", nil, .dictionary(["when": date(1), "b": .null]), .dictionary(["when": date(1)]),
                "same time"
            ),
            ("union", nil, whole(1), .array([]), "two lists"),
            ("union by id", nil, .array([.null]), .array([]), "element 0 has no “id”"),
            ("union by id", nil, .array([.dictionary(["id": .array([])])]), .array([]), "element 0 has no “id”"),
            (
                "union by id", nil,
                .array([.dictionary(["id": whole(1), "x": .null]), .dictionary(["id": whole(1)])]), .array([]),
                "two elements"
            ),
        ] as [(String, ArchiveValue?, ArchiveValue?, ArchiveValue?, String)]
    )
    func refuses(rule: String, base: ArchiveValue?, mine: ArchiveValue?, theirs: ArchiveValue?, reason: String) throws {
        func state(_ value: ArchiveValue?) -> GameState {
            var fields: ArchiveFields = [:]
            fields["x"] = value
            return GameState(fields)
        }
        let outcome = try GameState.merge(
            base: state(base),
            mine: state(mine),
            theirs: state(theirs),
            rules: Self.rules("merge x = \(rule)")
        )
        #expect(outcome.conflicts.map(\.path) == ["x"])
        #expect(outcome.conflicts.first?.reason.contains(reason) == true, "\(outcome.conflicts)")
        #expect(outcome.merged.root == state(mine).root)
    }

    @Test("high scores keep each name's best, in the order of the rule")
    func scores() throws {
        func list(_ scores: KeyValuePairs<String, Int>) -> ArchiveFields {
            ["hiscores": .array(scores.map { .dictionary(["name": .string($0.key), "score": whole($0.value)]) })]
        }
        let outcome = try Self.merged(
            list(["Ada": 90, "Bob": 50]),
            list(["Ada": 95, "Bob": 50, "Cy": 7]),
            list(["Dot": 99, "Ada": 90, "Bob": 60]),
            "merge hiscores = union by name with max sorted by score descending"
        )
        #expect(outcome.conflicts.isEmpty)
        #expect(outcome.merged.root == .dictionary(list(["Dot": 99, "Ada": 95, "Bob": 60, "Cy": 7])))
    }

    @Test("a conflict within a list that is sorted afterwards has the element's new place")
    func movedConflict() throws {
        func list(_ scores: [(Int, String)]) -> ArchiveFields {
            ["l": .array(scores.map { .dictionary(["id": whole($0.0), "by": .string($0.1)]) })]
        }
        var outcome = try Self.merged(
            list([(1, "a"), (2, "b")]),
            list([(1, "c"), (2, "b")]),
            list([(1, "d"), (2, "b"), (3, "x")]),
            "merge l = union by id sorted by id descending"
        )
        #expect(outcome.conflicts.map(\.path) == ["l[2].by"])
        try outcome.settle("l[2].by", by: .theirs)
        #expect(outcome.merged.root == .dictionary(list([(3, "x"), (2, "b"), (1, "d")])))
    }

    @Test("a rule for a place applies below it, unless a nearer one exists; the last of several wins")
    func inherits() throws {
        let outcome = try Self.merged(
            ["s": .dictionary(["a": whole(1), "b": whole(1), "c": .dictionary(["d": whole(1)])])],
            ["s": .dictionary(["a": whole(5), "b": whole(5), "c": .dictionary(["d": whole(5)])])],
            ["s": .dictionary(["a": whole(3), "b": whole(3), "c": .dictionary(["d": whole(3)])])],
            """
            merge s     = max
            merge s.**  = keep theirs
            merge s.a   = min
            merge **.d  = sum of changes
            """
        )
        #expect(
            outcome.merged.root
                == .dictionary(["s": .dictionary(["a": whole(3), "b": whole(3), "c": .dictionary(["d": whole(7)])])])
        )
        let kept = try Self.merged(
            ["s": .dictionary(["a": whole(1), "b": whole(1)])],
            ["s": .dictionary(["a": whole(5), "b": whole(5)])],
            ["s": .dictionary(["a": whole(9), "b": whole(9)])],
            "merge s = keep mine\nmerge s.b = max"
        )
        #expect(kept.merged.root == .dictionary(["s": .dictionary(["a": whole(5), "b": whole(9)])]))
        let wholly = try Self.merged(
            ["s": .dictionary(["a": whole(1), "b": whole(1)])],
            ["s": .dictionary(["a": whole(5), "b": whole(1)])],
            ["s": .dictionary(["a": whole(1), "b": whole(9)])],
            "merge s = ask"
        )
        #expect(wholly.conflicts.map(\.path) == ["s"])
    }

    @Test("equal changes of a counter are two changes, also deep below")
    func countsEqualChanges() throws {
        let base: ArchiveFields = ["a": .dictionary(["l": .array([.dictionary(["n": whole(1)])])])]
        let one: ArchiveFields = ["a": .dictionary(["l": .array([.dictionary(["n": whole(2)])])])]
        let outcome = try Self.merged(base, one, one, "merge **.n = sum of changes")
        #expect(try outcome.merged.integer(at: "a.l[0].n") == 3)
    }

    // MARK: Properties

    @Test(
        "without rules: unchanged sides give way, a version merged with itself stays, sides may be swapped",
        arguments: 0..<300
    )
    func ordinaryProperties(seed: UInt64) {
        var trees = RandomTrees(seed: seed)
        let base = GameState(trees.tree())
        let mine = GameState(trees.changed(base.root))
        let theirs = GameState(trees.changed(base.root))
        #expect(GameState.merge(base: base, mine: mine, theirs: base) == MergeOutcomes.clean(mine))
        #expect(GameState.merge(base: base, mine: base, theirs: theirs) == MergeOutcomes.clean(theirs))
        #expect(GameState.merge(base: base, mine: mine, theirs: mine) == MergeOutcomes.clean(mine))
        #expect(GameState.merge(base: nil, mine: mine, theirs: mine) == MergeOutcomes.clean(mine))
        let (one, other) = (
            GameState.merge(base: base, mine: mine, theirs: theirs),
            GameState.merge(base: base, mine: theirs, theirs: mine)
        )
        #expect(Set(one.conflicts.map(\.path)) == Set(other.conflicts.map(\.path)))
        if one.conflicts.isEmpty { #expect(one.merged.root == other.merged.root) }
    }

    @Test("settling all conflicts leaves none, and each place has the chosen value", arguments: 0..<200)
    func settlingProperties(seed: UInt64) throws {
        var trees = RandomTrees(seed: seed)
        let base = GameState(trees.tree())
        let theirs = GameState(trees.changed(base.root))
        var outcome = GameState.merge(base: base, mine: GameState(trees.changed(base.root)), theirs: theirs)
        let conflicts = outcome.conflicts
        try outcome.settleAll(by: .theirs)
        #expect(outcome.conflicts.isEmpty)
        for conflict in conflicts where conflict.theirs != nil {
            #expect(try outcome.merged.value(at: conflict.path) == conflict.theirs)
        }
    }

    @Test("rules that are joins: sides may be swapped, order does not matter, and twice is once", arguments: 0..<300)
    func joinProperties(seed: UInt64) throws {
        var trees = RandomTrees(seed: seed)
        let rules = try Self.rules(Self.joins)
        let areJoins = rules.rules.allSatisfy(\.isJoin)
        #expect(areJoins)
        let base = seed.isMultiple(of: 3) ? nil : trees.save()
        let (a, b, c) = (trees.save(), trees.save(), trees.save())
        func merge(_ left: GameState, _ right: GameState) -> GameState {
            let outcome = GameState.merge(base: base, mine: left, theirs: right, rules: rules)
            #expect(outcome.conflicts.isEmpty, "\(outcome.conflicts)")
            return outcome.merged
        }
        #expect(merge(a, b).root == merge(b, a).root)
        #expect(merge(merge(a, b), c).root == merge(a, merge(b, c)).root)
        #expect(merge(a, a).root == a.root)
        #expect(merge(merge(a, b), b).root == merge(a, b).root)
    }

    @Test(
        "sums of changes: sides may be swapped, order does not matter, and an unchanged side adds nothing",
        arguments: 0..<100
    )
    func sumProperties(seed: UInt64) throws {
        var trees = RandomTrees(seed: seed)
        let rules = try Self.rules("merge ** = sum of changes")
        func state() -> GameState {
            GameState(["a": whole(trees.number(-9...9)), "b": .array([whole(trees.number(-9...9))])])
        }
        let (base, a, b, c) = (state(), state(), state(), state())
        func merge(_ left: GameState, _ right: GameState) -> GameState {
            GameState.merge(base: base, mine: left, theirs: right, rules: rules).merged
        }
        #expect(merge(a, b).root == merge(b, a).root)
        #expect(merge(merge(a, b), c).root == merge(a, merge(b, c)).root)
        #expect(merge(a, base).root == a.root)
    }

    @Test("texts that look alike and have different bytes are two, on either side")
    func textsThatLookAlike() throws {
        let (one, two): (ArchiveValue, ArchiveValue) = (.string("\u{e9}"), .string("e\u{301}"))
        func scores(_ name: ArchiveValue, _ score: Int) -> ArchiveFields {
            ["scores": .array([.dictionary(["name": name, "score": whole(score)])]), "tags": .array([name])]
        }
        let here = try Self.merged(nil, scores(one, 1), scores(two, 2), Self.joins)
        let there = try Self.merged(nil, scores(two, 2), scores(one, 1), Self.joins)
        #expect(here.conflicts.isEmpty)
        #expect(here.merged.root == there.merged.root)
        #expect(try here.merged.elements(at: "scores").count == 2)
        #expect(try here.merged.elements(at: "tags") == [two, one])
    }

    @Test("settling a conflict about a key leaves a key that looks alike alone")
    func keysThatLookAlike() throws {
        var outcome = try Self.merged(
            nil,
            ["\u{e9}": .integer(1), "e\u{301}": .integer(1)],
            ["\u{e9}": .integer(2), "e\u{301}": .integer(2)]
        )
        try outcome.settle(StatePath([.key("e\u{301}")]), by: .theirs)
        #expect(outcome.merged.root == .dictionary(["\u{e9}": .integer(1), "e\u{301}": .integer(2)]))
    }

    @Test("choosing a side without a value removes the key, and the order of the rest stays")
    func settlesByRemoving() throws {
        let numbers = (0..<40).map { "\($0)" }
        var (mine, theirs): (ArchiveFields, ArchiveFields) = (["keep": .bool(true)], ["keep": .bool(true)])
        for key in numbers {
            mine[key] = .integer(1)
            theirs[key] = .integer(2)
        }
        mine["last"] = .null
        var outcome = try Self.merged(nil, mine, theirs)
        try outcome.settleAll(by: .base)
        #expect(try outcome.merged.fields(at: ".").keys == ["keep", "last"])
        #expect(outcome.conflicts.isEmpty)
    }

    // MARK: Differences

    @Test("two trees differ exactly at the reported places", arguments: 0..<200)
    func differences(seed: UInt64) throws {
        var trees = RandomTrees(seed: seed)
        let old = GameState(trees.tree())
        let new = GameState(trees.changed(old.root))
        let found = old.differences(to: new)
        #expect(found.isEmpty == (old.root == new.root))
        #expect(new.differences(to: old).count == found.count)
        for difference in found {
            if let value = difference.old { #expect(try old.value(at: difference.path) == value) }
            if let value = difference.new { #expect(try new.value(at: difference.path) == value) }
        }
    }

    @Test("an element that was inserted into a list is one difference")
    func insertedElement() throws {
        let old = GameState(.array((0..<9).map { whole($0) }))
        var new = old
        try new.insert(.null, at: "[4]")
        let there = old.differences(to: new)
        #expect(there.map(\.path) == ["[4]"])
        #expect(there.first?.old == nil && there.first?.new == .null)
        let back = new.differences(to: old)
        #expect(back.map(\.path) == ["[4]"])
        #expect(back.first?.old == .null && back.first?.new == nil)
    }
}

enum MergeOutcomes {
    /// The outcome of a merge without conflicts.
    static func clean(_ state: GameState) -> MergeOutcome {
        GameState.merge(base: state, mine: state, theirs: state)
    }
}
