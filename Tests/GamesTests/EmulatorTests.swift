import GameTrees
import Testing

@testable import Games

/// Emulators, with the files that they save.
@Suite("The finder with emulators", .timeLimit(.minutes(1)))
struct EmulatorTests {
    private let tree = GameTree()

    /// Each emulator with a save and a state where it puts them by default.
    static let defaults: [(id: String, saves: String, state: String?)] = [
        ("retroarch", ".config/retroarch/saves/a.srm", ".config/retroarch/states/a.state"),
        ("dolphin", ".local/share/dolphin-emu/GC/EUR/Card A/a.gci", ".local/share/dolphin-emu/StateSaves/a.s01"),
        ("dolphin", ".local/share/dolphin-emu/Wii/title/00010000/52534245/data/banner.bin", nil),
        ("pcsx2", ".config/PCSX2/memcards/Mcd001.ps2", ".config/PCSX2/sstates/a.p2s"),
        ("duckstation", ".local/share/duckstation/memcards/a.mcd", ".local/share/duckstation/savestates/a.sav"),
        ("ppsspp", ".config/ppsspp/PSP/SAVEDATA/ULES00000/DATA.BIN", ".config/ppsspp/PSP/PPSSPP_STATE/a.ppst"),
        ("ryujinx", ".config/Ryujinx/bis/user/save/0000000000000001/0/a", nil),
        ("cemu", ".local/share/Cemu/mlc01/usr/save/00050000/101c9400/user/80000001/a", nil),
        ("rpcs3", ".config/rpcs3/dev_hdd0/home/00000001/savedata/BLES00000/PARAM.SFO", ".config/rpcs3/savestates/a"),
        ("azahar", ".local/share/azahar-emu/sdmc/Nintendo 3DS/0/0/title/00040000/00033500/data/00000001/a", nil),
        ("xemu", ".local/share/xemu/xemu/eeprom.bin", nil),
        ("scummvm", ".local/share/scummvm/saves/monkey.s01", nil),
    ]

    @Test("The finder finds the default places of each emulator's saves, and states as such", arguments: defaults)
    func byDefault(id: String, saves: String, state: String?) throws {
        tree.put(at: saves)
        if let state { tree.put(at: state) }
        let game = try #require(tree.found().games.only)
        #expect(game.id == id && game.launchers == [.emulator] && game.tally.files == 1)
        #expect(game.places.map(\.content) == (state == nil ? [.saves] : [.saves, .states]))
        #expect(game.places.first?.place.description.hasPrefix("<emulatorSaves>/\(id)/") == true)
    }

    @Test(
        "The finder finds the saves of each emulator in a Flatpak",
        arguments: [
            ("retroarch", ".var/app/org.libretro.RetroArch/config/retroarch/saves/a.srm"),
            ("dolphin", ".var/app/org.DolphinEmu.dolphin-emu/data/dolphin-emu/GC/MemoryCardA.USA.raw"),
            ("pcsx2", ".var/app/net.pcsx2.PCSX2/config/PCSX2/memcards/Mcd001.ps2"),
            ("ppsspp", ".var/app/org.ppsspp.PPSSPP/config/ppsspp/PSP/SAVEDATA/A/DATA.BIN"),
            ("cemu", ".var/app/info.cemu.Cemu/data/Cemu/mlc01/usr/save/00050000/1/a"),
            ("rpcs3", ".var/app/net.rpcs3.RPCS3/config/rpcs3/dev_hdd0/home/00000001/savedata/A/a"),
            ("azahar", ".var/app/org.azahar_emu.Azahar/data/azahar-emu/sdmc/Nintendo 3DS/0/0/extdata/00000000/1/a"),
            ("xemu", ".var/app/app.xemu.xemu/data/xemu/xemu/eeprom.bin"),
        ]
    )
    func inFlatpak(id: String, save: String) throws {
        tree.put(at: save)
        let game = try #require(tree.found().games.only)
        #expect(game.id == id && game.tally.files == 1)
    }

    @Test(
        "The finder goes by an emulator's own settings",
        arguments: [
            ("retroarch", ".config/retroarch/retroarch.cfg", "savefile_directory = \"~/my saves\"\n"),
            (
                "pcsx2", ".config/PCSX2/inis/PCSX2.ini",
                "[UI]\nMemoryCards = no\n[Folders]\nMemoryCards = HOME/my saves\n"
            ),
            ("duckstation", ".local/share/duckstation/settings.ini", "[MemoryCards]\nDirectory = HOME/my saves\n"),
            ("melonds", ".config/melonDS/melonDS.toml", "[Instance0]\nSaveFilePath = \"HOME/my saves\"\n"),
            ("mgba", ".config/mgba/config.ini", "[ports.qt]\nsavegamePath=HOME/my saves\n"),
            ("scummvm", ".config/scummvm/scummvm.ini", "[scummvm]\nsavepath=HOME/my saves\n"),
        ]
    )
    func bySettings(id: String, file: String, text: String) throws {
        tree.put(text.replacing("HOME", with: tree.home), at: file)
        tree.put(at: "my saves/a.sav")
        let game = try #require(tree.found().games.only)
        #expect(game.id == id && game.places.only?.path == tree.path("my saves") && game.tally.files == 1)
    }

