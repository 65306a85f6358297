public import Vocabulary

/// The reason why this machine refuses a peer's message about a game. The game stays unchanged, and the caller logs the
/// peer's name. It accepts no further message about the game from the peer until the two connect again.
public struct SaveRefusal: ExplainedError, Hashable {
    /// The fault.
    public enum Fault: Error, Hashable, Sendable {
        /// The peer may not share this game.
        case notPermitted
        /// A version or a manifest breaks the rules of its form.
        case format(SaveFormatError)
        /// A version belongs to another game.
        case otherSet
        /// A version is neither a requested one nor an ancestor of one.
        case otherSnapshot
        /// The version vector of a version does not follow from its parents and its author.
        case forgedVersion
        /// The named author of a version has not signed it.
        case forgedAuthor
        /// A version counts more changes of a machine than that machine has signed.
        case forgedCounter
        /// The peer sent something that this machine did not request.
        case unasked
        /// The content of a piece does not match its name.
        case otherContents(PieceID)
        /// The peer names more heads than allowed.
        case tooManyHeads
        /// An offer is larger than this machine stores of one machine.
        case offerTooLarge
        /// An answer is larger than requested.
        case tooMuch
        /// The peer has sent as many versions, of all games together, as one peer may.
        case givenTooMuch
        /// All peers together have sent as many versions as this machine remembers.
        case knownTooMuch
    }

    /// The fault.
    public let fault: Fault

    /// - Parameter fault: the fault
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
        case .offerTooLarge: "exchange.offer-too-large"
        case .tooMuch: "exchange.too-much"
        case .givenTooMuch: "exchange.given-too-much"
        case .knownTooMuch: "exchange.known-too-much"
        }
    }

    /// The description of what the peer did.
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
        case .offerTooLarge: "the peer offered a save set with more patterns and rules than this machine stores"
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
        case .offerTooLarge: "ignore files with fewer or shorter patterns on that machine, and share the set again"
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
