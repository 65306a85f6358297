/// The base folder of a place, which each machine resolves to a folder of its own.
package enum PlaceBase: String, CaseIterable, Sendable, Hashable {
    case home, xdgConfig, xdgData
    /// Steam's `userdata`, below which each Steam account has a folder.
    case steamUserdata
    /// The folder that a launcher installed the game into.
    case installDir
    /// The saves of an emulator by its ID and their sort, in the folder that the settings of the emulator name.
    case emulatorSaves
    /// The Windows user's own folder, `C:\Users\NAME`.
    case winHome
    case winDocuments, winAppData, winLocalAppData, winLocalAppDataLow, winSavedGames, winPublic, winProgramData
    /// The drive C itself, for the few games that save directly in it.
    case winDrive

    /// The layout that has this base; nil if the game decides, as with its own folder.
    package var kind: PlaceKind? {
        switch self {
        case .home, .xdgConfig, .xdgData, .steamUserdata, .emulatorSaves: .native
        case .installDir: nil
        case .winHome, .winDocuments, .winAppData, .winLocalAppData, .winLocalAppDataLow, .winSavedGames, .winPublic,
            .winProgramData, .winDrive:
            .windows
        }
    }

    /// The textual form, with which a place begins.
    var written: String { "<\(rawValue)>" }
}
