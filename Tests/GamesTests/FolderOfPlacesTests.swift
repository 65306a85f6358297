import GameTrees
import Testing

@testable import Games

@Suite("The folder that several folders of a game have in common", .timeLimit(.minutes(1)))
struct FolderOfPlacesTests {
    private let tree = GameTree()
    private let native = ".local/share/Terraria"

    private func game(_ title: String, knowing list: String = "") throws -> FoundGame {
        try #require(tree.found(knowing: list).games.first { $0.title == title })
    }

    /// A game of Steam that saves in these places.
    private func game(saving places: String...) throws -> FoundGame {
        SteamTree(in: tree).install(77, "Thing", in: "Thing")
        return try game(
            "Thing",
            knowing: (["= Thing", "steam 77"] + places.map { "save \($0)" }).joined(separator: "\n")
        )
    }

    /// Installs Terraria, and returns the folder of its prefix.
    private func terraria(inPrefix: Bool = false) -> String {
        let steam = SteamTree(in: tree)
        steam.install(105_600, "Terraria", in: "Terraria")
        return inPrefix ? "\(steam.makePrefix(105_600))/Documents/My Games/Terraria" : native
    }

    @Test(
        "Terraria is one game whichever of its folders exist",
        arguments: [[], ["Players"], ["Worlds"], ["Players", "Worlds"]],
        [false, true]
    )
    func terraria(existing: [String], inPrefix: Bool) throws {
        let folder = terraria(inPrefix: inPrefix)
        for name in existing { tree.put(at: "\(folder)/\(name)/save") }
        tree.put(at: "\(folder)/config.json")
        let place = try #require(try game("Terraria").sharedPlace)
        #expect(place.path == tree.path(folder))
        #expect(place.names == ["Players", "Worlds"])
        #expect(place.ignoring == [])
    }

    @Test("Terraria is one game if its folders are empty, or if they are files")
    func emptyFolders() throws {
        let folder = terraria()
        tree.makeFolder("\(folder)/Players")
        tree.put(at: "\(folder)/Worlds")
        #expect(try game("Terraria").sharedPlace?.names == ["Players", "Worlds"])
    }

    @Test("The newest layout counts if Terraria has saved natively and in a prefix")
    func layouts() throws {
        let folder = terraria(inPrefix: true)
        tree.put(at: "\(native)/Players/a.plr", saved: 1000)
        tree.put(at: "\(folder)/Worlds/a.wld", saved: 2000)
        #expect(try game("Terraria").sharedPlace?.path == tree.path(folder))
        tree.put(at: "\(native)/Players/a.plr", saved: 3000)
        #expect(try game("Terraria").sharedPlace?.path == tree.path(native))
    }

    @Test("The folder in which Terraria saves comes before Steam's copy of it")
    func steamCopy() throws {
        let folder = terraria()
        tree.put(at: "\(folder)/Players/a.plr", saved: 1000)
        tree.put(at: "\(SteamTree(in: tree).cloudFolder(105_600))/players/a.plr", saved: 2000)
        #expect(try game("Terraria").sharedPlace?.path == tree.path(folder))
    }

    @Test("A name in a prefix has the letters that the disk has")
    func letters() throws {
        let folder = terraria(inPrefix: true)
        tree.put(at: "\(folder)/players/a.plr")
        let place = try #require(try game("Terraria").sharedPlace)
        #expect(place.names == ["Worlds", "players"])
    }

    @Test("tModLoader is a game of its own within the folder of Terraria")
    func modLoader() throws {
        let folder = terraria()
        tree.put(at: "\(folder)/Players/a.plr")
        tree.put(at: "\(folder)/tModLoader/Players/b.plr")
        let mod = try #require(try game("tModLoader").sharedPlace)
        #expect(mod.path == tree.path("\(folder)/tModLoader") && mod.names == ["Players", "Worlds"])
        let place = try #require(try game("Terraria").sharedPlace)
        #expect(place.path == tree.path(folder) && place.names?.contains("tModLoader") == false)
    }

