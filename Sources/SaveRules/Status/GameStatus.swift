/// State of a game on this machine, the same wherever it is shown. It follows from ``GameFacts`` alone.
public enum GameStatus: String, CaseIterable, Hashable, Sendable {
    /// Every machine that shares the game holds the newest version, or held it when it was last online.
    case inSync = "in-sync"
    /// No other machine is known to hold the newest version.
    case onlyHere = "only-here"
    /// Other machines do not hold the newest version yet.
    case sending
    /// A newer version is known that is not whole here, or not in the folder.
    case receiving
    /// A newer version is whole here, and comes into the folder when the game ends.
    case waitingForGame = "waiting-for-game"
    /// Two versions exist, neither of which includes the other, and a person decides.
    case conflict
    /// The folder has lost its files, and the machine sends that only if a person says so.
    case emptied
    /// A pause, a policy, a permission or a refusal stops the game between this machine and another.
    case notSyncing = "not-syncing"
    /// The folder cannot be read, kept or changed.
    case unavailable
}

extension GameStatus {
    /// The state as people read it.
    public var words: String { rawValue.replacing("-", with: " ") }

    /// True if a person needs to do something.
    public var needsPerson: Bool {
        switch self {
        case .inSync, .onlyHere, .sending, .receiving, .waitingForGame: false
        case .conflict, .emptied, .notSyncing, .unavailable: true
        }
    }
}
