/// An option, `--name VALUE`, and the key that reads its value.
///
/// The type of the value follows from the initializer. `Option<Duration>` has a default, `Option<Duration?>` may be
/// absent, and `Option<[Duration]>` may be repeated. A `Flag` is true if it is given:
///
/// ```swift
/// let wait = Option("wait", .duration, default: .seconds(5), help: "how long to wait")  // Option<Duration>
/// let limit = Option("for", .duration, help: "stop after this long")  // Option<Duration?>
/// let peers = Option(repeating: "peer", .text, help: "a peer to ask")  // Option<[String]>
/// let json = Flag("json", help: "print JSON")  // Option<Bool>
/// ```
public struct Option<Value: Sendable>: DeclaredOption {
    /// The facts that help, completions and manual pages need.
    public let shape: OptionShape

    private let convert: @Sendable ([GivenText]) throws(UsageError) -> Value

    init(_ shape: OptionShape, convert: @escaping @Sendable ([GivenText]) throws(UsageError) -> Value) {
        self.shape = shape
        self.convert = convert
    }

    /// Reads the texts given for this option.
    public func read(_ texts: [GivenText]) throws(UsageError) -> ReadValue {
        ReadValue(try convert(texts))
    }
}

/// An option without a value, which is true if it is given.
public typealias Flag = Option<Bool>

extension Option {
    /// Creates an option with a default.
    ///
    /// - Parameters:
    ///   - name: the long name without its dashes
    ///   - short: a letter for the short form
    ///   - form: the form of the value
    ///   - value: the default
    ///   - environment: a variable that gives the value if the command line does not
    ///   - help: the effect of the option: no capital, no full stop
    public init(
        _ name: String,
        short: Character? = nil,
        _ form: ValueForm<Value>,
        default value: Value,
        environment: String? = nil,
        help: String
    ) {
        var shape = OptionShape(name, short, form, environment, help)
        shape.defaultText = form.write(value)
        self.init(shape) { [shape] texts throws(UsageError) in
            guard let text = texts.last else { return value }
            return try form.read(text, for: shape.longForm)
        }
    }

    /// Creates an option that may be absent.
    ///
    /// - Parameters:
    ///   - name: the long name without its dashes
    ///   - short: a letter for the short form
    ///   - form: the form of the value
    ///   - environment: a variable that gives the value if the command line does not
    ///   - help: the effect of the option: no capital, no full stop
    public init<Element>(
        _ name: String,
        short: Character? = nil,
        _ form: ValueForm<Element>,
        environment: String? = nil,
        help: String
    ) where Value == Element? {
        let shape = OptionShape(name, short, form, environment, help)
        self.init(shape) { texts throws(UsageError) in
            guard let text = texts.last else { return nil }
            return try form.read(text, for: shape.longForm)
        }
    }

    /// Creates a required option.
    ///
    /// - Parameters:
    ///   - name: the long name without its dashes
    ///   - short: a letter for the short form
    ///   - form: the form of the value
    ///   - environment: a variable that gives the value if the command line does not
    ///   - help: the effect of the option: no capital, no full stop
    public init(
        required name: String,
        short: Character? = nil,
        _ form: ValueForm<Value>,
        environment: String? = nil,
        help: String
    ) {
        var shape = OptionShape(name, short, form, environment, help)
        shape.isRequired = true
        self.init(shape) { [shape] texts throws(UsageError) in
            guard let text = texts.last else { throw UsageError.missingOption(shape) }
            return try form.read(text, for: shape.longForm)
        }
    }

    /// Creates an option that may be repeated. Its values keep the order of the command line.
    ///
    /// - Parameters:
    ///   - name: the long name without its dashes
    ///   - short: a letter for the short form
    ///   - form: the form of one value
    ///   - environment: a variable that gives one value if the command line gives none
    ///   - help: the effect of the option: no capital, no full stop
    public init<Element>(
        repeating name: String,
        short: Character? = nil,
        _ form: ValueForm<Element>,
        environment: String? = nil,
        help: String
    ) where Value == [Element] {
        var shape = OptionShape(name, short, form, environment, help)
        shape.isRepeatable = true
        self.init(shape) { [shape] texts throws(UsageError) in
            var values: [Element] = []
            for text in texts { values.append(try form.read(text, for: shape.longForm)) }
            return values
        }
    }
}

extension Option where Value == Bool {
    /// Creates an option without a value. It may be repeated without effect, so that a shell alias may contain it.
    ///
    /// - Parameters:
    ///   - name: the long name without its dashes
    ///   - short: a letter for the short form
    ///   - environment: a variable that sets the option: 1, true, yes or on; 0, false, no or off
    ///   - help: the effect of the option: no capital, no full stop
    public init(_ name: String, short: Character? = nil, environment: String? = nil, help: String) {
        let shape = OptionShape(flag: name, short, environment, help)
        self.init(shape) { texts throws(UsageError) in
            guard let text = texts.last else { return false }
            return try ValueForm.truth.read(text, for: shape.longForm)
        }
    }
}

extension Option where Value == Int {
    /// Creates an option without a value that counts its occurrences, such as `-vv`.
    ///
    /// - Parameters:
    ///   - name: the long name without its dashes
    ///   - short: a letter for the short form
    ///   - help: the effect of the option: no capital, no full stop
    public init(counting name: String, short: Character? = nil, help: String) {
        var shape = OptionShape(flag: name, short, nil, help)
        shape.isRepeatable = true
        self.init(shape) { texts in texts.count }
    }
}
