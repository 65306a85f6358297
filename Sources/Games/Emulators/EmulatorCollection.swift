import Vocabulary

/// The saves of one emulator, place by place.
struct EmulatorCollection {
    /// True if folders show that the emulator was used on this machine, with or without saves.
    var isUsed = false
    private let emulator: Emulator
    private var places: [FoundPlace] = []
    private var launchers: Set<Launcher> = []

    init(_ emulator: Emulator) {
        self.emulator = emulator
    }

    /// Adds a folder if it exists. The folder may be a link: EmuDeck makes such links.
    mutating func add(
        _ store: Emulator.Store,
        _ path: String,
        _ patterns: [String],
        by launcher: Launcher,
        _ surroundings: GameSurroundings
    ) {
        let ways = patterns.compactMap { try? GamePlace.components($0) }
        guard ways.count == patterns.count, LocalFiles.isFolder(path), let real = LocalFiles.real(path),
            !surroundings.isTooBroad(real),
            let place = try? GamePlace(.emulatorSaves, tail: "\(emulator.id)/\(store.name)")
        else { return }
        launchers.insert(launcher)
        // EmuDeck links its folder to the emulator's own.
        guard !places.contains(where: { $0.real == real && $0.content == store.content }) else { return }
        places.append(
            FoundPlace(
                path: path,
                place: place,
                kind: .native,
                patterns: patterns,
                content: store.content,
                standing: .used,
                tally: SaveWalk.tally(real, patterns: ways, ignoringCase: false),
                real: real
            )
        )
    }

    /// The emulator as a game; nil if it has saved nothing.
    var game: FoundGame? {
        let standing = places.map { place in
            var place = place
            // Of several folders for the same saves, the one with the newest save is in use.
            let last = places.filter { $0.place == place.place }.compactMap(\.tally.lastSave).max()
            if let last, place.tally.lastSave != last { place.standing = .unused }
            return place
        }
        guard standing.contains(where: { $0.tally.files > 0 }) else {
            return isUsed && places.isEmpty ? FoundGame.besideGames(emulator) : nil
        }
        var notes: [FoundGame.Note] = []
        if standing.contains(where: { $0.content == .saves && SaveSize.isTooLarge($0.tally) }) {
            notes.append(.tooLarge)
        }
        if standing.contains(where: { $0.standing == .unused && $0.tally.files > 0 }) { notes.append(.twoLayouts) }
        return FoundGame(
            id: "",
            title: emulator.title,
            launchers: Launcher.allCases.filter(launchers.contains),
            places: standing.filter { $0.tally.files > 0 },
            notes: notes
        )
    }
}

extension FoundGame {
    fileprivate static func besideGames(_ emulator: Emulator) -> FoundGame? {
        guard emulator.stores.first?.defaults.isEmpty == true else { return nil }
        return FoundGame(id: "", title: emulator.title, launchers: [.emulator], places: [], notes: [.savesBesideGames])
    }
}
