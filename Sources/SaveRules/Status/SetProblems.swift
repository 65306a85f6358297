public import Vocabulary

/// The problems of one game now.
public struct SetProblems: Sendable {
    /// The kinds of work that can fail.
    public enum Matter: Hashable, Sendable {
        /// The disk of the folder or of the history gives no answer.
        case disk
        case scanning, applying
        /// A program writes in the folder for too long.
        case settling
        /// A newer version could not be stored.
        case fetching
    }

    /// Why no game can have this folder. Nothing is done with the folder then.
    public private(set) var misplaced: (any ExplainedError)?
    /// The files that the folder lost, while they are held back.
    public private(set) var emptied: EmptiedSave?
    /// Why changes of the folder are not noticed at once.
    public var unwatched: (any ExplainedError)?
    private var problems: [Matter: SetProblem] = [:]

    /// - Parameters:
    ///   - misplaced: why no game can have this folder
    ///   - emptied: the files that the folder lost
    public init(misplaced: (any ExplainedError)? = nil, emptied: EmptiedSave? = nil) {
        (self.misplaced, self.emptied) = (misplaced, emptied)
    }

    /// The problem of one kind.
    public subscript(matter: Matter) -> SetProblem? { problems[matter] }

    /// Something failed. Answers whether the user does not know that yet.
    /// - Parameter telling: whether the user hears of it now
    public mutating func note(_ error: any ExplainedError, of matter: Matter, telling: Bool) -> Bool {
        let isKnown = problems[matter].map { $0.isTold && $0.error.message == error.message } ?? false
        var problem = SetProblem(error)
        problem.isTold = isKnown || telling
        problems[matter] = problem
        return !isKnown
    }

    /// Something works again.
    public mutating func solved(_ matter: Matter) { problems[matter] = nil }

    /// The folder is there again.
    public mutating func folderIsBack() {
        for matter in [Matter.scanning, .applying] where problems[matter]?.kind == .missing { solved(matter) }
    }

    /// The folder is another one, or nothing is known of it, as after a start.
    public mutating func folderChanged(misplaced: (any ExplainedError)?) {
        self = SetProblems(misplaced: misplaced, emptied: emptied)
    }

    /// The folder has lost its files, or has them again.
    public mutating func noteEmptied(_ found: EmptiedSave?) { emptied = found }

    /// Why the game is not in sync, if the user has to do something about that.
    /// - Parameters:
    ///   - isPending: whether a version is to be put into the folder
    ///   - isNewerUnkept: whether a newer version could not be stored
    public func blocking(isPending: Bool, isNewerUnkept: Bool) -> SetProblem? {
        if let misplaced { return SetProblem(misplaced) }
        return problems[.disk] ?? problems[.scanning] ?? problems[.settling] ?? (isPending ? problems[.applying] : nil)
            ?? (isNewerUnkept ? problems[.fetching] : nil)
    }
}
