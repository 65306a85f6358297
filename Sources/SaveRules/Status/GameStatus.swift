/// The state of a game on this machine, the same in every place that shows it. It follows from ``GameFacts`` alone.
public enum GameStatus: String, CaseIterable, Hashable, Sendable {
    /// Every machine that shares the game has the newest version, or had it when it was last online.
    case inSync = "in-sync"
    /// No other machine is known to have the newest version.
    case onlyHere = "only-here"
    /// Other machines do not have the newest version yet.
    case sending
    /// A newer version is known that is not here as a whole, or not in the folder.
    case receiving
    /// A newer version is here as a whole. It is applied when the game ends.
    case waitingForGame = "waiting-for-game"
    /// Two versions exist, neither of which includes the other, and the user must decide.
    case conflict
    /// The folder has lost its files. The daemon sends that only if the user confirms it.
    case emptied
    /// A pause, a policy, a permission or a refusal stops the game between this machine and another.
    case notSyncing = "not-syncing"
    /// The daemon can't read, store or change the folder.
    case unavailable
}

extension GameStatus {
    /// The state in words for users.
    public var words: String { rawValue.replacing("-", with: " ") }

    /// True if the user must act.
    public var needsUser: Bool {
        switch self {
        case .inSync, .onlyHere, .sending, .receiving, .waitingForGame: false
        case .conflict, .emptied, .notSyncing, .unavailable: true
        }
    }
}
