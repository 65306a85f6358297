public import Vocabulary

/// The facts that a machine knows of a game. Its ``status`` follows from them.
public struct GameFacts: Hashable, Sendable {
    /// The states of the folder.
    public enum Folder: Hashable, Sendable {
        /// The daemon can scan and change it.
        case usable
        /// It has lost its files, and the daemon does not send that yet.
        case emptied
        /// The daemon can't read, store or change it.
        case unavailable
    }

    /// The states of the newest version.
    public enum Newest: Hashable, Sendable {
        /// The folder shows it.
        case shown
        /// The folder has changed since, and is about to be scanned.
        case unread
        /// It is not here as a whole, not in the folder, or must still be merged.
        case arriving
        /// It is here as a whole, and a game runs.
        case waitingForGame
        /// A check keeps it out of the folder.
        case keptOut
        /// There are several, and the user must decide.
        case conflict
    }

    /// The state of the folder.
    public let folder: Folder
    /// The state of the newest version.
    public let newest: Newest
    /// The machines to which the game was offered, by ascending id.
    public let sharers: [GameSharer]
    /// The pause by the user of this machine; nil if there is none.
    public let pause: SyncPause?

    /// - Parameters:
    ///   - folder: the state of the folder
    ///   - newest: the state of the newest version
    ///   - sharers: the machines to which the game was offered
    ///   - pause: the pause by the user of this machine
    public init(folder: Folder, newest: Newest, sharers: [GameSharer], pause: SyncPause? = nil) {
        (self.folder, self.newest, self.sharers, self.pause) = (folder, newest, sharers, pause)
    }

    /// Returns the facts with some machines as offline, which are known to be unreachable.
    ///
    /// A connection with an unplugged cable looks alive for up to ten seconds.
    public func without(_ unreachable: Set<PeerID>) -> GameFacts {
        let sharers = sharers.map { sharer in
            unreachable.contains(sharer.peer) ? GameSharer(sharer.peer, isOnline: false, sharer.part) : sharer
        }
        return GameFacts(folder: folder, newest: newest, sharers: sharers, pause: pause)
    }

    /// The state of the game.
    public var status: GameStatus {
        switch (folder, newest) {
        case (.unavailable, _): .unavailable
        case (.emptied, _): .emptied
        case (.usable, _) where pause != nil: .notSyncing
        case (.usable, .conflict): .conflict
        case (.usable, .keptOut): .notSyncing
        // Comes before transfers: one between two other machines must not hide that a third one receives nothing.
        case (.usable, _) where sharers.contains { $0.obstacle != nil }: .notSyncing
        case (.usable, .waitingForGame): .waitingForGame
        case (.usable, .arriving): .receiving
        case (.usable, .shown) where areLevel: .inSync
        case (.usable, .shown), (.usable, .unread): isOnItsWay ? .sending : .onlyHere
        }
    }

    /// The machines that share the game and are not known to have the newest version.
    public var behind: [GameSharer] { sharers.filter { $0.part == .behind } }

    private var partners: [GameSharer] { sharers.filter { $0.part == .holdsNewest || $0.part == .behind } }

    private var areLevel: Bool { !partners.isEmpty && behind.isEmpty }

    /// True if a machine that is online gets the newest version now, or one that has it can pass it on.
    private var isOnItsWay: Bool {
        newest == .unread
            ? partners.contains(where: \.isOnline)
            : behind.contains(where: \.isOnline) || partners.contains { $0.part == .holdsNewest }
    }
}
