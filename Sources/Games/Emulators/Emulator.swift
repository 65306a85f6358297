/// An emulator with the folders of its saves, by its own settings or by default.
struct Emulator: Sendable {
    /// One sort of what it keeps.
    struct Store: Sendable {
        /// As the place is called: `<emulatorSaves>/pcsx2/saves`.
        let name: String
        let content: FoundPlace.Content
        /// The key of its settings that names the folder.
        var setting: EmulatorSetting?
        /// The folder if they don't, below that of its settings or that of its data; none if saves are beside the games.
        var defaults: [Folder] = []
        /// The patterns that count of the folder; none for all.
        var patterns: [String] = []
        /// Its folders below EmuDeck's `saves`.
        var emuDeck: [String] = []
        /// Its folders below RetroDECK's `saves`, or below its `states`.
        var retroDECK: [String] = []
        var retroDECKPatterns: [String]?
    }

    /// A folder below one of the two that each program has.
    enum Folder: Sendable {
        case configuration(String)
        case data(String)
        case home(String)
    }

    /// As it is called in places: small letters and digits.
    let id: String
    let title: String
    /// The folders that show that the emulator has been used.
    let sign: [Folder]
    var flatpaks: [String] = []
    let stores: [Store]
}
