/// The ways to begin a game while another machine plays it.
public enum PlayTakeover: Hashable, Sendable {
    /// The game does not begin.
    case none
    /// The machine that plays is asked to stop, and the game waits.
    case asked
    /// The game begins. What both machines save is a conflict.
    case forced
}
