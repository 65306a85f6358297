extension Emulator {
    /// All known emulators. Their default folders are from their sources and from the scripts of EmuDeck and RetroDECK,
    /// which `docs/reference/games.md` names.
    static let known: [Emulator] = [
        retroArch, dolphin, pcsx2, duckStation, ppsspp, melonDS, mGBA, ryujinx, cemu, rpcs3, azahar, xemu, scummVM,
    ]

    private static let retroArch: Emulator = {
        let files: [Folder] = [.configuration("retroarch/retroarch.cfg")]
        return Emulator(
            id: "retroarch",
            title: "RetroArch",
            sign: [.configuration("retroarch")],
            flatpaks: ["org.libretro.RetroArch"],
            stores: [
                Store(
                    name: "saves",
                    content: .saves,
                    setting: EmulatorSetting(
                        files: files,
                        form: .lines(section: nil),
                        key: "savefile_directory",
                        relativeTo: .configuration("retroarch")
                    ),
                    defaults: [.configuration("retroarch/saves")],
                    emuDeck: ["retroarch/saves"],
                    // The folders beside it in RetroDECK are those of other emulators.
                    retroDECK: [""],
                    retroDECKPatterns: ["*.srm", "*/*.srm", "*/*/*.srm"]
                ),
                Store(
                    name: "states",
                    content: .states,
                    setting: EmulatorSetting(
                        files: files,
                        form: .lines(section: nil),
                        key: "savestate_directory",
                        relativeTo: .configuration("retroarch")
                    ),
                    defaults: [.configuration("retroarch/states")],
                    emuDeck: ["retroarch/states"],
                    retroDECK: [""],
                    retroDECKPatterns: ["*.state*", "*/*.state*", "*/*/*.state*"]
                ),
            ]
        )
    }()

    private static let dolphin = Emulator(
        id: "dolphin",
        title: "Dolphin",
        sign: [.data("dolphin-emu")],
        flatpaks: ["org.DolphinEmu.dolphin-emu"],
        stores: [
            Store(
                name: "gamecube",
                content: .saves,
                defaults: [.data("dolphin-emu/GC")],
                patterns: ["**/*.gci", "*.raw", "*/*.raw"],
                emuDeck: ["dolphin/GC"],
                retroDECK: ["gc/dolphin"]
            ),
            // The rest of the folder is a console's memory with installed games.
            Store(
                name: "wii",
                content: .saves,
                defaults: [.data("dolphin-emu/Wii")],
                patterns: ["title/*/*/data"],
                emuDeck: ["dolphin/Wii"],
                retroDECK: ["wii/dolphin"]
            ),
            Store(name: "gba", content: .saves, defaults: [.data("dolphin-emu/GBA/Saves")], retroDECK: ["gba"]),
            Store(
                name: "states",
                content: .states,
                defaults: [.data("dolphin-emu/StateSaves")],
                emuDeck: ["dolphin/StateSaves", "dolphin/states"],
                retroDECK: ["dolphin"]
            ),
        ]
    )

    private static let pcsx2: Emulator = {
        func setting(_ key: String) -> EmulatorSetting {
            EmulatorSetting(
                files: [.configuration("PCSX2/inis/PCSX2.ini")],
                form: .lines(section: "Folders"),
                key: key,
                relativeTo: .configuration("PCSX2")
            )
        }
        return Emulator(
            id: "pcsx2",
            title: "PCSX2",
            sign: [.configuration("PCSX2")],
            flatpaks: ["net.pcsx2.PCSX2"],
            stores: [
                Store(
                    name: "saves",
                    content: .saves,
                    setting: setting("MemoryCards"),
                    defaults: [.configuration("PCSX2/memcards")],
                    emuDeck: ["pcsx2/saves"],
                    retroDECK: ["ps2/pcsx2/memcards"]
                ),
                Store(
                    name: "states",
                    content: .states,
                    setting: setting("Savestates"),
                    defaults: [.configuration("PCSX2/sstates")],
                    emuDeck: ["pcsx2/states"],
                    retroDECK: ["ps2/pcsx2"]
                ),
            ]
        )
    }()

    private static let duckStation = Emulator(
        id: "duckstation",
        title: "DuckStation",
        sign: [.data("duckstation"), .configuration("duckstation")],
        flatpaks: ["org.duckstation.DuckStation"],
        stores: [
            Store(
                name: "saves",
                content: .saves,
                setting: EmulatorSetting(
                    files: [.data("duckstation/settings.ini"), .configuration("duckstation/settings.ini")],
                    form: .lines(section: "MemoryCards"),
                    key: "Directory",
                    relativeTo: .data("duckstation")
                ),
                defaults: [.data("duckstation/memcards"), .configuration("duckstation/memcards")],
                emuDeck: ["duckstation/saves"],
                retroDECK: ["psx/duckstation/memcards"]
            ),
            Store(
                name: "states",
                content: .states,
                defaults: [.data("duckstation/savestates"), .configuration("duckstation/savestates")],
                emuDeck: ["duckstation/states"],
                retroDECK: ["psx/duckstation"]
            ),
        ]
    )

    private static let ppsspp = Emulator(
        id: "ppsspp",
        title: "PPSSPP",
        sign: [.configuration("ppsspp")],
        flatpaks: ["org.ppsspp.PPSSPP"],
        stores: [
            Store(
                name: "saves",
                content: .saves,
                defaults: [.configuration("ppsspp/PSP/SAVEDATA")],
                emuDeck: ["ppsspp/saves"],
                retroDECK: ["PSP/PPSSPP-SA"]
            ),
            Store(
                name: "states",
                content: .states,
                defaults: [.configuration("ppsspp/PSP/PPSSPP_STATE")],
                emuDeck: ["ppsspp/states"],
                retroDECK: ["PSP/PPSSPP-SA"]
            ),
        ]
    )
}
