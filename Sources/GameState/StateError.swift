public import Vocabulary

/// The reason why a tree could not be read, changed, merged, or accepted as a model.
public struct StateError: ExplainedError, Hashable {
    /// The kinds of reason.
    public enum Kind: Sendable, Hashable {
        /// The text is no path.
        case badPath
        /// The path has no value.
        case missing
        /// The value is of another kind.
        case wrongKind
        /// The place has a value already.
        case taken
        /// The key is unknown, and only known ones are allowed.
        case unknownKey
        /// The values contradict each other, as in a game that both players have won.
        case impossible
        /// A file of rules can't be parsed.
        case badRules
        /// A database could not be read or written.
        case database
        /// Only the game can change the database; it can be read.
        case onlyTheGame
        /// A database, or its table of scores, is damaged.
        case damaged
        /// A database has code that is not run here.
        case notAllowed
        /// A database exceeds the limits for size or time.
        case tooLarge
        /// A database has no known table of high scores.
        case noScores
    }

    /// The kind of reason.
    public let kind: Kind
    /// The place in the tree; the root for the whole tree.
    public let path: StatePath
    /// The fault at that place, fit to print.
    public let detail: String
    /// The probable value, if there is a similar one.
    public let suggestion: String?
    /// The underlying error, if there is one.
    public let cause: (any Error)?

    /// - Parameters:
    ///   - detail: the fault, fit to print
    ///   - suggestion: the probable value; made fit to print here
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

    /// The stable word: `state.` and the kind, or the code of archives if the reason is the same.
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

    /// The place and the fault.
    public var message: String { path.steps.isEmpty ? detail : "\(path): \(detail)" }

    /// The probable value, or else a step for this kind of reason.
    public var nextStep: String {
        if let suggestion { return "did you mean “\(PrintableText(suggestion, limit: 80))”?" }
        return switch kind {
        case .badPath: "write it like `people[0].height`, with odd keys in quotes: `people[\"first name\"]`"
        case .missing: "show the values with `huddle state show`"
        case .wrongKind: "show the values with `huddle state show`"
        case .taken: "set it instead, or choose another place"
        case .unknownKey: "remove the key, or read less strictly"
        case .impossible: "fix the values that contradict each other, or restore an older version"
        case .badRules: "see docs/reference/merge-rules.md for what a rule looks like"
        case .noScores:
            "of databases, only tables hiscores(name, score) and Core Data's ZHISCORE are read; give another file"
        case .database: "end the game; restore an older version if the file is damaged"
        case .onlyTheGame: "change it in the game, or convert it to another file"
        case .damaged: "ask for the file again, or restore an older version of it"
        case .notAllowed: "save it again without that, in the program that wrote it"
        case .tooLarge: "leave it out: saves of this size are not read"
        }
    }

    /// Compares everything but the cause.
    public static func == (left: StateError, right: StateError) -> Bool {
        (left.kind, left.path, left.detail, left.suggestion) == (right.kind, right.path, right.detail, right.suggestion)
    }

    /// Hashes everything but the cause.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(path)
        hasher.combine(detail)
    }
}
