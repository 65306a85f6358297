import GameTrees
import Testing

@testable import Games

@Suite("The folder of a game that is shared", .timeLimit(.minutes(1)))
struct SharedPlaceTests {
    private let tree = GameTree()

    private func lines(_ kind: PlaceKind, _ patterns: String...) throws -> [String]? {
        FoundPlace(
            path: "/saves",
            place: try GamePlace(.xdgData, tail: "game"),
            kind: kind,
            patterns: patterns,
            content: .saves,
            standing: .used,
            tally: SaveTally(),
            real: "/saves"
        ).ignoring
    }

    @Test("Patterns leave out everything but the saves")
    func patterns() throws {
        #expect(try lines(.native) == [])
        #expect(
            try lines(.native, "*.dat", "a b.sav") == ["/*", "!/*.dat", "!/*.dat/**", "!/a\\ b.sav", "!/a\\ b.sav/**"]
        )
        #expect(
            try lines(.native, "slots/*/save", "slots/last")
                == [
                    "/*", "!/slots/", "/slots/*", "!/slots/*/", "/slots/*/*", "!/slots/*/save", "!/slots/*/save/**",
                    "!/slots/last", "!/slots/last/**",
                ]
        )
    }

    @Test("Patterns for a Windows game fit names in any case")
    func windows() throws {
        #expect(
            try lines(.windows, "Save[0-9].dat") == [
                "/*", "!/[Ss][Aa][Vv][Ee][0-9].[Dd][Aa][Tt]", "!/[Ss][Aa][Vv][Ee][0-9].[Dd][Aa][Tt]/**",
            ]
        )
    }

    @Test("A game whose saves are at any depth has no shared folder")
    func anyDepth() throws {
        #expect(try lines(.native, "**/x.sav") == nil)
    }

    @Test("A game that saves some files of one folder is shared by that folder")
    func chosenFiles() throws {
        let steam = SteamTree(in: tree)
        steam.install(367520, "Hollow Knight", in: "Hollow Knight")
        tree.put(at: ".config/unity3d/Team Cherry/Hollow Knight/user1.dat")
        let game = try #require(
            tree.found(
                knowing: """
                    = Hollow Knight
                    steam 367520
                    save <xdgConfig>/unity3d/Team Cherry/Hollow Knight/*.dat
                    """
            ).games.only
        )
        #expect(game.sharedPlace?.path == tree.path(".config/unity3d/Team Cherry/Hollow Knight"))
        #expect(game.sharedPlace?.ignoring == ["/*", "!/*.dat", "!/*.dat/**"])
    }

    private func celeste() throws -> FoundGame {
        try #require(
            tree.found(
                knowing: """
                    = Celeste
                    steam 504230
                    save <xdgData>/Celeste/Saves
                    save <installDir>/Saves/*.celeste
                    """
            ).games.only
        )
    }

    @Test("A game without saves is joined in the folder of the user's data, not in its own")
    func expected() throws {
        SteamTree(in: tree).install(504_230, "Celeste", in: "Celeste")
        #expect(try celeste().sharedPlace?.path == tree.path(".local/share/Celeste/Saves"))
    }

    @Test("A game that was started and has not saved yet is joined in its empty folder")
    func empty() throws {
        SteamTree(in: tree).install(504_230, "Celeste", in: "Celeste")
        tree.makeFolder(".local/share/Celeste/Saves")
        #expect(try celeste().sharedPlace?.path == tree.path(".local/share/Celeste/Saves"))
    }
}
