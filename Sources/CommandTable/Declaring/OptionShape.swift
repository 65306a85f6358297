/// What can be said about an option without knowing the type of its value.
public struct OptionShape: Hashable, Sendable {
    /// The long name without its dashes.
    public let name: String
    /// The letter of the short form.
    public let short: Character?
    /// How the value is called in help; nil where there is none.
    public let placeholder: String?
    /// The texts that may be given, where only these may.
    public let choices: [String]
    /// What a shell can offer for the value.
    public let completion: Completion
    /// A variable that gives the value where the command line does not.
    public let environment: String?
    /// What it does.
    public let help: String
    /// The default, as it would be typed.
    public internal(set) var defaultText: String?
    /// Whether it may be given several times.
    public internal(set) var isRepeatable = false
    /// Whether it must be given.
    public internal(set) var isRequired = false

    /// As it is typed: `--name`.
    public var longForm: String { "--\(name)" }
    /// As it is typed: `-n`.
    public var shortForm: String? { short.map { "-\($0)" } }
    /// Whether a value follows.
    public var takesValue: Bool { placeholder != nil }

    init<Value>(
        _ name: String,
        _ short: Character?,
        _ form: ValueForm<Value>,
        _ environment: String?,
        _ help: String
    ) {
        self.name = name
        self.short = short
        self.placeholder = form.placeholder
        self.choices = form.choices
        self.completion = form.completion
        self.environment = environment
        self.help = help
    }

    init(flag name: String, _ short: Character?, _ environment: String?, _ help: String) {
        self.name = name
        self.short = short
        self.placeholder = nil
        self.choices = []
        self.completion = .nothing
        self.environment = environment
        self.help = help
    }
}
