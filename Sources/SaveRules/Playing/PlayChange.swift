public import Vocabulary

/// A change of the machine that plays a game.
public enum PlayChange: Hashable, Sendable {
    /// This machine plays.
    case granted
    /// Another machine plays, so the game does not begin.
    case denied(PeerID)
    /// A user of another machine wants to play.
    case requested(PeerID)
    /// Another machine has taken the play lock by force.
    case lost(PeerID)
    /// The machine that played was silent for so long that it counts as gone.
    case ranOut(PeerID)
    /// The machine that was asked to stop playing has not done so in time.
    case unanswered(PeerID)
    /// Another machine has begun to play.
    case taken(PeerID)
    /// The machine that played has stopped.
    case released
}
