import GameTrees
import LinuxPlatform
import Testing

@testable import Games

@Suite("The signs of a game that is not installed yet", .timeLimit(.minutes(1)))
struct GameSignsTests {
    private let tree = GameTree()

    private func signs(of names: String...) -> [String] {
        let list = """
            = Lantern Keeper
            steam 991
            flatpak com.example.Lantern
            save <winLocalAppDataLow>/Oil Ltd/Lantern Keeper/*.dat
            save <xdgConfig>/unity3d/Oil Ltd/Lantern Keeper
            """
        let knowledge = GameKnowledge([GameIndex(of: GameList.games(in: list))])
        return GameSigns(tree.surroundings, knowledge).paths(of: names)
    }

    @Test("A game has signs in every library of Steam, in its prefix, and in its native folder")
    func steam() throws {
        let steam = SteamTree(in: tree)
        steam.install(1, "Other", in: "Other")
        let signs = signs(of: "lantern-keeper")
        let real = try #require(LocalFiles.real(tree.home))
        for path in [
            "/.local/share/Steam/steamapps/appmanifest_991.acf",
            "/.local/share/Steam/steamapps/compatdata/991/pfx/drive_c/users/steamuser/AppData/LocalLow/Oil Ltd/Lantern Keeper",
        ] {
            #expect(signs.contains(real + path), "\(path) in \(signs)")
        }
        for path in ["/.config/unity3d/Oil Ltd/Lantern Keeper", "/.var/app/com.example.Lantern"] {
            #expect(signs.contains(tree.home + path), "\(path) in \(signs)")
        }
    }

    @Test("A game that no list knows has no signs")
    func unknown() { #expect(signs(of: "nothing-like-it").isEmpty) }

    @Test("Steam writes one of the signs when it installs the game")
    func installed() {
        let steam = SteamTree(in: tree)
        steam.install(991, "Lantern Keeper", in: "Lantern Keeper")
        #expect(signs(of: "lantern-keeper").contains { LocalFiles.kind($0) == .file })
    }
}