    @Test(
        "The finder goes by settings that name the folder above the saves",
        arguments: [
            (
                "cemu", ".config/Cemu/settings.xml", "<content><mlc_path>HOME/mlc</mlc_path></content>",
                "mlc/usr/save/00050000/1/a"
            ),
            ("rpcs3", ".config/rpcs3/vfs.yml", "/dev_hdd0/: HOME/hdd/\n", "hdd/home/00000001/savedata/A/a"),
            (
                "rpcs3", ".config/rpcs3/vfs.yml", "/dev_hdd0/: $(EmulatorDir)disk/\n",
                ".config/rpcs3/disk/home/00000001/savedata/A/a"
            ),
            (
                "azahar", ".config/azahar-emu/qt-config.ini", "[Data%20Storage]\nsdmc_directory=HOME/sdmc/\n",
                "sdmc/Nintendo 3DS/0/0/title/00040000/1/data/a"
            ),
        ]
    )
    func byFolderAbove(id: String, file: String, text: String, save: String) throws {
        tree.put(text.replacing("HOME", with: tree.home), at: file)
        tree.put(at: save)
        if id == "azahar" { tree.makeFolder(".local/share/azahar-emu") }
        let game = try #require(tree.found().games.only)
        #expect(game.id == id && game.tally.files == 1)
    }

    @Test("The finder reports an emulator that saves beside each game")
    func besideGames() throws {
        tree.put("[ports.qt]\nuseBios=1\n", at: ".config/mgba/config.ini")
        let game = try #require(tree.found().games.only)
        #expect(game.id == "mgba" && game.notes == [.savesBesideGames] && game.places.isEmpty)
    }

    @Test(
        "The finder finds EmuDeck's saves in a home or on a memory card, through its links and once",
        arguments: [false, true]
    )
    func emuDeck(isOnCard: Bool) throws {
        let root = isOnCard ? "\(tree.mounts)/deck/SD/Emulation/saves" : "Emulation/saves"
        let flatpak = ".var/app/org.libretro.RetroArch/config/retroarch/saves"
        tree.put(at: "\(flatpak)/a.srm")
        tree.link("\(root)/retroarch/saves", to: tree.path(flatpak))
        tree.put(at: "\(root)/pcsx2/saves/Mcd001.ps2")
        tree.put(at: "\(root)/Vita3K/saves/a")
        let games = tree.found().games
        #expect(games.map(\.id) == ["pcsx2", "retroarch", "vita3k"])
        #expect(games.map(\.tally.files) == [1, 1, 1])
        #expect(games[1].launchers == [.emulator, .emudeck] && games[1].places.count == 1)
        #expect(games[0].launchers == [.emudeck] && games[2].title == "Vita3K")
    }

    @Test("The finder finds RetroDECK's saves by its own settings or in its usual folder", arguments: [false, true])
    func retroDECK(isBySettings: Bool) throws {
        let root = isBySettings ? "\(tree.mounts)/SD/my deck" : "retrodeck"
        if isBySettings {
            tree.put(
                #"{"version":"0.9","paths":{"saves_path":"\#(root)/saves","states_path":"\#(root)/states"}}"#,
                at: ".var/app/net.retrodeck.retrodeck/config/retrodeck/retrodeck.json"
            )
        }
        tree.put(at: "\(root)/saves/snes/a.srm")
        tree.put(at: "\(root)/saves/ps2/pcsx2/memcards/Mcd001.ps2")
        tree.put(at: "\(root)/saves/gc/dolphin/EU/a.gci")
        tree.put(at: "\(root)/states/snes/a.state1")
        let games = tree.found().games
        #expect(games.map(\.id) == ["dolphin", "pcsx2", "retroarch"])
        #expect(games.allSatisfy { $0.launchers == [.retrodeck] && $0.tally.files == 1 })
        #expect(games.last?.places.map(\.content) == [.saves, .states])
    }

    @Test("The finder takes the folder with the latest save if one emulator has two")
    func twoFolders() throws {
        tree.put(at: ".config/retroarch/saves/a.srm", saved: 1000)
        tree.put(at: ".var/app/org.libretro.RetroArch/config/retroarch/saves/a.srm", saved: 2000)
        let game = try #require(tree.found().games.only)
        #expect(game.places.map(\.standing) == [.unused, .used] && game.notes == [.twoLayouts])
    }
}
