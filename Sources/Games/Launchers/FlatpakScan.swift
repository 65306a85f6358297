/// Finds Flatpaks that are games themselves, by their folders of data.
struct FlatpakScan {
    private let surroundings: GameSurroundings

    init(_ surroundings: GameSurroundings) {
        self.surroundings = surroundings
    }

    func games() -> [InstalledGame] {
        LocalFiles.folders("\(surroundings.home)/.var/app", limit: 5000).map { id in
            var game = InstalledGame(.flatpak, nil)
            game.keys = [.flatpak(id)]
            let folder = surroundings.flatpak(id)
            // The folder of a Flatpak is its home.
            game.roots = [
                .native(
                    home: folder,
                    configuration: ["\(folder)/config", "\(folder)/.config"],
                    data: ["\(folder)/data", "\(folder)/.local/share"]
                )
            ]
            return game
        }
    }
}
