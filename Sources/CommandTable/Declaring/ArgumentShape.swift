/// What can be said about an argument without knowing the type of its value.
public struct ArgumentShape: Hashable, Sendable {
    /// How it is called in help.
    public let name: String
    /// The texts that may be given, where only these may.
    public let choices: [String]
    /// What a shell can offer for it.
    public let completion: Completion
    /// How many must be given.
    public let minimum: Int
    /// How many may be given.
    public let maximum: Int
    /// What it is.
    public let help: String
    /// Whether it takes all that follows `--`.
    public internal(set) var followsDashes = false

    /// As a line of usage shows it: `NAME`, `[NAME]`, `FILE...`, `[-- COMMAND...]`.
    public var usage: String {
        let many = maximum > 1 ? "\(name)..." : name
        let form = followsDashes ? "-- \(many)" : many
        return minimum == 0 ? "[\(form)]" : form
    }

    init<Value>(_ name: String, _ form: ValueForm<Value>, minimum: Int, maximum: Int, _ help: String) {
        self.name = name
        self.choices = form.choices
        self.completion = form.completion
        self.minimum = minimum
        self.maximum = maximum
        self.help = help
    }
}
