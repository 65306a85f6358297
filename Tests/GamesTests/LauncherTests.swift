import GameTrees
import Testing

@testable import Games

/// Other launchers, in trees as they make them.
@Suite("The finder with other launchers", .timeLimit(.minutes(1)))
struct LauncherTests {
    private let tree = GameTree()

    private static let list = """
        = Minit
        gog 1861202745
        dir Minit
        save <winLocalAppData>/minit/minitSaves/minit_v1.sav
        save <xdgConfig>/minit/minitsaves/minit_v1.sav
        = Turnover
        lutris turnover
        save <winDocuments>/My Games/Turnover
        save <xdgData>/turnover
        = 0 A.D.
        flatpak com.play0ad.zeroad
        save <xdgData>/0ad
        save <winDocuments>/My Games/0ad
        = Bad North
        dir BadNorth
        save <winLocalAppDataLow>/Plausible Concept/Bad North/Saves
        """

    @Test(
        "The finder finds a game of GOG in Heroic's prefix, of Wine or Proton, natively or in a Flatpak",
        arguments: [".config/heroic", HeroicTree.flatpakRoot],
        [false, true]
    )
    func gog(root: String, isProton: Bool) throws {
        let heroic = HeroicTree(in: tree, at: root)
        heroic.installGOG("1861202745", "Minit", in: "Games/Heroic/Minit")
        let user = heroic.makePrefix("1861202745", at: "Games/Heroic/Prefixes/Minit", isProton: isProton)
        tree.put(at: "\(user)/AppData/Local/minit/minitSaves/minit_v1.sav")
        let game = try #require(tree.found(knowing: Self.list).games.only)
        #expect(game.id == "minit" && game.launchers == [root == ".config/heroic" ? .heroic : .heroicFlatpak])
        let place = try #require(game.places.only)
        #expect(place.patterns == ["minit_v1.sav"] && place.kind == .windows && place.tally.files == 1)
        #expect(place.place.description == "<winLocalAppData>/minit/minitSaves")
    }

    @Test("The finder finds a program that the user added to Heroic by its title")
    func sideloaded() throws {
        let heroic = HeroicTree(in: tree)
        heroic.addOwn("kX9", "Bad North™", program: "Games/bn/BadNorth.exe")
        let user = heroic.makePrefix("kX9", at: "Games/Heroic/Prefixes/bn")
        tree.put(at: "\(user)/AppData/LocalLow/Plausible Concept/Bad North/Saves/1/save.bin")
        let game = try #require(tree.found(knowing: Self.list).games.only)
        #expect(game.id == "bad-north" && game.tally.files == 1)
    }

    @Test(
        "The finder finds a game of Lutris by its name there, with the prefix of its settings",
        arguments: [".local/share/lutris", LutrisTree.flatpakRoot]
    )
    func lutris(root: String) throws {
        let lutris = try LutrisTree(in: tree, at: root)
        let user = WineTree.make(in: tree, at: "Games/turnover")
        try lutris.install(
            "Turnover: Deluxe",
            slug: "turnover",
            runner: "wine",
            directory: nil,
            settings: [
                "exe: \(tree.path("Games/turnover/drive_c/Turnover/turnover.exe"))",
                "prefix: \(tree.path("Games/turnover"))",
            ]
        )
        tree.put(at: "\(user)/Documents/My Games/Turnover/one.sav")
        let game = try #require(tree.found(knowing: Self.list).games.only)
        #expect(game.id == "turnover" && game.launchers == [root.hasPrefix(".local") ? .lutris : .lutrisFlatpak])
        #expect(game.places.only?.place.description == "<winDocuments>/My Games/Turnover")
    }

    @Test("The finder finds a prefix by the folder of Lutris' database if the settings name none")
    func lutrisDirectory() throws {
        let lutris = try LutrisTree(in: tree)
        let user = WineTree.make(in: tree, at: "Games/turnover")
        try lutris.install("Turnover", slug: "turnover", runner: "wine", directory: "Games/turnover")
        tree.put(at: "\(user)/Documents/My Games/Turnover/one.sav")
        #expect(tree.found(knowing: Self.list).games.only?.tally.files == 1)
    }

    @Test(
        "The finder finds programs of a bottle, and games in it that are not in its list",
        arguments: [".local/share/bottles", BottlesTree.flatpakRoot]
    )
    func bottles(root: String) throws {
        let user = BottlesTree.make("Gaming", programs: [("Bad North", "BadNorth/BadNorth.exe")], in: tree, at: root)
        tree.put(at: "\(user)/AppData/LocalLow/Plausible Concept/Bad North/Saves/1.bin")
        tree.put(at: "\(user)/Documents/My Games/Turnover/one.sav")
        let games = tree.found(knowing: Self.list).games
        #expect(games.map(\.id) == ["bad-north", "turnover"])
        let launcher: Launcher = root.hasPrefix(".local") ? .bottles : .bottlesFlatpak
        #expect(games.allSatisfy { $0.launchers == [launcher] })
    }

    @Test("The finder finds a Flatpak by its id, and ignores entries of the list for other layouts")
    func flatpak() throws {
        tree.put(at: ".var/app/com.play0ad.zeroad/data/0ad/saves/one.save")
        let game = try #require(tree.found(knowing: Self.list).games.only)
        #expect(game.id == "0-a-d" && game.launchers == [.flatpak])
        #expect(game.places.only?.path == tree.path(".var/app/com.play0ad.zeroad/data/0ad"))
    }

    @Test("The finder finds a game without any launcher by the folder of its saves")
    func folder() throws {
        tree.put(at: ".local/share/turnover/one.sav")
        tree.put(at: ".local/share/unrelated/one.sav")
        let game = try #require(tree.found(knowing: Self.list).games.only)
        #expect(game.id == "turnover" && game.launchers == [.folder])
    }

    @Test("The finder finds a game in Wine's own prefix by the folder of its saves")
    func wine() throws {
        let user = WineTree.make(in: tree, at: ".wine")
        tree.put(at: "\(user)/Documents/My Games/Turnover/one.sav")
        #expect(tree.found(knowing: Self.list).games.only?.launchers == [.folder])
    }

    @Test(
        "The finder lists the first of several games that no launcher has and that save in one folder, and names the others"
    )
    func oneFolder() throws {
        let list = """
            = Bad End Theater
            save <home>/.renpy/persistent
            = Another Theater
            save <home>/.renpy/persistent
            """
        tree.put(at: ".renpy/persistent/one.save")
        let game = try #require(tree.found(knowing: list).games.only)
        #expect(game.title == "Another Theater" && game.notes == [.sharesFolder(with: ["Bad End Theater"])])
    }
}
