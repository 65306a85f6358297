/// Folders that hold the folders of many games or makers, so that their name alone names no game.
enum FolderOfMany {
    static func holdsMany(_ base: PlaceBase, _ names: ArraySlice<String>) -> Bool {
        guard let first = names.first?.lowercased() else { return true }
        switch base {
        case .xdgConfig, .xdgData:
            if first == "unity3d" || first == "godot" { return names.count < 3 }
            return ["renpy", "love", "steam", "com", "org"].contains(first) && names.count < 2
        case .home:
            if names.count < 3, names.map({ $0.lowercased() }).starts(with: ["documents", "my games"]) { return true }
            return [".renpy", ".steam", ".cache", ".local", "documents", "games", "my games", ".var", "saved games"]
                .contains(first)
                && names.count < 2
        case .winLocalAppDataLow: return names.count < 2
        case .winDocuments:
            return ["my games", "saved games", "electronic arts", "rockstar games"].contains(first) && names.count < 2
        case .winAppData, .winLocalAppData:
            if first == "godot" { return names.count < 3 }
            return ["renpy", "godot", "love", "packages", "gog.com"].contains(first) && names.count < 2
        case .winHome, .winPublic: return ["documents"].contains(first) && names.count < 2
        case .winDrive: return names.count < 2
        case .winProgramData, .winSavedGames, .installDir, .steamUserdata, .emulatorSaves: return false
        }
    }
}
