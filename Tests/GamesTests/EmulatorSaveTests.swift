import GameTrees
import Testing

@testable import Games

@Suite("The saves of single games in an emulator's folder", .timeLimit(.minutes(1)))
struct EmulatorSaveTests {
    private let tree = GameTree()

    private func saves() -> [String] {
        tree.found().games.flatMap { $0.emulatorSaves() }.map { save in
            let folder = save.folder.split(separator: "/").last ?? ""
            return "\(save.name): \(folder)/\(save.files.joined(separator: " "))"
        }
    }

    static let rows: [(files: [String], saves: [String])] = [
        (
            ["retroarch/saves/Zelda.srm", "retroarch/saves/Zelda.rtc", "retroarch/saves/Mario (USA).srm"],
            ["retroarch-mario-usa: saves/Mario (USA).srm", "retroarch-zelda: saves/Zelda.rtc Zelda.srm"]
        ),
        (
            ["retroarch/saves/Snes9x/Zelda.srm", "retroarch/saves/notes.txt"],
            ["retroarch-zelda: Snes9x/Zelda.srm"]
        ),
        (
            ["ppsspp/PSP/SAVEDATA/ULUS10041S0/DATA.BIN", "ppsspp/PSP/SAVEDATA/ULUS10041S1/DATA.BIN"],
            ["ppsspp-ulus10041: SAVEDATA/ULUS10041S0 ULUS10041S1"]
        ),
        (
            ["rpcs3/dev_hdd0/home/00000001/savedata/BLUS30443-SAVE/PARAM.SFO"],
            ["rpcs3-blus30443: savedata/BLUS30443-SAVE"]
        ),
        // One card of all games, and folders in an order of their own.
        (["PCSX2/memcards/Mcd001.ps2"], []),
        (["Ryujinx/bis/user/save/0000000000000001/0/a"], []),
    ]

    @Test("Each game has a save of its own, if the emulator keeps them apart", arguments: rows)
    func each(files: [String], saves: [String]) {
        for file in files { tree.put(at: ".config/\(file)") }
        #expect(self.saves() == saves)
    }

    @Test("Cards of one game are one save, and Dolphin's files one by the game's number")
    func grouped() {
        for name in ["Crash_1.mcd", "Crash_2.mcd", "Spyro_1.mcd"] {
            tree.put(at: ".local/share/duckstation/memcards/\(name)")
        }
        for name in ["01-GZLE-gczelda.gci", "01-GZLE-two.gci", "01-GMSE-super.gci"] {
            tree.put(at: ".local/share/dolphin-emu/GC/EUR/Card A/\(name)")
        }
        tree.put(at: ".local/share/Cemu/mlc01/usr/save/00050000/101c9400/user/80000001/a")
        #expect(
            saves() == [
                "cemu-101c9400: 00050000/101c9400",
                "dolphin-01-gmse: Card A/01-GMSE-super.gci",
                "dolphin-01-gzle: Card A/01-GZLE-gczelda.gci 01-GZLE-two.gci",
                "duckstation-crash: memcards/Crash_1.mcd Crash_2.mcd", "duckstation-spyro: memcards/Spyro_1.mcd",
            ]
        )
    }

    @Test("Two saves of one name in two folders have names of their own")
    func twoFolders() throws {
        for core in ["Snes9x", "bsnes"] { tree.put(at: ".config/retroarch/saves/\(core)/Zelda.srm") }
        let names = try #require(tree.found().games.only).emulatorSaves().map(\.name)
        #expect(Set(names).count == 2 && names.allSatisfy { $0.hasPrefix("retroarch-zelda-") }, "\(names)")
    }

    @Test("A save of another machine gets the folder of the saves, and no other file gets any")
    func joining() throws {
        tree.put(at: ".config/retroarch/saves/Mario.srm")
        let game = try #require(tree.found().games.only)
        let folder = "\(tree.home)/.config/retroarch/saves"
        #expect(game.folder(ofSave: "retroarch-zelda", ["Zelda.rtc", "Zelda.srm"]) == folder)
        for (name, files) in [
            ("retroarch-zelda", ["Mario.srm"]), ("retroarch-zelda", ["Zelda.srm", "Mario.srm"]),
            ("retroarch-zelda", ["zelda.sh"]), ("retroarch-zelda", [".profile"]), ("celeste", ["Celeste.srm"]),
            ("retroarch-zelda", []),
        ] {
            #expect(game.folder(ofSave: name, files) == nil, "\(name) \(files)")
        }
    }

    @Test("A save goes where its file is, and nowhere if two folders could be meant")
    func severalFolders() throws {
        tree.put(at: ".config/retroarch/saves/Snes9x/Zelda.srm")
        tree.put(at: ".config/retroarch/saves/mGBA/Mario.srm")
        let game = try #require(tree.found().games.only)
        let folder = "\(tree.home)/.config/retroarch/saves/Snes9x"
        #expect(game.folder(ofSave: "retroarch-zelda", ["Zelda.srm"]) == folder)
        #expect(game.folder(ofSave: "retroarch-tetris", ["Tetris.srm"]) == nil)
    }
}
