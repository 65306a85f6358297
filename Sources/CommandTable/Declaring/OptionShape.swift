/// An option without the type of its value.
public struct OptionShape: Hashable, Sendable {
    /// The long name without its dashes.
    public let name: String
    /// The letter of the short form.
    public let short: Character?
    /// The placeholder of the value in help; nil for a flag.
    public let placeholder: String?
    /// The only allowed texts, if the form restricts them.
    public let choices: [String]
    /// The candidates that a shell can offer for the value.
    public let completion: Completion
    /// A variable that gives the value if the command line does not.
    public let environment: String?
    /// The help text.
    public let help: String
    /// The default as the user would type it.
    public internal(set) var defaultText: String?
    /// True if the option may be repeated.
    public internal(set) var isRepeatable = false
    /// True if the option is required.
    public internal(set) var isRequired = false

    /// The long form, `--name`.
    public var longForm: String { "--\(name)" }
    /// The short form, `-n`.
    public var shortForm: String? { short.map { "-\($0)" } }
    /// True if a value follows the option.
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
