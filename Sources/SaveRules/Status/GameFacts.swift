public import Vocabulary

/// The facts that a machine knows of a game, from which its ``status`` follows.
public struct GameFacts: Hashable, Sendable {
    /// State of the folder.
    public enum Folder: Hashable, Sendable {
        /// It is read and changed as usual.
        case usable
        /// It has lost its files, and that is held back.
        case emptied
        /// It cannot be read, kept or changed.
        case unavailable
    }

    /// The state of the newest version.
    public enum Newest: Hashable, Sendable {
        /// The folder shows it.
        case shown
        /// The folder has changed since, and is about to be read.
        case unread
        /// It is not whole here, not in the folder, or still being merged.
        case arriving
        /// It is whole here, and a game runs.
        case waitingForGame
        /// A check keeps it out of the folder.
        case keptOut
        /// There are several, and a person decides.
        case conflict
    }

    /// State of the folder.
    public let folder: Folder
    /// The state of the newest version.
    public let newest: Newest
    /// Machines that the game was offered to, by ascending id.
    public let sharers: [GameSharer]
    /// The pause that the user of this machine began; nil if there is none.
    public let pause: SyncPause?

    /// - Parameters:
    ///   - folder: state of the folder
    ///   - newest: what is known of the newest version
    ///   - sharers: machines that the game was offered to
    ///   - pause: the pause that the user of this machine began
    public init(folder: Folder, newest: Newest, sharers: [GameSharer], pause: SyncPause? = nil) {
        (self.folder, self.newest, self.sharers, self.pause) = (folder, newest, sharers, pause)
    }

    /// The facts without what some machines would do that are known to be out of reach.
    ///
    /// A connection whose cable is out looks alive for up to ten seconds.
    public func without(_ unreachable: Set<PeerID>) -> GameFacts {
        let sharers = sharers.map { sharer in
            unreachable.contains(sharer.peer) ? GameSharer(sharer.peer, isOnline: false, sharer.part) : sharer
        }
        return GameFacts(folder: folder, newest: newest, sharers: sharers, pause: pause)
    }

    /// State of the game.
    public var status: GameStatus {
        switch (folder, newest) {
        case (.unavailable, _): .unavailable
        case (.emptied, _): .emptied
        case (.usable, _) where pause != nil: .notSyncing
        case (.usable, .conflict): .conflict
        case (.usable, .keptOut): .notSyncing
        // Before what moves: a transfer between two others must not hide that a third machine gets nothing.
        case (.usable, _) where sharers.contains { $0.obstacle != nil }: .notSyncing
        case (.usable, .waitingForGame): .waitingForGame
        case (.usable, .arriving): .receiving
        case (.usable, .shown) where areLevel: .inSync
        case (.usable, .shown), (.usable, .unread): isOnItsWay ? .sending : .onlyHere
        }
    }

    /// Machines that take part and are not known to hold the newest version.
    public var behind: [GameSharer] { sharers.filter { $0.part == .behind } }

    private var partners: [GameSharer] { sharers.filter { $0.part == .holdsNewest || $0.part == .behind } }

    private var areLevel: Bool { !partners.isEmpty && behind.isEmpty }

    /// True if a machine that is online gets it now, or one that holds it can pass it on.
    private var isOnItsWay: Bool {
        newest == .unread
            ? partners.contains(where: \.isOnline)
            : behind.contains(where: \.isOnline) || partners.contains { $0.part == .holdsNewest }
    }
}
