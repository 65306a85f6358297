public import Vocabulary

/// How a person ends a conflict.
public enum ConflictChoice: Hashable, Sendable {
    /// The version in this machine's folder, or its successor on another machine.
    case mine
    /// The other side, where there are two.
    case theirs
    /// The contents of a certain snapshot, also of an old one.
    case snapshot(SnapshotID)
    /// A merge of the sides, by the pieces of its manifest.
    case merge([PieceReference])
}

/// Why a person's choice can't be carried out.
public struct ChoiceRefusal: ExplainedError, Hashable {
    /// The reasons there are.
    public enum Reason: Hashable, Sendable {
        /// There is nothing to choose.
        case noConflict
        /// The folder shows none of the sides.
        case noOwnSide
        /// There is more than one other side.
        case severalOthers
        /// The snapshot, or what it holds, is not on this machine.
        case notHere
        /// As many peers as can be have had a part in the set, or a counter is at its end.
        case versionFull
    }

    /// Which of them it is.
    public let reason: Reason

    /// - Parameter reason: which of them it is
    public init(_ reason: Reason) {
        self.reason = reason
    }

    /// The reason as a stable word.
    public var code: ErrorCode {
        switch reason {
        case .noConflict: "choice.no-conflict"
        case .noOwnSide: "choice.no-own-side"
        case .severalOthers: "choice.several-others"
        case .notHere: "choice.not-here"
        case .versionFull: "choice.version-full"
        }
    }

    /// The reason for the refusal.
    public var message: String {
        switch reason {
        case .noConflict: "there is no conflict to end"
        case .noOwnSide: "this machine shows none of the sides, so none of them is “mine”"
        case .severalOthers: "there are more than two sides, and a merge takes two"
        case .notHere: "this machine does not have what that version holds"
        case .versionFull: "as many machines as can be have had a part in this save set"
        }
    }

    /// The alternative.
    public var nextStep: String {
        switch reason {
        case .noConflict: "look at `huddle history` for what there is"
        case .noOwnSide: "name a version; `huddle fix` lists the sides"
        case .severalOthers: "choose a machine or a version; `huddle fix` lists the sides"
        case .notHere:
            "do it on a machine that has all of it, as `huddle history` says there; the version comes here from it"
        case .versionFull: "begin a new save set with the same folder; the history of this one stays"
        }
    }
}