    @Test("Two editions of Skyrim have no folder in common, so one is shared by its own, and two by none")
    func skyrim() throws {
        let steam = SteamTree(in: tree)
        steam.install(489_830, "The Elder Scrolls V: Skyrim Special Edition", in: "Skyrim Special Edition")
        let games = "\(steam.makePrefix(489_830))/Documents/My Games"
        tree.put(at: "\(games)/Skyrim Special Edition/Saves/a.ess")
        let title = "The Elder Scrolls V: Skyrim Special Edition"
        let place = try #require(try game(title).sharedPlace)
        #expect(place.path == tree.path("\(games)/Skyrim Special Edition/Saves") && place.names == nil)
        tree.put(at: "\(games)/Skyrim Special Edition GOG/Saves/a.ess")
        #expect(try game(title).sharedPlace == nil && game(title).shareObstacle == .apart)
    }

    @Test("A game with folders in two bases has no folder in common")
    func bases() throws {
        tree.put(at: ".local/share/Thing/saves/a")
        tree.put(at: ".config/Thing/profile/a")
        let game = try game(saving: "<xdgData>/Thing/saves", "<xdgConfig>/Thing/profile")
        #expect(game.sharedPlace == nil && game.shareObstacle == .apart)
    }

    @Test(
        "No list makes a folder of many games or of the user one game",
        arguments: [
            "<home>", "<home>/.local/share", "<home>/.config", "<home>/.local", "<home>/Documents", "<xdgData>",
            "<xdgConfig>", "<xdgConfig>/unity3d",
        ]
    )
    func hostile(parent: String) throws {
        let bases = ["<home>": ".", "<xdgData>": ".local/share", "<xdgConfig>": ".config"]
        let base = try #require(bases.first { parent.hasPrefix($0.key) })
        let folder = base.value + parent.dropFirst(base.key.count)
        for name in ["thing-a", "thing-b"] { tree.put(at: "\(folder)/\(name)/save") }
        let game = try game(saving: "\(parent)/thing-a", "\(parent)/thing-b")
        #expect(game.tally.files == 2)
        #expect(game.sharedPlace == nil && game.shareObstacle == .apart)
    }

    @Test("A folder that is a link to the home is not one game")
    func link() throws {
        tree.link("Thing", to: tree.home)
        for name in ["thing-a", "thing-b"] { tree.put(at: "\(name)/save") }
        #expect(try game(saving: "<home>/Thing/thing-a", "<home>/Thing/thing-b").sharedPlace == nil)
    }

    @Test("Patterns tell the saves within a name from other files there")
    func inner() throws {
        tree.put(at: ".local/share/Thing/saves/a.sav")
        let game = try game(saving: "<xdgData>/Thing/saves/*.sav", "<xdgData>/Thing/profiles")
        let place = try #require(game.sharedPlace)
        #expect(place.path == tree.path(".local/share/Thing") && place.names == ["profiles", "saves"])
        #expect(place.ignoring == ["/saves/*", "!/saves/*.sav", "!/saves/*.sav/**"])
        #expect(place.keeping.first == "/*" && place.keeping.contains("!/profiles/**"))
    }

    @Test("Patterns alone tell the saves if the names in the folder are not known")
    func patterns() throws {
        tree.put(at: ".local/share/Thing/a.sav")
        tree.put(at: ".local/share/Thing/backup/a")
        let place = try #require(try game(saving: "<xdgData>/Thing/*.sav", "<xdgData>/Thing/backup").sharedPlace)
        #expect(place.path == tree.path(".local/share/Thing") && place.names == nil)
        #expect(place.ignoring == ["/*", "!/*.sav", "!/*.sav/**", "!/backup", "!/backup/**"])
    }

    @Test("A folder within another one of the game adds no name")
    func within() throws {
        tree.put(at: ".local/share/Thing/saves/deep/a")
        let place = try #require(try game(saving: "<xdgData>/Thing/saves", "<xdgData>/Thing/saves/deep").sharedPlace)
        #expect(place.path == tree.path(".local/share/Thing/saves") && place.names == nil)
    }

    @Test("The folder of one account is one game, and those of two accounts are none")
    func accounts() throws {
        let places = ["<xdgData>/Thing/<storeUser>/saves", "<xdgData>/Thing/<storeUser>/profile"]
        tree.put(at: ".local/share/Thing/4711/saves/a")
        let place = try #require(try game(saving: places[0], places[1]).sharedPlace)
        #expect(place.path == tree.path(".local/share/Thing/4711") && place.names == ["profile", "saves"])
        tree.put(at: ".local/share/Thing/4712/saves/a")
        #expect(try game(saving: places[0], places[1]).sharedPlace == nil)
    }
}
