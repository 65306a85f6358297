public import Vocabulary

/// The present problems of one game.
public struct SetProblems: Sendable {
    /// The kinds of work that can fail.
    public enum Matter: Hashable, Sendable {
        /// The disk of the folder or of the history does not answer.
        case disk
        case scanning, applying
        /// A program writes in the folder for too long.
        case settling
        /// A newer version could not be stored.
        case fetching
    }

    /// The reason why no game can have this folder; the daemon does not use the folder then. Nil if a game can.
    public private(set) var misplaced: (any ExplainedError)?
    /// The files that the folder lost, until the user decides about them.
    public private(set) var emptied: EmptiedSave?
    /// The reason why the daemon does not notice changes of the folder at once.
    public var unwatched: (any ExplainedError)?
    private var problems: [Matter: SetProblem] = [:]

    /// - Parameters:
    ///   - misplaced: the reason why no game can have this folder
    ///   - emptied: the files that the folder lost
    public init(misplaced: (any ExplainedError)? = nil, emptied: EmptiedSave? = nil) {
        (self.misplaced, self.emptied) = (misplaced, emptied)
    }

    /// The problem of one kind.
    public subscript(matter: Matter) -> SetProblem? { problems[matter] }

    /// Notes a failure.
    /// - Parameter telling: true if the user hears of it now
    /// - Returns: true if the user did not know of it
    public mutating func note(_ error: any ExplainedError, of matter: Matter, telling: Bool) -> Bool {
        let isKnown = problems[matter].map { $0.isReported && $0.error.message == error.message } ?? false
        var problem = SetProblem(error)
        problem.isReported = isKnown || telling
        problems[matter] = problem
        return !isKnown
    }

    /// Notes that something works again.
    public mutating func solved(_ matter: Matter) { problems[matter] = nil }

    /// Notes that the folder is no longer missing.
    public mutating func folderIsBack() {
        for matter in [Matter.scanning, .applying] where problems[matter]?.kind == .missing { solved(matter) }
    }

    /// Notes that the game has another folder, or that nothing is known of it, as after a start.
    public mutating func folderChanged(misplaced: (any ExplainedError)?) {
        self = SetProblems(misplaced: misplaced, emptied: emptied)
    }

    /// Notes that the folder has lost its files, or has files again.
    public mutating func noteEmptied(_ found: EmptiedSave?) { emptied = found }

    /// Returns the reason why the game is not in sync, if the user must act; nil otherwise.
    /// - Parameters:
    ///   - isPending: true if a version must be applied
    ///   - couldNotStoreNewer: true if a newer version could not be stored
    public func blocking(isPending: Bool, couldNotStoreNewer: Bool) -> SetProblem? {
        if let misplaced { return SetProblem(misplaced) }
        return problems[.disk] ?? problems[.scanning] ?? problems[.settling] ?? (isPending ? problems[.applying] : nil)
            ?? (couldNotStoreNewer ? problems[.fetching] : nil)
    }
}
