/// The text of a list of games, a fact a line:
///
///     = Hollow Knight
///     steam 367520 598190
///     dir Hollow Knight
///     save <xdgConfig>/unity3d/Team Cherry/Hollow Knight/*.dat
///
/// The list in this module has this form, and so has the stored extract of a manifest.
package enum GameList {
    static let start = "= "

    /// The lines of a game; nil if the title does not fit one line. Leaves out names that do not fit one.
    package static func text(of game: KnownGame) -> String? {
        guard isLine(game.title), game.alias.map(isLine) != false else { return nil }
        var text = "\(start)\(game.title)\n"
        if let alias = game.alias { return text + "alias \(alias)\n" }
        if !game.steamIDs.isEmpty { text += "steam \(game.steamIDs.map { "\($0)" }.joined(separator: " "))\n" }
        if !game.gogIDs.isEmpty { text += "gog \(game.gogIDs.map { "\($0)" }.joined(separator: " "))\n" }
        for name in game.installFolders where isLine(name) { text += "dir \(name)\n" }
        for id in game.flatpakIDs where isLine(id) { text += "flatpak \(id)\n" }
        for name in game.lutrisNames where isLine(name) { text += "lutris \(name)\n" }
        for place in game.places { text += "save \(place)\n" }
        if game.savesInRegistry { text += "registry\n" }
        return text
    }

    /// True if a text has no character that ends a line or moves a cursor. Without this check, a title could add
    /// another line to the list.
    static func isLine(_ text: String) -> Bool {
        !text.isEmpty && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// All games of a text. Leaves out lines that it does not understand.
    package static func games(in text: String) -> [KnownGame] {
        var games: [KnownGame] = []
        // Splits bytes, not characters: a combining accent after a separator would form one character with it.
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            if line.starts(with: start.utf8) {
                games.append(KnownGame(String(Substring(line.dropFirst(start.utf8.count)))))
            } else if !games.isEmpty {
                read(line, into: &games[games.count - 1])
            }
        }
        return games
    }

    private static func read(_ line: Substring.UTF8View, into game: inout KnownGame) {
        let end = line.firstIndex(of: UInt8(ascii: " ")) ?? line.endIndex
        let rest = String(Substring(line[end...].dropFirst()))
        switch String(Substring(line[..<end])) {
        case "alias": game.alias = rest
        case "steam": game.steamIDs += rest.split(separator: " ").compactMap { UInt32($0) }
        case "gog": game.gogIDs += rest.split(separator: " ").compactMap { UInt64($0) }
        case "dir": game.installFolders.append(rest)
        case "flatpak": game.flatpakIDs.append(rest)
        case "lutris": game.lutrisNames.append(rest)
        case "save": if let place = try? GamePlace(rest) { game.places.append(place) }
        case "registry": game.savesInRegistry = true
        default: break
        }
    }
}
