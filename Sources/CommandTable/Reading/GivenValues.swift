/// The values of a command line. The program reads them by the keys of the table: `given[limit]` has the type of the
/// key.
public struct GivenValues: Sendable {
    /// The names of the command, with the program's name first.
    public let path: [String]

    private var values: [String: ReadValue] = [:]
    private var texts: [String: SaidText] = [:]

    init(path: [String]) {
        self.path = path
    }

    /// The value of an option of the command, of a group above it, or of the program.
    public subscript<Value: Sendable>(option: Option<Value>) -> Value {
        value(of: option.shape.longForm)
    }

    /// The value of an argument of the command.
    public subscript<Value: Sendable>(argument: Argument<Value>) -> Value {
        value(of: argument.shape.name)
    }

    /// Returns the text given for an option; nil if there was none, so that the default applies.
    public func said(_ option: any DeclaredOption) -> SaidText? { texts[option.shape.longForm] }

    mutating func note(_ name: String, _ given: [GivenText]) {
        guard let last = given.last else { return }
        texts[name] = SaidText(text: last.text, option: name, variable: last.variable)
    }

    mutating func set(_ name: String, _ value: ReadValue) {
        values[name] = value
    }

    private func value<Value: Sendable>(of name: String) -> Value {
        guard let value = values[name] else {
            preconditionFailure("the table does not list \(name) for “\(path.joined(separator: " "))”")
        }
        guard let value = value.unboxed(as: Value.self) else {
            preconditionFailure("another \(name) is listed for “\(path.joined(separator: " "))” than the one read")
        }
        return value
    }
}

/// The text given for an option, on the command line or in the environment.
public struct SaidText: Hashable, Sendable {
    /// The text as the user typed it; `1` for a flag on the command line.
    public let text: String
    /// The option's long form.
    public let option: String
    /// The environment variable, if the text came from one.
    public let variable: String?
}
