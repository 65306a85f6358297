public import Vocabulary

/// The reason why a peer's message about a save set is not accepted. The set stays untouched, and the caller writes
/// down the peer's name. It accepts no other message about the set from the peer until the two connect again.
public struct SaveRefusal: ExplainedError, Hashable {
    /// The fault.
    public enum Fault: Error, Hashable, Sendable {
        /// It may not take part in this set.
        case notPermitted
        /// A snapshot or a manifest breaks the rules of its form.
        case format(SaveFormatError)
        /// A snapshot belongs to another set.
        case otherSet
        /// A snapshot is neither one that was asked for nor one that such a one came from.
        case otherSnapshot
        /// A snapshot claims another part in the set than its parents and its author explain.
        case forgedVersion
        /// A snapshot names a machine as its author that has not signed it.
        case forgedAuthor
        /// A snapshot counts more for a machine than that machine has signed.
        case forgedCounter
        /// Something came that was not asked for.
        case unasked
        /// A piece has another content than its name.
        case otherContents(PieceID)
        /// It names more heads than can be.
        case tooManyHeads
        /// An answer is larger than was asked for.
        case tooMuch
        /// It has given as many versions, of all sets together, as one peer may.
        case givenTooMuch
        /// All peers together have given as many versions as this machine knows.
        case knownTooMuch
    }

    /// The fault.
    public let fault: Fault

    /// - Parameter fault: what is wrong
    public init(_ fault: Fault) {
        self.fault = fault
    }

    /// The fault as a stable word.
    public var code: ErrorCode {
        switch fault {
        case .notPermitted: "exchange.not-permitted"
        case .format(let error): error.code
        case .otherSet: "exchange.other-set"
        case .otherSnapshot: "exchange.other-snapshot"
        case .forgedVersion: "exchange.forged-version"
        case .forgedAuthor: "exchange.forged-author"
        case .forgedCounter: "exchange.forged-counter"
        case .unasked: "exchange.unasked"
        case .otherContents: "exchange.other-contents"
        case .tooManyHeads: "exchange.too-many-heads"
        case .tooMuch: "exchange.too-much"
        case .givenTooMuch: "exchange.given-too-much"
        case .knownTooMuch: "exchange.known-too-much"
        }
    }

    /// The deed of the peer.
    public var message: String {
        switch fault {
        case .notPermitted: "the peer has no part in this save set"
        case .format(let error): "the peer sent what can't be taken: \(error.message)"
        case .otherSet: "the peer sent a snapshot of another save set"
        case .otherSnapshot: "the peer sent another snapshot than the one that it has announced"
        case .forgedVersion: "the peer sent a snapshot whose version does not follow from its parents"
        case .forgedAuthor: "the peer sent a version that the machine it names as its author has not signed"
        case .forgedCounter: "the peer sent a version that claims more of a machine than that machine has signed"
        case .unasked: "the peer sent what it was not asked for"
        case .otherContents(let piece): "the peer sent other contents than those of piece \(piece.short)"
        case .tooManyHeads: "the peer names more newest snapshots than there can be"
        case .tooMuch: "the peer sent more than was asked for"
        case .givenTooMuch: "the peer has given as many versions of save sets as one machine may"
        case .knownTooMuch: "other machines have given as many versions of save sets as this one remembers"
        }
    }

    /// The next step of the user.
    public var nextStep: String {
        switch fault {
        case .notPermitted: "offer the set to that peer if it is to have it"
        case .format(let error): error.nextStep
        case .otherContents: "run `huddle fsck` on that machine"
        case .givenTooMuch: "take back what you share with that machine if you don't know why it saves so often"
        case .knownTooMuch:
            "leave a save set that has many versions and join it again: this machine forgets what it knows of them"
        case .forgedAuthor, .forgedCounter:
            "share the set with machines of yours alone; `huddle block` keeps that one from all that is here"
        case .otherSet, .otherSnapshot, .forgedVersion, .unasked, .tooManyHeads, .tooMuch:
            "update huddle on both machines; if it happens again, report it with both logs"
        }
    }
}
