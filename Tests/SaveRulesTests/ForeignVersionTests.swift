import SaveRules
import Testing
import Vocabulary

@Suite("A version that a device without Huddle has saved")
struct ForeignVersionTests {
    private var (deck, desk) = (HeadsPlay(1), HeadsPlay(2))

    private var phone: Label {
        get throws { try Label("phone, RetroArch") }
    }

    @Test("a device's save on the newest version is the newest, and every machine takes it")
    mutating func newest() throws {
        let first = deck.captures("first")
        let taken = try deck.heads.takeIn(
            [Sample.piece("phone")],
            over: first.id,
            from: phone,
            at: 5,
            sealedBy: deck.seal
        )
        let made = try #require(taken.snapshot)
        #expect(taken.actions == [.announce([made.id]), .apply(made.id)])
        #expect(try made.device == phone && !made.isNamed && made.parents == [first.id])
        try desk.receives(made, from: deck)
        #expect(desk.heads.heads == [made.id])
    }

    @Test("a device's save on an older version is a conflict on every machine, though one machine signed both")
    mutating func older() throws {
        let first = deck.captures("first")
        let second = deck.captures("second")
        let made = try #require(
            try deck.heads.takeIn([Sample.piece("phone")], over: first.id, from: phone, at: 5, sealedBy: deck.seal)
                .snapshot
        )
        let both = [second.id, made.id].sorted()
        #expect(deck.heads.heads == both && deck.heads.applied == second.id)
        try desk.receives(made, second, from: deck)
        #expect(desk.heads.heads == both)
        let chosen = try deck.resolves(.snapshot(made.id))
        #expect(deck.heads.heads == [chosen.id])
    }

    @Test("a device that saved before its first sync makes a conflict, and the first save of all makes none")
    mutating func unknownBase() throws {
        let first = try deck.heads.takeIn([Sample.piece("phone")], over: nil, from: phone, at: 5, sealedBy: deck.seal)
        let made = try #require(first.snapshot)
        #expect(deck.heads.heads == [made.id])
        _ = try deck.heads.takeIn([Sample.piece("tv")], over: nil, from: phone, at: 6, sealedBy: deck.seal)
        #expect(deck.heads.heads.count == 2)
    }

    @Test("a device with the newest version has saved nothing, and an unknown base is refused")
    mutating func nothing() throws {
        let first = deck.captures("first")
        let second = deck.captures("second")
        for base in [first.id, second.id] {
            let same = try deck.heads.takeIn(
                [Sample.piece("second")],
                over: base,
                from: phone,
                at: 5,
                sealedBy: deck.seal
            )
            #expect(same.snapshot == nil && same.actions.isEmpty)
        }
        let old = try deck.heads.takeIn(
            [Sample.piece("first")],
            over: first.id,
            from: phone,
            at: 5,
            sealedBy: deck.seal
        )
        #expect(old.snapshot == nil, "the device has not changed its old save")
        let label = try phone
        #expect(throws: ChoiceRefusal.self) {
            try deck.heads.takeIn([Sample.piece("x")], over: Sample.id(9), from: label, at: 5, sealedBy: deck.seal)
        }
    }
}
