/// The life of a game on one machine, from the moment it is shared until it is left.
public enum SaveSetLife: Hashable, Sendable {
    case open
    /// Its settings change: the daemon leaves its folder alone, and a game that begins waits.
    case changing
    /// The daemon ends: it retries nothing and waits for nothing. A game may outlive the daemon, so it keeps the
    /// play lock.
    case ending
    /// This machine is about to stop sharing the game: it retries nothing and waits for nothing.
    case leaving
    /// This machine has stopped sharing the game.
    case left
}
