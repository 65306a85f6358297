/// How much a tree may differ from what a model's table says.
public struct Strictness: Sendable, Hashable {
    /// What becomes of keys that the table does not name.
    public enum UnknownKeys: Sendable, Hashable {
        /// They are faults, each with the nearest key that is known.
        case refuse
        /// They are left alone. Writing the model over the same tree keeps them.
        case ignore
    }

    /// What becomes of required keys that are not there.
    public enum MissingKeys: Sendable, Hashable {
        /// They are faults.
        case refuse
        /// The model keeps what it has without them.
        case fill
    }

    /// Which keys are taken for which.
    public enum Spelling: Sendable, Hashable {
        /// Letter by letter.
        case exact
        /// `char_color`, `CharColor` and `char-color` are `charColor`.
        case anyStyle
    }

    /// What becomes of a choice that is none of the known ones.
    public enum UnknownChoices: Sendable, Hashable {
        /// It is a fault.
        case refuse
        /// The table's fallback stands for it, where it has one.
        case fallBack
    }

    /// What becomes of values that don't go together.
    public enum ImpossibleStates: Sendable, Hashable {
        /// They are faults.
        case refuse
        /// The model is read; its `impossibilities` say what is wrong.
        case accept
    }

    /// What becomes of keys that the table does not name.
    public var unknownKeys = UnknownKeys.refuse
    /// What becomes of required keys that are not there.
    public var missingKeys = MissingKeys.refuse
    /// Which keys are taken for which.
    public var spelling = Spelling.exact
    /// What becomes of a choice that is none of the known ones.
    public var unknownChoices = UnknownChoices.refuse
    /// What becomes of values that don't go together.
    public var impossibleStates = ImpossibleStates.refuse
    /// Whether `"12"`, `"1.5"` and `"true"` count as numbers and booleans, as games write them into
    /// formats that have texts only, and some into every format. They are written back as texts.
    public var readsNumbersInTexts = true

    /// All of it letter by letter, but for numbers in texts.
    public init() {}

    /// All of it letter by letter, but for numbers in texts: for checking.
    public static let exact = Strictness()

    /// Whatever can be understood is read: for looking.
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
