/// The rules that refuse a place if it would match far more than the saves of a game, or no saves at all.
enum PlaceBreadth {
    static func refusal(of place: GamePlace) -> PlaceRefusal? {
        guard let first = place.tail.first else { return .tooBroad(place.base.written) }
        let names = place.tail.map { $0.text.lowercased() }
        if isReserved(place.base, names) { return .reserved(place.description) }
        guard place.tail.count(where: { $0.form == .anyDepth }) <= 2, isNarrow(first, in: place.base),
            place.tail.contains(where: { $0.isFixed || $0.literalCount >= 2 }), !isShared(place, names)
        else { return .tooBroad(place.description) }
        return nil
    }

    private static func isNarrow(_ first: PlaceComponent, in base: PlaceBase) -> Bool {
        switch first.form {
        case .name: true
        case .anyDepth: false
        case .hole: base == .steamUserdata || base == .winDrive
        case .pattern: first.literalCount >= (base == .installDir ? 1 : 3)
        }
    }

    /// True for a folder of many games or of the user: the place of a game must be within it.
    private static func isShared(_ place: GamePlace, _ names: [String]) -> Bool {
        switch place.base {
        case .home, .winHome: return names.count == 1 && personal.contains(names[0])
        case .winDrive: return names.count < 2
        case .steamUserdata: return names.count < 2 || place.tail[1].form != .name
        case .winDocuments: return names == ["my games"]
        case .xdgConfig, .xdgData, .winAppData, .winLocalAppData, .winLocalAppDataLow:
            return names.count == 1 && makers.contains(names[0])
        case .installDir, .emulatorSaves, .winSavedGames, .winPublic, .winProgramData: return false
        }
    }

    static func isReserved(_ base: PlaceBase, _ names: [String]) -> Bool {
        switch base {
        case .home:
            names[0].hasPrefix(".ssh") || reservedInHome.contains(names[0])
                || names.starts(with: [".config", "autostart"]) || names.starts(with: [".local", "bin"])
        case .xdgConfig: reservedInConfiguration.contains(names[0])
        case .xdgData: reservedInData.contains(names[0])
        case .winDrive: names.starts(with: ["windows", "system32"])
        case .winAppData: names.starts(with: ["microsoft", "windows"])
        default: false
        }
    }

    private static let personal: Set<String> = [
        "documents", "my documents", "downloads", "desktop", "pictures", "music", "videos", "public", "templates",
        "games", "appdata", "saved games", ".config", ".local", ".cache", ".var", ".steam", ".wine", ".renpy",
        "library",
    ]
    private static let makers: Set<String> = [
        "unity3d", "godot", "renpy", "steam", "heroic", "lutris", "bottles", "love", "roaming", "local", "locallow",
        "packages", "temp", "programs",
    ]
    private static let reservedInHome: Set<String> = [
        ".gnupg", ".pki", ".password-store", ".mozilla", ".aws", ".kube", ".docker", ".netrc", ".profile", ".bashrc",
        ".bash_profile", ".zshrc", ".gitconfig", ".git-credentials",
    ]
    private static let reservedInConfiguration: Set<String> = [
        "autostart", "systemd", "huddle", "fish", "environment.d", "google-chrome", "chromium", "gtk-3.0", "gtk-4.0",
    ]
    private static let reservedInData: Set<String> = [
        "applications", "keyrings", "systemd", "huddle", "flatpak", "dbus-1", "trash",
    ]
}
