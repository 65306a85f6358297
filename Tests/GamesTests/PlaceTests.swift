import GameTrees
import Testing

@testable import Games

/// Places parsed from text, and places made of the paths of manifests.
@Suite("A place of a game", .timeLimit(.minutes(1)))
struct PlaceTests {
    @Test(
        "A place is printed as it is read",
        arguments: [
            "<xdgData>/Celeste/Saves/*.celeste", "<home>/.game", "<steamUserdata>/<steamUser>/688420/remote",
            "<winDocuments>/My Games/Ünïcode/**/*.sav", "<installDir>/GAME_?[0-9].SVG", "<winAppData>/A/<storeUser>/b",
            "<emulatorSaves>/retroarch/saves", "<winHome>/<userName>x/y", "<winDrive>/windows/game.ini",
        ]
    )
    func roundTrip(_ text: String) throws {
        guard let place = try? GamePlace(text) else {
            // This version knows no placeholder within a name.
            #expect(text.contains(">x"))
            return
        }
        #expect(place.description == text)
        #expect(try GamePlace(place.description) == place)
    }

    @Test(
        "A place can't lead up, elsewhere, or to far more than saves",
        arguments: [
            "", "<home>", "<home>/", "<home>/..", "<home>/a/../b", "<home>//etc", "<home>/a//b", "/etc/passwd", "etc",
            "<base>/x",
            "<installDir>", "<installDir>/", "<installDir>/**", "<installDir>/*", "<installDir>/**/*.sav", "<home>/*",
            "<home>/**",
            "<home>/*.*", "<home>/.config", "<home>/Documents", "<winDocuments>/My Games", "<winAppData>/*/x",
            "<xdgConfig>/**/*",
            "<xdgConfig>/unity3d", "<steamUserdata>/<steamUser>", "<steamUserdata>/*/*/remote", "<home>/.ssh/x",
            "<home>/.SSH",
            "<xdgConfig>/autostart/x", "<home>/.config/autostart/x", "<xdgData>/keyrings", "<winDrive>/x",
            "<home>/a\u{0}b",
            "<home>/a\nb", "<home>/x/<game>", "<home>/a**b/c", "<winDrive>/Windows/System32/x", "<home>/a/./b",
            "<home>/**/**/**/a",
        ]
    )
    func refused(_ text: String) {
        #expect(throws: PlaceRefusal.self) { try GamePlace(text) }
    }

    @Test("A place can't be longer than a path may be")
    func long() {
        #expect(throws: PlaceRefusal.self) { try GamePlace(.home, tail: String(repeating: "a/", count: 30) + "a") }
        #expect(throws: PlaceRefusal.self) { try GamePlace(.home, tail: String(repeating: "a", count: 256)) }
        #expect(throws: PlaceRefusal.self) { try GamePlace("<home>/" + String(repeating: "a", count: 1 << 20)) }
    }

    @Test(
        "A place has one base for the many spellings of a manifest",
        arguments: [
            ("<xdgData>/Celeste/Saves/*.celeste", ["<xdgData>/Celeste/Saves/*.celeste"]),
            ("<home>/.local/share/q-bit/*.sol", ["<xdgData>/q-bit/*.sol"]),
            ("~/.config/game/x", ["<xdgConfig>/game/x"]),
            ("/home/<osUserName>/.config/game/x", ["<xdgConfig>/game/x"]),
            ("<home>/AppData/LocalLow/Team Cherry/HK", ["<winLocalAppDataLow>/Team Cherry/HK"]),
            ("<home>/AppData/Roaming/x", ["<winAppData>/x"]),
            ("<home>/Documents/My Games/x", ["<winDocuments>/My Games/x", "<home>/Documents/My Games/x"]),
            ("<home>/Saved Games/x", ["<winSavedGames>/x", "<home>/Saved Games/x"]),
            ("<home>/Library/Application Support/x", []),
            ("C:/Users/<osUserName>/AppData/Local/x", ["<winLocalAppData>/x"]),
            ("C:\\Users\\Public\\Documents\\x", ["<winPublic>/Documents/x"]),
            ("C:/ProgramData/x", ["<winProgramData>/x"]),
            ("C:/Windows/game.ini", ["<winDrive>/Windows/game.ini"]),
            ("<winDir>/game.ini", ["<winDrive>/windows/game.ini"]),
            ("<base>/Saves/", ["<installDir>/Saves"]),
            ("<base>/Saves/*", ["<installDir>/Saves"]),
            ("<base>", []), ("<home>", []), ("<base>/*", []), ("<home>/../x", []), ("N/A", []), ("/etc/passwd", []),
            ("D:/x/y", []),
            ("<root>/userdata/<storeUserId>/688420/remote", ["<steamUserdata>/<steamUser>/688420/remote"]),
            ("<root>/userdata/<storeUserId>/<storeGameId>/remote", ["<steamUserdata>/<steamUser>/42/remote"]),
            ("<root>/<game>/Saves", ["<installDir>/Saves"]),
            ("<root>/steamapps/compatdata/42/pfx/drive_c/users/steamuser/Documents/x", ["<winDocuments>/x"]),
            ("<winAppData>/Goldberg/<storeUserId>/x", ["<winAppData>/Goldberg/<storeUser>/x"]),
            ("<winDocuments>/x/save_<storeUserId>.dat", ["<winDocuments>/x/save_*.dat"]),
            ("<winAppData>/<game>/x", ["<winAppData>/Folder/x"]), ("<winAppData>/x/<unknown>", []),
        ]
    )
    func normalised(_ written: String, _ expected: [String]) {
        let game = ManifestPath.Game(steamID: 42, installFolder: "Folder")
        #expect(ManifestPath(written, on: .all, of: game).places.map(\.description) == expected)
    }

    @Test(
        "A pattern matches a whole name",
        arguments: [
            ("*.sav", "a.sav", true), ("*.sav", "a.SAV", false), ("a*b*c", "aXbYbZc", true), ("a*b*c", "aXbYb", false),
            ("?", "é", true), ("[a-c]x", "bx", true), ("[!a-c]x", "bx", false), ("[x", "[x", true), ("*", "", true),
            ("slot[0-9].dat", "slot7.dat", true), ("a?c", "ac", false),
        ]
    )
    func patterns(_ pattern: String, _ name: String, _ fits: Bool) {
        #expect(NamePattern(pattern).matches(name, ignoringCase: false) == fits)
    }

    @Test("A place matches without regard to case if Windows does")
    func caseless() {
        #expect(NamePattern("*.SAV").matches("User1.sav", ignoringCase: true))
        #expect(NamePattern("[A-C]x").matches("bX", ignoringCase: true))
    }
}
