import GameTrees
import TestSupport
import Testing

@testable import Games

/// The time of a search in a large collection. The limits leave room for a slow machine.
@Suite("The search for games", .timeLimit(.minutes(1)), .serialized)
struct SpeedTests {
    @Test("The search takes at most two seconds of a processor with five hundred installed games")
    func manyGames() throws {
        let tree = GameTree()
        let steam = SteamTree(in: tree)
        var list = ""
        for number in 1...500 {
            steam.install(1000 + number, "Game \(number)", in: "Game \(number)")
            list +=
                "= Game \(number)\nsteam \(1000 + number)\nsave <xdgConfig>/unity3d/Maker \(number)/Game \(number)/*.dat\n"
            list += "save <winLocalAppDataLow>/Maker \(number)/Game \(number)/*.dat\nsave <installDir>/Saves\n"
            let isNative = number.isMultiple(of: 2)
            let user = isNative ? "" : steam.makePrefix(1000 + number)
            let folder = isNative ? ".config/unity3d" : "\(user)/AppData/LocalLow"
            for slot in 0..<20 { tree.put(at: "\(folder)/Maker \(number)/Game \(number)/slot\(slot).dat") }
        }
        let knowledge = GameKnowledge([GameIndex(of: GameList.games(in: list))])
        var games: [FoundGame] = []
        let time = processorTime { games = GameFinder(tree.surroundings, knowledge).find().games }
        #expect(games.count == 500 && games.allSatisfy { $0.tally.files == 20 })
        // Without optimization it takes a third of a second, or a whole one while builds share the caches of the
        // processor.
        #expect(time < .seconds(2), "\(time)")
    }
}
