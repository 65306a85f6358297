public import Vocabulary

/// Another machine that a game was offered to.
public struct GameSharer: Hashable, Sendable {
    /// Its part in the game.
    public enum Part: Hashable, Sendable {
        /// It holds the newest version, or held it when it was last online.
        case holdsNewest
        /// It takes part, and is not known to hold the newest version.
        case behind
        /// It was offered the game and has not joined.
        case notJoined
        /// It takes no part: it stopped sharing, or this machine forgot it.
        case stopped
        /// Something stops the game between the two machines.
        case blocked(SyncObstacle)
    }

    /// The reach of a machine: it takes what this one sends now, or not.
    public enum Reach: Hashable, Sendable {
        /// This machine can reach it.
        case online
        /// This machine can't reach it.
        case offline
        /// Its user has paused the game there. To the game it is as good as offline.
        case paused
    }

    /// Which machine.
    public let peer: PeerID
    /// Its reach from here.
    public let reach: Reach
    /// Its part in the game.
    public let part: Part

    /// - Parameters:
    ///   - peer: which machine
    ///   - isOnline: whether this machine can reach it now
    ///   - part: what it does with the game
    public init(_ peer: PeerID, isOnline: Bool, _ part: Part) {
        self.init(peer, isOnline ? .online : .offline, part)
    }

    /// - Parameters:
    ///   - peer: which machine
    ///   - reach: whether it takes what this machine sends now
    ///   - part: what it does with the game
    public init(_ peer: PeerID, _ reach: Reach, _ part: Part) {
        (self.peer, self.reach, self.part) = (peer, reach, part)
    }

    /// True if this machine can reach it now, and its user has not paused the game there.
    public var isOnline: Bool { reach == .online }

    /// The obstacle to the game between the two machines.
    public var obstacle: SyncObstacle? {
        if case .blocked(let obstacle) = part { obstacle } else { nil }
    }
}

/// An obstacle to a game between two machines until the user removes it.
public enum SyncObstacle: String, CaseIterable, Hashable, Sendable {
    /// This machine blocks the other.
    case blockedHere = "blocked-here"
    /// The policy or the permissions here keep it from syncing saves.
    case notPermittedHere = "not-permitted-here"
    /// The policy or the permissions there keep this machine from syncing saves.
    case notPermittedThere = "not-permitted-there"
    /// It is online and does not answer. It may block this machine, or have forgotten it.
    case noAnswer = "no-answer"
    /// This machine refuses what it said about the game.
    case refusedHere = "refused-here"
    /// It refuses what this machine said about the game.
    case refusedThere = "refused-there"
}
