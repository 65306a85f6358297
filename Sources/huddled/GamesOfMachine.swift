import Games
import LinuxPlatform
import SaveService

/// The games of this machine, as the launchers and the lists of the user name them. Each search reads the disk.
struct GamesOfMachine: AutoJoin.LocalGames, FoundSharing.LocalGames {
    let lists: GameLists

    func places(of wanted: [AutoJoin.Wanted]) async -> [String: AutoJoin.Place] {
        let places = await search { surroundings, knowledge in
            let found = GameFinder(surroundings, knowledge).find().games
            return wanted.compactMap { wanted in Self.place(of: wanted, among: found).map { (wanted.name, $0) } }
        }
        return Dictionary(places ?? []) { first, _ in first }
    }

    private static func place(of wanted: AutoJoin.Wanted, among found: [FoundGame]) -> AutoJoin.Place? {
        if let place = found.first(where: { $0.id == wanted.name })?.sharedPlace {
            let extent = place.names.map { AutoJoin.Place.Extent.names($0) }
            return AutoJoin.Place(place.path, extent ?? (place.ignoring.isEmpty ? .everything : .patterns))
        }
        guard let files = wanted.files else { return nil }
        let emulators = found.filter { wanted.name.hasPrefix("\($0.id)-") }
        return emulators.lazy.compactMap { $0.folder(ofSave: wanted.name, files) }.first
            .map { AutoJoin.Place($0, .names(files)) }
    }

    func watchPaths(of names: [String]) async -> [String] { await search { GameSigns($0, $1).paths(of: names) } ?? [] }

    func found() async -> FoundSharing.Findings {
        let games = await search { GameFinder($0, $1).find().games } ?? []
        var findings = FoundSharing.Findings()
        for game in games {
            if game.tally.files == 0 {
                findings.waiting += game.places.filter { $0.content == .saves }.map(\.path)
            } else if let place = game.sharedPlace {
                findings.games.append(.init(game.id, in: place.path, place.names, ignoring: place.ignoring))
            } else {
                let reason = game.shareObstacle.map { "\($0); " } ?? ""
                findings.unclear.append((game.id, "\(reason)`huddle games \(game.id)` shows more"))
            }
        }
        return findings
    }

    func signs(waiting: [String]) async -> FoundSharing.Signs {
        let signs = await search { surroundings, _ in
            let signs = NewGameSigns(surroundings, waiting: waiting)
            return FoundSharing.Signs(signs.paths, signs.state())
        }
        return signs ?? FoundSharing.Signs([], 0)
    }

    private func search<Result: Sendable>(
        _ body: @escaping @Sendable (GameSurroundings, GameKnowledge) -> Result
    ) async -> Result? {
        try? await runBlocking("games") { [lists] in
            let surroundings = GameSurroundings(ProgramLaunch.ownEnvironment)
            return body(surroundings, lists.knowledge(for: surroundings).knowledge)
        }
    }
}
