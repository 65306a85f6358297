import GameTrees
import Testing
import Vocabulary

@testable import Games

/// Steam, in trees as it makes them.
@Suite("The finder with Steam", .timeLimit(.minutes(1)))
struct SteamTests {
    private let tree = GameTree()

    @Test("The finder finds a game for Linux in a home, with all that is counted of it")
    func native() throws {
        let steam = SteamTree(in: tree)
        steam.install(504230, "Celeste", in: "Celeste")
        tree.put(at: ".local/share/Celeste/Saves/0.celeste", saved: 1_700_000_000)

        let game = try #require(tree.found().games.only)
        #expect(game.id == "celeste" && game.title == "Celeste" && game.launchers == [.steam])
        let place = try #require(game.places.only)
        #expect(
            place.path == tree.path(".local/share/Celeste/Saves")
                && place.place.description == "<xdgData>/Celeste/Saves"
        )
        #expect(place.patterns == [] && place.kind == .native && place.standing == .used)
        #expect(game.tally.files == 1 && game.tally.bytes == 6 && game.tally.lastSave?.seconds == 1_700_000_000)
    }

    private static let hollowKnight = """
        = Hollow Knight
        steam 367520
        dir Hollow Knight
        save <xdgConfig>/unity3d/Team Cherry/Hollow Knight/*.dat
        save <winLocalAppDataLow>/Team Cherry/Hollow Knight/*.dat
        """

    @Test("The finder finds a game's saves in its Proton prefix whatever the case of the folders")
    func proton() throws {
        let steam = SteamTree(in: tree)
        steam.install(367520, "Hollow Knight", in: "Hollow Knight")
        let user = steam.makePrefix(367520)
        tree.put(at: "\(user)/AppData/LocalLow/team cherry/HOLLOW KNIGHT/User1.DAT")
        let game = try #require(tree.found(knowing: Self.hollowKnight).games.only)
        let place = try #require(game.places.only)
        #expect(place.path == tree.path("\(user)/AppData/LocalLow/team cherry/HOLLOW KNIGHT"))
        #expect(place.kind == .windows && game.tally.files == 1)
        #expect(place.place.description == "<winLocalAppDataLow>/Team Cherry/Hollow Knight")
    }

    @Test("The finder takes a populated prefix before an empty folder for Linux")
    func emptyNative() throws {
        let steam = SteamTree(in: tree)
        steam.install(367520, "Hollow Knight", in: "Hollow Knight")
        tree.makeFolder(".config/unity3d/Team Cherry/Hollow Knight")
        let user = steam.makePrefix(367520)
        tree.put(at: "\(user)/AppData/LocalLow/Team Cherry/Hollow Knight/user1.dat")
        let game = try #require(tree.found(knowing: Self.hollowKnight).games.only)
        #expect(game.places.map(\.kind) == [.native, .windows] && game.places.map(\.standing) == [.unused, .used])
        #expect(game.notes == [])
    }

    @Test("The finder takes the layout with the newest save if both hold some, and notes that there are two")
    func twoLayouts() throws {
        let steam = SteamTree(in: tree)
        steam.install(367520, "Hollow Knight", in: "Hollow Knight")
        tree.put(at: ".config/unity3d/Team Cherry/Hollow Knight/user1.dat", saved: 2000)
        let user = steam.makePrefix(367520)
        tree.put(at: "\(user)/AppData/LocalLow/Team Cherry/Hollow Knight/user1.dat", saved: 1000)
        let game = try #require(tree.found(knowing: Self.hollowKnight).games.only)
        #expect(game.places.map(\.standing) == [.used, .unused] && game.notes == [.twoLayouts])
        #expect(game.tally.files == 1)
    }

    @Test("The finder finds games in a library on a memory card, with their prefix there")
    func card() throws {
        let steam = SteamTree(in: tree)
        let card = "\(tree.mounts)/mmcblk0p1"
        steam.addLibrary(card)
        steam.install(367520, "Hollow Knight", in: "Hollow Knight", library: card)
        let user = steam.makePrefix(367520, library: card)
        tree.put(at: "\(user)/AppData/LocalLow/Team Cherry/Hollow Knight/user1.dat")
        steam.install(504230, "Celeste", in: "Celeste", library: card)
        tree.put(at: "\(steam.installFolder("Celeste", library: card))/Saves/0.celeste")
        let games = tree.found(knowing: Self.hollowKnight).games
        #expect(games.map(\.id) == ["celeste", "hollow-knight"])
        #expect(games.first?.places.only?.path == "\(card)/steamapps/common/Celeste/Saves")
        #expect(games.first?.places.only?.place.description == "<installDir>/Saves")
    }

    @Test("The finder finds a Steam in a Flatpak with the home that its games see")
    func flatpak() throws {
        let steam = SteamTree(in: tree, at: SteamTree.flatpakRoot)
        steam.install(504230, "Celeste", in: "Celeste")
        tree.put(at: ".var/app/com.valvesoftware.Steam/.local/share/Celeste/Saves/0.celeste")
        let game = try #require(tree.found().games.only)
        #expect(game.launchers == [.steamFlatpak] && game.tally.files == 1)
    }

    @Test("The finder finds Steam Cloud's files of a game that no list knows, by its number")
    func cloud() throws {
        let steam = SteamTree(in: tree)
        steam.install(4242, "A New Game", in: "ANewGame")
        tree.put(at: "\(steam.cloudFolder(4242))/save.dat")
        let game = try #require(tree.found().games.only)
        #expect(
            game.id == "a-new-game" && game.places.only?.place.description == "<steamUserdata>/<steamUser>/4242/remote"
        )
        #expect(game.places.only?.path == tree.path(steam.cloudFolder(4242)))
    }

    @Test("The finder finds the saves of a game that was removed, and says so")
    func removed() throws {
        let steam = SteamTree(in: tree)
        let user = steam.makePrefix(367520)
        tree.put(at: "\(user)/AppData/LocalLow/Team Cherry/Hollow Knight/user1.dat")
        let game = try #require(tree.found(knowing: Self.hollowKnight).games.only)
        #expect(game.title == "Hollow Knight" && game.notes == [.notInstalled])
    }

    @Test("The finder finds a shortcut's saves in the prefix of the shortcut's number")
    func shortcut() throws {
        let steam = SteamTree(in: tree)
        steam.addShortcut(3_210_987_654, "Hollow Knight", in: "/opt/games/hk")
        let user = steam.makePrefix(3_210_987_654)
        tree.put(at: "\(user)/AppData/LocalLow/Team Cherry/Hollow Knight/user1.dat")
        let game = try #require(tree.found(knowing: Self.hollowKnight).games.only)
        #expect(game.launchers == [.steam] && game.tally.files == 1 && game.notes == [])
    }

    @Test("The finder names the place where an installed game will save before it has")
    func expected() throws {
        let steam = SteamTree(in: tree)
        steam.install(367520, "Hollow Knight", in: "Hollow Knight")
        let game = try #require(tree.found(knowing: Self.hollowKnight).games.only)
        let place = try #require(game.places.only)
        #expect(place.standing == .expected && place.path == tree.path(".config/unity3d/Team Cherry/Hollow Knight"))
        #expect(place.patterns == ["*.dat"] && game.tally.files == 0)
        let user = steam.makePrefix(367520)
        let afterStart = try #require(tree.found(knowing: Self.hollowKnight).games.only?.places.only)
        #expect(
            afterStart.path == tree.path("\(user)/AppData/LocalLow/Team Cherry/Hollow Knight")
                && afterStart.standing == .expected
        )
    }

    @Test("The finder lists a game that was never started, though the place of its saves is not known yet")
    func notStarted() throws {
        let steam = SteamTree(in: tree)
        steam.install(1_245_620, "ELDEN RING", in: "ELDEN RING")
        let game = try #require(tree.found().games.only)
        #expect(game.id == "elden-ring" && game.places == [] && game.notes == [.notStarted])
    }

    @Test("The finder says of a game that saves in the registry alone that it does")
    func registry() throws {
        let steam = SteamTree(in: tree)
        steam.install(449_940, "Gold", in: "Gold")
        steam.makePrefix(449_940)
        let game = try #require(tree.found(knowing: "= Gold\nsteam 449940\nregistry\n").games.only)
        #expect(game.places == [] && game.notes == [.registryOnly])
    }

    @Test("The finder goes by a title before the name of a folder, and by no name that several games have")
    func folderNames() throws {
        let list = """
            = Alpha
            dir Shared
            save <xdgData>/alpha
            = Beta
            dir Shared
            dir Gamma
            save <xdgData>/beta
            = Gamma
            save <xdgData>/gamma
            """
        for name in ["alpha", "beta", "gamma"] { tree.put(at: ".local/share/\(name)/save") }
        let steam = SteamTree(in: tree)
        steam.install(1, "Unknown", in: "Shared")
        steam.install(2, "Gamma", in: "Gamma")
        let findings = tree.found(knowing: list)
        #expect(findings.unknown == ["Unknown"])
        #expect(findings.games.first { $0.title == "Gamma" }?.launchers == [.steam])
        #expect(findings.games.first { $0.title == "Beta" }?.launchers == [.folder])
    }

    @Test("The finder goes by the folders that the environment names")
    func environment() throws {
        let steam = SteamTree(in: tree, at: "data/Steam")
        steam.install(413_150, "Stardew Valley", in: "Stardew Valley")
        tree.put(at: "settings/StardewValley/Saves/Farm_1/Farm_1")
        let environment = [
            "HOME": tree.home, "XDG_DATA_HOME": tree.path("data"), "XDG_CONFIG_HOME": tree.path("settings"),
        ]
        let surroundings = GameSurroundings(environment, mounts: [])
        let game = try #require(GameFinder(surroundings, GameKnowledge()).find().games.only)
        #expect(game.places.only?.path == tree.path("settings/StardewValley/Saves") && game.launchers == [.steam])
    }

    @Test("The finder names installed games without a known place of saves, and no tools of Steam")
    func unknown() {
        let steam = SteamTree(in: tree)
        steam.install(4242, "A New Game", in: "ANewGame")
        steam.install(1628350, "Steam Linux Runtime 3.0 (sniper)", in: "SteamLinuxRuntime_sniper")
        steam.install(2805730, "Proton 9.0", in: "Proton 9.0")
        let findings = tree.found()
        #expect(findings.games == [] && findings.unknown == ["A New Game"])
    }

    @Test("The finder finds each game once if several paths lead to one Steam")
    func links() {
        let steam = SteamTree(in: tree)
        steam.install(504230, "Celeste", in: "Celeste")
        tree.put(at: ".local/share/Celeste/Saves/0.celeste")
        tree.link(".steam/steam", to: tree.path(".local/share/Steam"))
        tree.link(".steam/root", to: tree.path(".local/share/Steam"))
        #expect(tree.found().games.count == 1)
    }

    @Test("The finder counts a game once that two launchers have")
    func twoLaunchers() throws {
        let steam = SteamTree(in: tree)
        steam.install(504230, "Celeste", in: "Celeste")
        let heroic = HeroicTree(in: tree)
        heroic.installEpic("Salt", "Celeste", in: "Games/Celeste")
        tree.put(at: ".local/share/Celeste/Saves/0.celeste")
        let game = try #require(tree.found().games.only)
        #expect(game.launchers == [.steam, .heroic] && game.tally.files == 1)
    }
}
