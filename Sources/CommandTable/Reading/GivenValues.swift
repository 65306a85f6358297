/// What a command line said, read by the keys of the table: `given[limit]` has the type of the key.
public struct GivenValues: Sendable {
    /// The names typed to reach the command, the program's first.
    public let path: [String]

    private var values: [String: ReadValue] = [:]

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
