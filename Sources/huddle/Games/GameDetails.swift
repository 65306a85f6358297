import Games
import Household
import Ledger
import Vocabulary

/// The page about one game, for the user.
struct GameDetails {
    let text: String

    init(_ game: FoundGame, _ shared: SharedFolders?) {
        var lines = ["\(PrintableText(game.title, limit: 200)) (\(game.id))"]
        if !game.launchers.isEmpty { lines.append("  from \(game.launchers.map(\.label).joined(separator: ", "))") }
        for place in game.places { lines += Self.lines(place) }
        for note in game.notes { lines.append("  note: \(note.sentence)") }
        if let place = game.sharedPlace, let names = place.names {
            let list = names.map { "\(PrintableText($0, limit: 200))" }.joined(separator: ", ")
            lines.append("  one game: \(list) in \(PrintableText(place.path, limit: 4096))")
        }
        if let name = shared?.name(of: game) {
            lines.append("  shared as \(PrintableText(name, limit: 80)): `huddle show \(ShellWord(name))`")
        } else if game.sharedPlace != nil {
            lines.append("  → to share it: huddle share \(game.id)")
        } else if game.shareObstacle == .apart {
            lines.append("  its folders have no folder of the game in common, so each is a game of its own")
            lines.append("  → to share one: huddle share FOLDER --name NAME")
        }
        text = lines.joined(separator: "\n")
    }

    private static func lines(_ place: FoundPlace) -> [String] {
        let what = place.content == .states ? " (states)" : ""
        let path = "  \(PrintableText(place.path, limit: 4096))\(what)"
        let chosen =
            place.patterns.isEmpty
            ? "" : ", only \(place.patterns.map { "\(PrintableText($0, limit: 200))" }.joined(separator: " "))"
        let tally = place.tally
        guard tally.files > 0 else {
            let words = place.standing == .expected ? "the game will save here" : "no saves"
            return [path, "    \(words)\(chosen)"]
        }
        let size = ByteCount(UInt64(clamping: tally.bytes)).rounded
        let time = tally.lastSave.map { ", last save \(TimeText.local(WallTime(secondsSince1970: $0.seconds)))" } ?? ""
        let files = tally.files == 1 ? "1 file" : "\(tally.files)\(tally.isCut ? " or more" : "") files"
        let use = place.standing == .unused ? "; not in use" : ""
        return [path, "    \(files), \(size)\(time)\(chosen)\(use)"]
    }
}

extension FoundGame.Note {
    fileprivate var sentence: String {
        switch self {
        case .tooLarge:
            """
            the folder is too large for saves: over \(SaveSize.mostFiles) files or \
            \(ByteCount(UInt64(SaveSize.mostBytes)).rounded)
            """
        case .registryOnly: "it saves in the Windows registry, which Huddle does not sync"
        case .twoLayouts: "it has saved in several places here; the one with the newest save counts"
        case .notInstalled: "its saves are here, but the game is not installed"
        case .notStarted: "it makes its save folders when it starts for the first time"
        case .savesBesideGames: "it saves beside each game's files until its settings name a folder for saves"
        case .sharesFolder(let titles):
            """
            these games save in the same folder: \
            \(titles.prefix(3).map { "“\(PrintableText($0, limit: 60))”" }.joined(separator: ", "))
            """
        }
    }
}
