/// The permitted differences between a tree and the table of a model.
public struct Strictness: Sendable, Hashable {
    /// The handling of keys outside of the table.
    public enum UnknownKeys: Sendable, Hashable {
        /// Each is a fault, with the nearest known key.
        case refuse
        /// They are ignored. Writing the model over the same tree keeps them.
        case ignore
    }

    /// The handling of missing required keys.
    public enum MissingKeys: Sendable, Hashable {
        /// They are faults.
        case refuse
        /// The model keeps its defaults.
        case fill
    }

    /// The comparison of keys.
    public enum Spelling: Sendable, Hashable {
        /// Keys are the same only if all letters are.
        case exact
        /// `char_color`, `CharColor` and `char-color` are `charColor`.
        case anyStyle
    }

    /// The handling of unknown choices.
    public enum UnknownChoices: Sendable, Hashable {
        /// It is a fault.
        case refuse
        /// The table's fallback is used, if there is one.
        case fallBack
    }

    /// The handling of contradictions.
    public enum ImpossibleStates: Sendable, Hashable {
        /// They are faults.
        case refuse
        /// The model is read; its `impossibilities` list the contradictions.
        case accept
    }

    /// The handling of keys outside of the table.
    public var unknownKeys = UnknownKeys.refuse
    /// The handling of missing required keys.
    public var missingKeys = MissingKeys.refuse
    /// The comparison of keys.
    public var spelling = Spelling.exact
    /// The handling of unknown choices.
    public var unknownChoices = UnknownChoices.refuse
    /// The handling of contradictions.
    public var impossibleStates = ImpossibleStates.refuse
    /// True to read `"12"`, `"1.5"` and `"true"` as numbers and Booleans. Games write them into formats with texts
    /// only, and some games into every format. They are written back as texts.
    public var readsNumbersInTexts = true

    /// Creates the strictest comparison, except that numbers in texts are read.
    public init() {}

    /// The strictest comparison, except that numbers in texts are read. It is for checks.
    public static let exact = Strictness()

    /// The most tolerant reading. It is for display.
    public static let tolerant = {
        var strictness = Strictness()
        strictness.unknownKeys = .ignore
        strictness.missingKeys = .fill
        strictness.spelling = .anyStyle
        strictness.unknownChoices = .fallBack
        strictness.impossibleStates = .accept
        return strictness
    }()
}
