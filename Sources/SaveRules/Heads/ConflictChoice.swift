public import Vocabulary

/// The user's choice that ends a conflict.
public enum ConflictChoice: Hashable, Sendable {
    /// The version in this machine's folder, or its successor on another machine.
    case mine
    /// The other side, if there are only two.
    case theirs
    /// The content of a certain version, which may be an old one.
    case snapshot(SnapshotID)
    /// A merge of the sides, by the pieces of its manifest.
    case merge([PieceReference])
}

/// The reason why the user's choice can't be carried out.
public struct ChoiceRefusal: ExplainedError, Hashable {
    /// The possible reasons.
    public enum Reason: Hashable, Sendable {
        /// There is no conflict.
        case noConflict
        /// The folder shows none of the sides.
        case noOwnSide
        /// There is more than one other side.
        case severalOthers
        /// The version, or its content, is not on this machine.
        case notHere
        /// The version vector has no room: too many peers had a part in the game, or a counter has its largest value.
        case versionFull
    }

    /// The reason.
    public let reason: Reason

    /// - Parameter reason: the reason
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

    /// The alternative for the user.
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
