extension Emulator {
    static let melonDS = Emulator(
        id: "melonds",
        title: "melonDS",
        sign: [.configuration("melonDS")],
        flatpaks: ["net.kuribo64.melonDS"],
        stores: [
            Store(
                name: "saves",
                content: .saves,
                setting: EmulatorSetting(
                    files: [.configuration("melonDS/melonDS.toml")],
                    form: .lines(section: nil),
                    key: "SaveFilePath"
                ),
                emuDeck: ["melonds/saves"],
                retroDECK: ["nds/melonds"]
            ),
            Store(
                name: "states",
                content: .states,
                setting: EmulatorSetting(
                    files: [.configuration("melonDS/melonDS.toml")],
                    form: .lines(section: nil),
                    key: "SavestatePath"
                ),
                emuDeck: ["melonds/states"],
                retroDECK: ["nds/melonds"]
            ),
        ]
    )

    static let mGBA = Emulator(
        id: "mgba",
        title: "mGBA",
        sign: [.configuration("mgba")],
        flatpaks: ["io.mgba.mGBA"],
        stores: [
            Store(
                name: "saves",
                content: .saves,
                setting: EmulatorSetting(
                    files: [.configuration("mgba/config.ini")],
                    form: .lines(section: nil),
                    key: "savegamePath"
                ),
                emuDeck: ["mgba/saves"]
            ),
            Store(
                name: "states",
                content: .states,
                setting: EmulatorSetting(
                    files: [.configuration("mgba/config.ini")],
                    form: .lines(section: nil),
                    key: "savestatePath"
                ),
                emuDeck: ["mgba/states"]
            ),
        ]
    )

    /// Ryujinx. Its folders are numbered by the order of first starts, so their index is part of the save.
    static let ryujinx = Emulator(
        id: "ryujinx",
        title: "Ryujinx",
        sign: [.configuration("Ryujinx")],
        flatpaks: ["io.github.ryubing.Ryujinx", "org.ryujinx.Ryujinx"],
        stores: [
            Store(
                name: "saves",
                content: .saves,
                defaults: [.configuration("Ryujinx/bis")],
                patterns: ["user/save", "user/saveMeta", "system/save"]
            ),
            Store(name: "saves", content: .saves, emuDeck: ["ryujinx/saves"], retroDECK: ["switch/ryubing/user"]),
        ]
    )

    static let cemu = Emulator(
        id: "cemu",
        title: "Cemu",
        sign: [.data("Cemu"), .configuration("Cemu")],
        flatpaks: ["info.cemu.Cemu"],
        stores: [
            Store(
                name: "saves",
                content: .saves,
                setting: EmulatorSetting(
                    files: [.configuration("Cemu/settings.xml")],
                    form: .element,
                    key: "mlc_path",
                    below: "usr/save"
                ),
                defaults: [.data("Cemu/mlc01/usr/save")],
                emuDeck: ["Cemu/saves", "cemu/saves"],
                retroDECK: ["wiiu/cemu"]
            )
        ]
    )

    static let rpcs3 = Emulator(
        id: "rpcs3",
        title: "RPCS3",
        sign: [.configuration("rpcs3")],
        flatpaks: ["net.rpcs3.RPCS3"],
        stores: [
            Store(
                name: "saves",
                content: .saves,
                setting: EmulatorSetting(
                    files: [.configuration("rpcs3/vfs.yml")],
                    form: .yaml,
                    key: "/dev_hdd0/",
                    relativeTo: .configuration("rpcs3"),
                    below: "home/00000001/savedata"
                ),
                defaults: [.configuration("rpcs3/dev_hdd0/home/00000001/savedata")],
                emuDeck: ["rpcs3/saves"],
                retroDECK: ["ps3/rpcs3"]
            ),
            Store(
                name: "states",
                content: .states,
                defaults: [.configuration("rpcs3/savestates")],
                retroDECK: ["ps3/rpcs3"]
            ),
        ]
    )

    /// Azahar. Installed games are in the same folder, so only the folders of saves count.
    static let azahar = Emulator(
        id: "azahar",
        title: "Azahar",
        sign: [.data("azahar-emu"), .data("citra-emu"), .data("lime3ds-emu")],
        flatpaks: ["org.azahar_emu.Azahar", "org.citra_emu.citra"],
        stores: [
            Store(
                name: "saves",
                content: .saves,
                setting: EmulatorSetting(
                    files: [.configuration("azahar-emu/qt-config.ini")],
                    form: .lines(section: "Data%20Storage"),
                    key: "sdmc_directory"
                ),
                defaults: [.data("azahar-emu/sdmc"), .data("lime3ds-emu/sdmc"), .data("citra-emu/sdmc")],
                patterns: ["Nintendo 3DS/*/*/title/*/*/data", "Nintendo 3DS/*/*/extdata"],
                emuDeck: ["azahar/saves", "citra/saves"],
                retroDECK: ["n3ds/azahar/sdmc"]
            ),
            Store(
                name: "states",
                content: .states,
                defaults: [.data("azahar-emu/states"), .data("citra-emu/states")],
                emuDeck: ["azahar/states", "citra/states"]
            ),
        ]
    )

    /// xemu. All games save into one disk image, which stays open while the emulator runs. Huddle lists it, but the
    /// image is too large to share.
    static let xemu = Emulator(
        id: "xemu",
        title: "xemu",
        sign: [.data("xemu/xemu")],
        flatpaks: ["app.xemu.xemu"],
        stores: [
            Store(
                name: "saves",
                content: .saves,
                defaults: [.data("xemu/xemu")],
                patterns: ["eeprom.bin", "*.qcow2"],
                emuDeck: ["xemu/saves"],
                retroDECK: ["xbox/xemu"]
            )
        ]
    )

    static let scummVM = Emulator(
        id: "scummvm",
        title: "ScummVM",
        sign: [.data("scummvm"), .home(".scummvm"), .configuration("scummvm")],
        flatpaks: ["org.scummvm.ScummVM"],
        stores: [
            Store(
                name: "saves",
                content: .saves,
                setting: EmulatorSetting(
                    files: [.configuration("scummvm/scummvm.ini")],
                    form: .lines(section: "scummvm"),
                    key: "savepath"
                ),
                defaults: [.data("scummvm/saves"), .home(".scummvm")],
                emuDeck: ["scummvm/saves"],
                retroDECK: ["scummvm"]
            )
        ]
    )
}
