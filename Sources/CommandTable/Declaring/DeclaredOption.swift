/// An ``Option`` whatever the type of its value, as a command lists it. Only ``Option`` conforms.
public protocol DeclaredOption: Sendable {
    /// What help, completions and manual pages need to know.
    var shape: OptionShape { get }

    /// Reads what was given for this option, in order; empty where nothing was.
    func read(_ texts: [GivenText]) throws(UsageError) -> ReadValue
}

/// An ``Argument`` whatever the type of its value, as a command lists it. Only ``Argument`` conforms.
public protocol DeclaredArgument: Sendable {
    /// What help, completions and manual pages need to know.
    var shape: ArgumentShape { get }

    /// Reads what was given for this argument, in order.
    func read(_ texts: [GivenText]) throws(UsageError) -> ReadValue
}

/// One text and where it was given.
public struct GivenText: Hashable, Sendable {
    let text: String
    /// The variable, for a text out of the environment.
    let variable: String?

    init(_ text: String, from variable: String? = nil) {
        self.text = text
        self.variable = variable
    }
}

/// The value that was made of what was given.
public struct ReadValue: Sendable {
    // A box keeps `Option<Int?>` without a value apart from no value at all, which a bare optional would not.
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
