/// An ``Option`` with its value type erased, as a command lists it. Only ``Option`` conforms.
public protocol DeclaredOption: Sendable {
    /// The facts that help, completions and manual pages need.
    var shape: OptionShape { get }

    /// Reads the texts given for this option, in order. The list is empty if the user did not give the option.
    func read(_ texts: [GivenText]) throws(UsageError) -> ReadValue
}

/// An ``Argument`` with its value type erased, as a command lists it. Only ``Argument`` conforms.
public protocol DeclaredArgument: Sendable {
    /// The facts that help, completions and manual pages need.
    var shape: ArgumentShape { get }

    /// Reads the texts given for this argument, in order.
    func read(_ texts: [GivenText]) throws(UsageError) -> ReadValue
}

/// A text from the command line or from the environment.
public struct GivenText: Hashable, Sendable {
    let text: String
    /// The environment variable, if the text came from one.
    let variable: String?

    init(_ text: String, from variable: String? = nil) {
        self.text = text
        self.variable = variable
    }
}

/// The value of an option or argument, with its type erased.
public struct ReadValue: Sendable {
    // The box distinguishes an `Option<Int?>` without a value from a missing entry. A bare optional would not.
    struct Box<Value: Sendable>: Sendable {
        let value: Value
    }

    private let box: any Sendable

    init<Value: Sendable>(_ value: Value) {
        box = Box(value: value)
    }

    func unboxed<Value: Sendable>(as type: Value.Type) -> Value? {
        (box as? Box<Value>)?.value
    }
}
