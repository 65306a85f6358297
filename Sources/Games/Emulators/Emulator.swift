/// An emulator, with the folders of its saves, from its settings or by default.
struct Emulator: Sendable {
    /// One kind of saves of the emulator.
    struct Store: Sendable {
        /// The name in the place, such as `saves` in `<emulatorSaves>/pcsx2/saves`.
        let name: String
        let content: FoundPlace.Content
        /// The key in the settings that names the folder.
        var setting: EmulatorSetting?
        /// The default folders if the settings name none; empty if the emulator saves beside the games.
        var defaults: [Folder] = []
        /// The patterns of the saves in the folder; empty for all files.
        var patterns: [String] = []
        /// Its folders below EmuDeck's `saves`.
        var emuDeck: [String] = []
        /// Its folders below RetroDECK's `saves`, or below its `states`.
        var retroDECK: [String] = []
        var retroDECKPatterns: [String]?
    }

    /// A folder below the program's folder of settings, its folder of data, or its home.
    enum Folder: Sendable {
        case configuration(String)
        case data(String)
        case home(String)
    }

    /// The name in places: lower-case letters and digits.
    let id: String
    let title: String
    /// The folders that show that the emulator has been used.
    let sign: [Folder]
    var flatpaks: [String] = []
    let stores: [Store]
}
