public import Vocabulary

/// A game that a machine was playing when its connection broke, as another machine saw it. Its save may be newer than
/// all versions that others have.
public struct CutOffPlay: Hashable, Sendable {
    /// The machine that was playing.
    public let player: PeerID
    /// The greatest counter of the player in the versions that the other machine had by then, or that the player had
    /// named to it; 0 if there is none.
    public let saved: UInt64

    /// Creates the value; nil if no version can have the counter.
    /// - Parameters:
    ///   - player: the machine that was playing
    ///   - saved: its greatest counter in the versions that were known of it
    public init?(of player: PeerID, saved: UInt64) {
        guard saved <= VersionVector.maximumCounter else { return nil }
        (self.player, self.saved) = (player, saved)
    }
}
