import Vocabulary

/// A game as one launcher starts it, with or without `huddle play`.
package enum LauncherEntry: Hashable, Sendable {
    /// A game by its number, in each account.
    case steam(app: UInt32, accounts: [SteamAccount])
    /// A game by the file of its settings, and its name in that file.
    case heroic(LauncherFile, app: String)
    case lutris(LauncherFile)

    /// The launchers that can start games with `huddle play`.
    package enum Kind: String, CaseIterable, Sendable {
        case steam, heroic, lutris

        /// The name that users know.
        package var label: String {
            switch self {
            case .steam: Launcher.steam.label
            case .heroic: Launcher.heroic.label
            case .lutris: Launcher.lutris.label
            }
        }

        /// The names of its program.
        package var programs: [String] { [rawValue] }
    }

    package var kind: Kind {
        switch self {
        case .steam: .steam
        case .heroic: .heroic
        case .lutris: .lutris
        }
    }

    /// The game that `huddle play` starts; nil if the launcher starts the game without `huddle play`, at least in one
    /// account.
    package func playedGame() throws(LauncherFile.Failure) -> String? {
        switch self {
        case .steam(let app, let accounts):
            var played: String?
            for account in accounts {
                guard let game = try account.line(of: app)?.playedGame else { return nil }
                played = game
            }
            return played
        case .heroic(let file, let app):
            guard let wrapper = HeroicWrapper(try file.read(), of: app) else { throw .damaged(file.path) }
            return wrapper.playedGame
        case .lutris(let file):
            guard let prefix = LutrisPrefix(try file.read()) else { throw .damaged(file.path) }
            return prefix.playedGame
        }
    }

    /// Lets the launcher start the game with `huddle play`, or without. Everything else in its settings stays as it is.
    ///
    /// - Parameters:
    ///   - game: the name of the shared game; nil removes `huddle play`
    ///   - program: the path of `huddle`, because a launcher may have another PATH than a terminal
    ///   - backups: the folder for settings as they were before Huddle changed them first
    package func play(_ game: String?, by program: String, keepingIn backups: String) throws(LauncherFile.Failure) {
        switch self {
        case .steam(let app, let accounts):
            for account in accounts {
                let line = try account.line(of: app) ?? LaunchLine("")
                let new = game.map { line.playing($0, by: program) } ?? line.withoutHuddle
                if new != line { try account.setLine(new, of: app, keepingIn: backups) }
            }
        case .heroic(let file, let app):
            let old = try file.read()
            guard let wrapper = HeroicWrapper(old, of: app) else { throw .damaged(file.path) }
            guard let new = wrapper.playing(game, by: program) else { throw .unusual(file.path) }
            _ = try file.replace(old, by: new, keepingIn: backups)
        case .lutris(let file):
            let old = try file.read()
            guard let prefix = LutrisPrefix(old) else { throw .damaged(file.path) }
            guard let new = prefix.playing(game, by: program) else { throw .unusual(file.path) }
            _ = try file.replace(old, by: new, keepingIn: backups)
        }
    }
}

extension FoundGame {
    /// The launchers outside of a sandbox in which the game is installed. A launcher in a sandbox can't start `huddle`.
    package func entries(_ accounts: [SteamAccount]) -> [LauncherEntry] {
        (accounts.isEmpty ? [] : steamApps.map { .steam(app: $0, accounts: accounts) }) + launcherEntries
    }
}
