import SecureArchive
import Vocabulary

/// Finds the saves of emulators: native ones and Flatpaks, by settings or defaults, and in the layouts of EmuDeck and
/// RetroDECK.
struct EmulatorScan {
    private let surroundings: GameSurroundings
    private let decks: [Deck]

    /// A folder in which EmuDeck or RetroDECK collects the saves of many emulators.
    private struct Deck {
        let launcher: Launcher
        let saves: String
        let states: String
    }

    init(_ surroundings: GameSurroundings) {
        self.surroundings = surroundings
        decks = Self.emuDecks(surroundings) + Self.retroDECKs(surroundings)
    }

    func games() -> [FoundGame] {
        Emulator.known.compactMap(game) + others()
    }

    private func game(_ emulator: Emulator) -> FoundGame? {
        var collection = EmulatorCollection(emulator)
        for home in homes(of: emulator) {
            collection.isUsed = true
            for store in emulator.stores {
                for folder in folders(of: store, home) {
                    collection.add(store, folder, store.patterns, by: .emulator, surroundings)
                }
            }
        }
        for deck in decks {
            for store in emulator.stores {
                let root = deck.launcher == .retrodeck && store.content == .states ? deck.states : deck.saves
                let names = deck.launcher == .retrodeck ? store.retroDECK : store.emuDeck
                let patterns = deck.launcher == .retrodeck ? store.retroDECKPatterns ?? store.patterns : store.patterns
                for name in names {
                    let path = name.isEmpty ? root : "\(root)/\(name)"
                    collection.add(store, path, patterns, by: deck.launcher, surroundings)
                }
            }
        }
        return collection.game
    }

    // MARK: By settings and defaults

    private struct Home {
        let home: String
        let configuration: String
        let data: String

        func path(_ folder: Emulator.Folder) -> String {
            switch folder {
            case .configuration(let tail): "\(configuration)/\(tail)"
            case .data(let tail): "\(data)/\(tail)"
            case .home(let tail): "\(home)/\(tail)"
            }
        }
    }

    /// The homes in which the emulator has been used: outside of any sandbox, and in each of its Flatpaks.
    private func homes(of emulator: Emulator) -> [Home] {
        let own = Home(home: surroundings.home, configuration: surroundings.configuration, data: surroundings.data)
        let sandboxes = emulator.flatpaks.map { id in
            let folder = surroundings.flatpak(id)
            return Home(home: folder, configuration: "\(folder)/config", data: "\(folder)/data")
        }
        return ([own] + sandboxes).filter { home in emulator.sign.contains { LocalFiles.isFolder(home.path($0)) } }
    }

    private func folders(of store: Emulator.Store, _ home: Home) -> [String] {
        if let setting = store.setting, let named = folder(by: setting, home) { return [named] }
        return store.defaults.map(home.path)
    }

    private func folder(by setting: EmulatorSetting, _ home: Home) -> String? {
        guard let bytes = setting.files.lazy.compactMap({ LocalFiles.read(home.path($0), limit: 4 << 20) }).first,
            var path = setting.value(in: bytes), !path.isEmpty, path != "default", path.utf8.count < 4096
        else { return nil }
        if path.hasPrefix("$(EmulatorDir)"), let base = setting.relativeTo {
            path = "\(home.path(base))/\(path.dropFirst("$(EmulatorDir)".count))"
        }
        for (start, folder) in [("~/", "\(surroundings.home)/"), ("$HOME/", "\(surroundings.home)/")]
        where path.hasPrefix(start) {
            path = folder + path.dropFirst(start.count)
        }
        if !path.hasPrefix("/") {
            guard let base = setting.relativeTo else { return nil }
            path = "\(home.path(base))/\(path)"
        }
        return setting.below.isEmpty ? path : "\(path)/\(setting.below)"
    }

    // MARK: Set-ups of many emulators

    private static func emuDecks(_ surroundings: GameSurroundings) -> [Deck] {
        let settings = [
            "\(surroundings.configuration)/EmuDeck/settings.sh", "\(surroundings.home)/emudeck/settings.sh",
        ]
        let named = settings.compactMap { LocalFiles.read($0, limit: 1 << 20) }.compactMap { bytes in
            EmulatorSetting(files: [], form: .lines(section: nil), key: "savesPath").value(in: bytes)
        }.map { $0.replacing("$HOME", with: surroundings.home) }
        let usual = ["\(surroundings.home)/Emulation/saves"] + surroundings.cards.map { "\($0)/Emulation/saves" }
        return unique(named.filter { $0.hasPrefix("/") } + usual).map {
            Deck(launcher: .emudeck, saves: $0, states: $0)
        }
    }

    private static func retroDECKs(_ surroundings: GameSurroundings) -> [Deck] {
        let settings = "\(surroundings.flatpak("net.retrodeck.retrodeck"))/config/retrodeck/retrodeck.json"
        var decks: [Deck] = []
        if let paths = LocalFiles.read(settings, limit: 1 << 20).flatMap({ try? JSON.read($0) })?["paths"],
            let saves = paths.string("saves_path"), saves.hasPrefix("/")
        {
            decks.append(
                Deck(launcher: .retrodeck, saves: saves, states: paths.string("states_path") ?? "\(saves)/../states")
            )
        }
        let roots = ["\(surroundings.home)/retrodeck"] + surroundings.cards.map { "\($0)/retrodeck" }
        decks += roots.map { Deck(launcher: .retrodeck, saves: "\($0)/saves", states: "\($0)/states") }
        let saves = unique(decks.map(\.saves))
        return saves.compactMap { path in decks.first { $0.saves == path } }
    }

    /// The paths that exist, each once.
    private static func unique(_ paths: [String]) -> [String] {
        var seen: Set<String> = []
        return paths.filter { path in LocalFiles.real(path).map { seen.insert($0).inserted } ?? false }
    }

    /// The saves of unknown emulators in EmuDeck.
    private func others() -> [FoundGame] {
        let known = Set(
            Emulator.known.flatMap(\.stores).flatMap(\.emuDeck).compactMap {
                $0.split(separator: "/").first?.lowercased()
            }
        )
        var collections: [String: EmulatorCollection] = [:]
        for deck in decks where deck.launcher == .emudeck {
            for name in LocalFiles.folders(deck.saves, limit: 1000) where !known.contains(name.lowercased()) {
                let id = GameTitle.shortName(name)
                for (kind, content) in [("saves", FoundPlace.Content.saves), ("states", .states)] {
                    let store = Emulator.Store(name: kind, content: content)
                    var collection =
                        collections[id] ?? EmulatorCollection(Emulator(id: id, title: name, sign: [], stores: []))
                    collection.add(store, "\(deck.saves)/\(name)/\(kind)", [], by: .emudeck, surroundings)
                    collections[id] = collection
                }
            }
        }
        return collections.values.compactMap(\.game)
    }
}
