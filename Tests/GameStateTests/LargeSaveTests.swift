import GameState
import SecureArchive
import TestSupport
import Testing

/// Saves that no game makes, from an attacker who wants to delay or exhaust the programs that read them.
@Suite("Large saves")
struct LargeSaveTests {
    /// The factor by which a piece of work takes longer with many than with few.
    private static func growth(from few: Int, to many: Int, _ work: (Int) -> () -> Void) -> Double {
        let (small, large) = (work(few), work(many))
        small()
        return processorTime(of: large) / max(processorTime(of: small), .microseconds(100))
    }

    @Test("reading a scene in XML takes linear time, also if all elements have one name")
    func sceneOfOneName() {
        let growth = Self.growth(from: 1000, to: 8000) { count in
            let element = XMLElement("scene", content: Array(repeating: .element(XMLElement("a")), count: count))
            let tree = XMLTree(XMLElement("scene", content: [.element(element)]))
            return { _ = try? Scene(readingXML: tree) }
        }
        #expect(growth < 24, "\(growth)")
    }

    @Test(
        "elements of one name in a node are a list in their order, after an attribute of that name"
    )
    func listsInScenes() throws {
        let document =
            #"<scene><node type="rectangle"><meta tag="0"><tag>1</tag><x>-</x><tag>2</tag></meta></node></scene>"#
        let scene = try Scene(readingXML: XMLTree(reading: Array(document.utf8)))
        #expect(
            scene.nodes[0].meta
                == .dictionary([
                    "tag": .array([.string("0"), .string("1"), .string("2")]), "x": .string("-"),
                ])
        )
    }

    @Test("only as many unknown keys are compared as are reported")
    func unknownKeys() {
        let growth = Self.growth(from: 500, to: 20_000) { count in
            var fields = ArchiveFields(reserving: count)
            for number in 0..<count { fields["wisdon\(number)"] = .integer(1) }
            return { _ = try? SimpleCharacter(reading: .dictionary(fields)) }
        }
        #expect(growth < 12, "\(growth)")
    }

    @Test("a very long grid is read only as far as a grid goes")
    func longGrid() throws {
        var game = GameState(TicTacToe().tree())
        try game.set(.string(String(repeating: "0, ", count: 500_000) + "0"), at: "TTTGameKeyGridState")
        let words = words { _ = try TicTacToe(reading: game.root) }
        #expect(words == "TTTGameKeyGridState: it holds more than 9 numbers")
    }

    @Test("settling all conflicts takes linear time", arguments: MergeOutcome.Side.allCases)
    func manyConflicts(side: MergeOutcome.Side) {
        let growth = Self.growth(from: 500, to: 4000) { count in
            func state(_ value: Int) -> GameState {
                var fields = ArchiveFields(reserving: count)
                for number in 0..<count { fields["\(number)"] = whole(value) }
                return GameState([
                    "here": .dictionary(fields), "list": .array(Array(repeating: whole(value), count: count)),
                ])
            }
            let outcome = GameState.merge(base: nil, mine: state(1), theirs: state(2))
            return {
                var settled = outcome
                try? settled.settleAll(by: side)
            }
        }
        #expect(growth < 24, "\(growth)")
    }

    @Test("a save with more values than any game has is not read as one")
    func tooManyValues() {
        let entry = HighScores.Entry("Ada", .whole(1)).tree()
        func state(_ count: Int) -> GameState { GameState(["hiscores": .array(Array(repeating: entry, count: count))]) }
        let game = KnownGame(recognising: state(1))
        let most = (KnownGame.valueLimit - 2) / 3
        #expect(game?.faults(of: state(most)) == nil)
        let many = state(most + 1)
        #expect(game?.faults(of: many)?.faults.map(\.message) == ["no save has more than 300002 values"])
        #expect(game?.summary(of: many) == nil)
    }
}
