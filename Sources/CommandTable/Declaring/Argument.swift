/// A positional argument of a command, and the key that reads its value.
///
/// ```swift
/// let name = Argument("NAME", .instanceName, help: "the name that others see")  // Argument<InstanceName>
/// let peer = Argument(optional: "PEER", .text, help: "whom to ask")  // Argument<String?>
/// let files = Argument(repeating: "FILE", .file, help: "what to send")  // Argument<[String]>
/// let game = Argument(rest: "COMMAND", help: "the game to run")  // Argument<[String]>, all that follows "--"
/// ```
public struct Argument<Value: Sendable>: DeclaredArgument {
    /// The facts that help, completions and manual pages need.
    public let shape: ArgumentShape

    private let convert: @Sendable ([GivenText]) throws(UsageError) -> Value

    private init(_ shape: ArgumentShape, convert: @escaping @Sendable ([GivenText]) throws(UsageError) -> Value) {
        self.shape = shape
        self.convert = convert
    }

    /// Reads the texts given for this argument.
    public func read(_ texts: [GivenText]) throws(UsageError) -> ReadValue {
        ReadValue(try convert(texts))
    }
}

extension Argument {
    /// Creates a required argument.
    ///
    /// - Parameters:
    ///   - name: the placeholder in help, in capitals
    ///   - form: the form of the value
    ///   - help: a description of the value: no capital, no full stop
    public init(_ name: String, _ form: ValueForm<Value>, help: String) {
        let shape = ArgumentShape(name, form, minimum: 1, maximum: 1, help)
        self.init(shape) { texts throws(UsageError) in
            guard let text = texts.first else {
                preconditionFailure("the reader gives a required argument its text or refuses the line")
            }
            return try form.read(text, for: name)
        }
    }

    /// Creates an optional argument.
    ///
    /// - Parameters:
    ///   - name: the placeholder in help, in capitals
    ///   - form: the form of the value
    ///   - help: a description of the value: no capital, no full stop
    public init<Element>(optional name: String, _ form: ValueForm<Element>, help: String) where Value == Element? {
        let shape = ArgumentShape(name, form, minimum: 0, maximum: 1, help)
        self.init(shape) { texts throws(UsageError) in
            guard let text = texts.first else { return nil }
            return try form.read(text, for: name)
        }
    }

    /// Creates an argument that may be repeated.
    ///
    /// - Parameters:
    ///   - name: the placeholder of one value in help, in capitals
    ///   - form: the form of one value
    ///   - minimum: the smallest number of values
    ///   - help: a description of the values: no capital, no full stop
    public init<Element>(repeating name: String, _ form: ValueForm<Element>, atLeast minimum: Int = 1, help: String)
    where Value == [Element] {
        let shape = ArgumentShape(name, form, minimum: minimum, maximum: .max, help)
        self.init(shape) { texts throws(UsageError) in
            var values: [Element] = []
            for text in texts { values.append(try form.read(text, for: name)) }
            return values
        }
    }
}

extension Argument where Value == [String] {
    /// Creates an argument that takes everything after `--` unchanged: a command to run, with options of its own.
    ///
    /// - Parameters:
    ///   - name: the placeholder in help, in capitals
    ///   - minimum: the smallest number of words
    ///   - help: a description of the words: no capital, no full stop
    public init(rest name: String, atLeast minimum: Int = 1, help: String) {
        let form = ValueForm.text
        var shape = ArgumentShape(name, form, minimum: minimum, maximum: .max, help)
        shape.followsDashes = true
        self.init(shape) { texts in texts.map(\.text) }
    }
}
