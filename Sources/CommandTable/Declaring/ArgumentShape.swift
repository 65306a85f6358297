/// An argument without the type of its value.
public struct ArgumentShape: Hashable, Sendable {
    /// The placeholder in help.
    public let name: String
    /// The only allowed texts, if the form restricts them.
    public let choices: [String]
    /// The candidates that a shell can offer.
    public let completion: Completion
    /// The smallest number of values.
    public let minimum: Int
    /// The largest number of values.
    public let maximum: Int
    /// The help text.
    public let help: String
    /// True if the argument takes everything after `--`.
    public internal(set) var followsDashes = false

    /// The argument in a usage line: `NAME`, `[NAME]`, `FILE...`, `[-- COMMAND...]`.
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
