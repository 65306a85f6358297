/// The program that installed a game.
package enum Launcher: String, Sendable, Hashable, CaseIterable {
    case steam, steamFlatpak, heroic, heroicFlatpak, lutris, lutrisFlatpak, bottles, bottlesFlatpak, flatpak
    case emulator, emudeck, retrodeck
    /// No launcher: the saves are in a folder of programs' data.
    case folder

    /// The name that users know.
    package var label: String {
        switch self {
        case .steam: "Steam"
        case .steamFlatpak: "Steam (Flatpak)"
        case .heroic: "Heroic"
        case .heroicFlatpak: "Heroic (Flatpak)"
        case .lutris: "Lutris"
        case .lutrisFlatpak: "Lutris (Flatpak)"
        case .bottles: "Bottles"
        case .bottlesFlatpak: "Bottles (Flatpak)"
        case .flatpak: "Flatpak"
        case .emulator: "emulator"
        case .emudeck: "EmuDeck"
        case .retrodeck: "RetroDECK"
        case .folder: "folder"
        }
    }
}
