/// What a command line said, read by the keys of the table: `given[limit]` has the type of the key.
public struct GivenValues: Sendable {
    /// The names typed to reach the command, the program's first.
    public let path: [String]

    private var values: [String: ReadValue] = [:]
    private var texts: [String: SaidText] = [:]

    init(path: [String]) {
        self.path = path
    }

    /// The value of an option that the command, a group above it or the program lists.
    public subscript<Value: Sendable>(option: Option<Value>) -> Value {
        value(of: option.shape.longForm)
    }

    /// The value of an argument that the command lists.
    public subscript<Value: Sendable>(argument: Argument<Value>) -> Value {
        value(of: argument.shape.name)
    }

    /// What was said for an option, and where; nil where nothing was, so that its default holds.
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

/// What was said for an option: on the command line, or in the environment.
public struct SaidText: Hashable, Sendable {
    /// As it was typed; empty for a flag.
    public let text: String
    /// The option's long form.
    public let option: String
    /// The variable, where it comes out of the environment.
    public let variable: String?
}
