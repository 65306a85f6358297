public import Vocabulary

/// Why a tree could not be asked, changed, merged, or taken for what it was said to be.
public struct StateError: ExplainedError, Hashable {
    /// The kinds of reason.
    public enum Kind: Sendable, Hashable {
        /// What was typed is no path.
        case badPath
        /// There is nothing at the path.
        case missing
        /// There is something of another kind.
        case wrongKind
        /// There is something already.
        case taken
        /// Nobody knows this key, where only known ones may stand.
        case unknownKey
        /// It is spelt rightly and can't be, such as a game that both have won.
        case impossible
        /// A file of rules says what can't be understood.
        case badRules
        /// A database could not be read or written.
        case database
        /// A database is read, and can't be changed by anybody but the game.
        case onlyTheGame
        /// A database, or what stands in its table of scores, is not what it has to be.
        case damaged
        /// A database brings something that is not run here.
        case notAllowed
        /// A database is larger than what is read here, or takes longer.
        case tooLarge
        /// A database holds no table of high scores that is known here.
        case noScores
    }

    /// What kind of reason it is.
    public let kind: Kind
    /// Where in the tree; the root where it is about the whole.
    public let path: StatePath
    /// What is wrong there. Fit to print.
    public let detail: String
    /// What was probably meant, where something comes near.
    public let suggestion: String?
    /// What lay underneath, where there is something.
    public let cause: (any Error)?

    /// - Parameters:
    ///   - detail: fit to print
    ///   - suggestion: what was probably meant; made fit to print here
    public init(
        _ kind: Kind,
        _ detail: String,
        at path: StatePath = .root,
        suggestion: String? = nil,
        cause: (any Error)? = nil
    ) {
        self.kind = kind
        self.path = path
        self.detail = detail
        self.suggestion = suggestion
        self.cause = cause
    }

    /// `state.` and the kind; that of archives where the same can be said of one.
    public var code: ErrorCode {
        switch kind {
        case .badPath: ErrorCode(.invalid, "state.bad-path")
        case .missing: ErrorCode(.notFound, "state.missing")
        case .wrongKind: "state.wrong-kind"
        case .taken: "state.taken"
        case .unknownKey: "state.unknown-key"
        case .impossible: "state.impossible"
        case .badRules: ErrorCode(.invalid, "state.bad-rules")
        case .database, .onlyTheGame: ErrorCode(.unreadable, "state.database")
        case .damaged: ErrorCode(.damaged, "archive.damaged")
        case .notAllowed: ErrorCode(.notAllowed, "archive.not-allowed")
        case .tooLarge: ErrorCode(.tooLarge, "archive.too-large")
        case .noScores: ErrorCode(.unreadable, "state.no-scores")
        }
    }

    /// Where and what.
    public var message: String { path.steps.isEmpty ? detail : "\(path): \(detail)" }

    /// What was probably meant, else what helps with this kind of reason.
    public var nextStep: String {
        if let suggestion { return "did you mean “\(PrintableText(suggestion, limit: 80))”?" }
        return switch kind {
        case .badPath: "write it like `people[0].height`, with odd keys in quotes: `people[\"first name\"]`"
        case .missing: "look at what is there with `huddle state show`"
        case .wrongKind: "look at what is there with `huddle state show`"
        case .taken: "set it instead, or choose another place"
        case .unknownKey: "take the key out, or read less strictly"
        case .impossible: "mend the values that don't go together, or restore an older version"
        case .badRules: "see docs/reference/merge-rules.md for what a rule looks like"
        case .noScores:
            "of databases, only tables hiscores(name, score) and Core Data's ZHISCORE are read; give another file"
        case .database: "see that the game is not running, and restore an older version if the file is damaged"
        case .onlyTheGame: "change it in the game, or convert what is in it to another file"
        case .damaged: "ask for the file again, or restore an older version of it"
        case .notAllowed: "have the program that wrote it write it without that"
        case .tooLarge: "leave it out: no save this large is looked into here"
        }
    }

    /// By what it says; the cause does not matter.
    public static func == (left: StateError, right: StateError) -> Bool {
        (left.kind, left.path, left.detail, left.suggestion) == (right.kind, right.path, right.detail, right.suggestion)
    }

    /// By what it says.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(path)
        hasher.combine(detail)
    }
}
