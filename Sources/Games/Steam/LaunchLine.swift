import Vocabulary

/// The launch options of a game in Steam, such as `MANGOHUD=1 %command% -windowed`.
package struct LaunchLine: Hashable, Sendable {
    /// The word that Steam replaces by the program that it would start.
    private static let command = "%command%"

    package let text: String

    package init(_ text: String) { self.text = text }

    /// The line by which `huddle play` starts the game. Everything else that the user wrote stays.
    ///
    /// - Parameters:
    ///   - game: the name of the shared game
    ///   - program: the path of `huddle`, because Steam may have another PATH than a terminal
    package func playing(_ game: String, by program: String) -> LaunchLine {
        let huddle = "\(ShellWord(program)) play \(ShellWord(game)) --from-launcher -- "
        let own = withoutHuddle.text
        guard let place = own.firstRange(of: Self.command) else {
            // Without the word, Steam puts the text behind the program.
            return LaunchLine(huddle + Self.command + (own.isEmpty ? "" : " " + own))
        }
        return LaunchLine(own[..<place.lowerBound] + huddle + own[place.lowerBound...])
    }

    /// The line without `huddle play`.
    package var withoutHuddle: LaunchLine {
        guard let found = text.firstMatch(of: Self.playing) else { return self }
        var rest = text
        rest.removeSubrange(found.range)
        return LaunchLine(rest == Self.command ? "" : rest)
    }

    /// The game that `huddle play` starts; nil without `huddle play`.
    package var playedGame: String? { text.firstMatch(of: Self.playing).map { String($0.1) } }

    /// The beginning of a line with `huddle play`, also of one that a user wrote with other options. A regex is made
    /// for each use, because threads can't share one.
    private static var playing: Regex<(Substring, Substring)> {
        #/(?:'[^']*huddle'|"[^"]*huddle"|[^\s'"]*huddle)\s+play\s+(\S+)\s+(?:[^%]*?\s)?--\s+/#
    }
}
