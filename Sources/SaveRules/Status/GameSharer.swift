public import Vocabulary

/// Another machine to which a game was offered.
public struct GameSharer: Hashable, Sendable {
    /// Its part in the game.
    public enum Part: Hashable, Sendable {
        /// It has the newest version, or had it when it was last online.
        case holdsNewest
        /// It shares the game, and is not known to have the newest version.
        case behind
        /// It was offered the game and has not joined.
        case notJoined
        /// It no longer shares the game: it stopped, or the user of this machine forgot it.
        case stopped
        /// An obstacle keeps the game from syncing between the two machines.
        case blocked(SyncObstacle)
    }

    /// The ability of a machine to receive versions from this one now.
    public enum Reach: Hashable, Sendable {
        /// This machine can reach it.
        case online
        /// This machine can't reach it.
        case offline
        /// Its user has paused the game there, so the game can't sync with it, as if it were offline.
        case paused
    }

    /// The machine.
    public let peer: PeerID
    /// The ability to receive versions from this machine now.
    public let reach: Reach
    /// Its part in the game.
    public let part: Part

    /// - Parameters:
    ///   - peer: the machine
    ///   - isOnline: true if this machine can reach it now
    ///   - part: its part in the game
    public init(_ peer: PeerID, isOnline: Bool, _ part: Part) {
        self.init(peer, isOnline ? .online : .offline, part)
    }

    /// - Parameters:
    ///   - peer: the machine
    ///   - reach: its ability to receive versions from this machine now
    ///   - part: its part in the game
    public init(_ peer: PeerID, _ reach: Reach, _ part: Part) {
        (self.peer, self.reach, self.part) = (peer, reach, part)
    }

    /// True if this machine can reach it now, and its user has not paused the game there.
    public var isOnline: Bool { reach == .online }

    /// The obstacle between the two machines; nil if there is none.
    public var obstacle: SyncObstacle? {
        if case .blocked(let obstacle) = part { obstacle } else { nil }
    }
}

/// An obstacle that keeps a game from syncing between two machines until the user removes it.
public enum SyncObstacle: String, CaseIterable, Hashable, Sendable {
    /// This machine blocks the other.
    case blockedHere = "blocked-here"
    /// The policy or the permissions on this machine keep the other from syncing saves.
    case notPermittedHere = "not-permitted-here"
    /// The policy or the permissions on the other machine keep this one from syncing saves.
    case notPermittedThere = "not-permitted-there"
    /// It is online and does not answer. It may block this machine, or its user may have forgotten it.
    case noAnswer = "no-answer"
    /// This machine refuses a message of the other about the game.
    case refusedHere = "refused-here"
    /// The other machine refuses a message of this one about the game.
    case refusedThere = "refused-there"
}
