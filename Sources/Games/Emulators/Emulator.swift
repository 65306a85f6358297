/// Where an emulator keeps saves, by its own settings or by default.
struct Emulator: Sendable {
    /// One sort of what it keeps.
    struct Store: Sendable {
        /// As the place is called: `<emulatorSaves>/pcsx2/saves`.
        let name: String
        let content: FoundPlace.Content
        /// Where its settings say the folder is.
        var setting: EmulatorSetting?
        /// The folder if they don't, below that of its settings or that of its data; none where saves lie beside the games.
        var defaults: [Folder] = []
        /// What counts of the folder; none for all.
        var patterns: [String] = []
        /// Where EmuDeck has it below its `saves`.
        var emuDeck: [String] = []
        /// Where RetroDECK has it below its `saves`, or below its `states`.
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
    /// The folder by which it is told that the emulator has been used.
    let sign: [Folder]
    var flatpaks: [String] = []
    let stores: [Store]
}
