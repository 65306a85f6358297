import Games
import Vocabulary

/// A game as JSON of `huddle games --json`, which `docs/json-output.md` describes.
struct GameShape: Encodable {
    let id: String
    let title: String
    let launchers: [String]
    let places: [Place]
    let files: Int
    let bytes: Int
    let lastSave: Int64?
    let shared: Bool?
    let share: Share?
    let obstacle: String?
    let notes: [String]

    /// The part of the machine that `huddle share` takes for the game.
    struct Share: Encodable {
        let path: String
        let names: [String]?
    }

    struct Place: Encodable {
        let path: String
        let base: String
        let tail: String
        let kind: String
        let content: String
        let standing: String
        let patterns: [String]?
        let files: Int
        let bytes: Int
        let lastSave: Int64?

        init(_ place: FoundPlace) {
            path = place.path
            (base, tail) = (place.place.base.rawValue, place.place.writtenTail)
            (kind, content, standing) = (place.kind.rawValue, place.content.rawValue, place.standing.rawValue)
            patterns = place.patterns.isEmpty ? nil : place.patterns
            (files, bytes, lastSave) = (place.tally.files, place.tally.bytes, place.tally.lastSave?.seconds)
        }
    }

    init(_ game: FoundGame, _ shared: SharedFolders?) {
        (id, title) = (game.id, game.title)
        launchers = game.launchers.map(\.rawValue)
        places = game.places.map(Place.init)
        let tally = game.tally
        (files, bytes, lastSave) = (tally.files, tally.bytes, tally.lastSave?.seconds)
        self.shared = shared.map { $0.name(of: game) != nil }
        share = game.sharedPlace.map { Share(path: $0.path, names: $0.names) }
        obstacle = game.shareObstacle?.rawValue
        notes = game.notes.map(\.word)
    }
}

extension FoundGame.Note {
    fileprivate var word: String {
        switch self {
        case .tooLarge: "too-large"
        case .registryOnly: "registry-only"
        case .twoLayouts: "two-layouts"
        case .notInstalled: "not-installed"
        case .notStarted: "not-started"
        case .savesBesideGames: "saves-beside-games"
        case .sharesFolder: "shares-folder"
        }
    }
}
