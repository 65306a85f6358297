/// An error for users: the failure, its reason, and the next step.
public protocol ExplainedError: Error, Sendable, CustomStringConvertible {
    /// A stable word for programs. Its meaning is the same in all versions.
    var code: ErrorCode { get }

    /// One plain sentence without a capital or full stop, without control characters.
    var message: String { get }

    /// The recommended action, in the imperative.
    var nextStep: String { get }

    /// The underlying error, if there is one.
    var cause: (any Error)? { get }
}

extension ExplainedError {
    /// No underlying error.
    public var cause: (any Error)? { nil }

    /// The message and the cause, separated by a colon, without the next step.
    public var explanation: String {
        guard let cause = otherCause else { return message }
        return "\(message): \((cause as? any ExplainedError)?.explanation ?? "\(cause)")"
    }

    /// One line for a log: the message, the cause in brackets, and the next step.
    public var description: String {
        let reason = otherCause.map { " (\($0))" } ?? ""
        return "\(message)\(reason): \(nextStep)"
    }

    /// The first cause with another message: an error that only forwards another has the same message.
    private var otherCause: (any Error)? {
        var shown = cause
        while let same = shown as? any ExplainedError, same.message == message { shown = same.cause }
        return shown
    }
}

/// The stable word of an error, such as `name.too-long`, and its class.
///
/// Two codes are equal if their words are.
public struct ErrorCode: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The word itself: the area, a dot, and the failure in it.
    public let description: String
    /// The kind of the failure.
    public let errorClass: ErrorClass

    /// Codes are constants in the source, never built from input.
    public init(_ errorClass: ErrorClass, _ word: StaticString) {
        (self.errorClass, description) = (errorClass, word.description)
    }

    private init(_ errorClass: ErrorClass, _ word: String) { (self.errorClass, description) = (errorClass, word) }

    /// The same word in another class.
    public func classed(_ errorClass: ErrorClass) -> ErrorCode { ErrorCode(errorClass, description) }

    /// A code of the class ``ErrorClass/refused``.
    public init(stringLiteral value: StaticString) { self.init(.refused, value) }

    /// Compares the words alone, so that a code can be matched by its word.
    public static func == (one: ErrorCode, other: ErrorCode) -> Bool { one.description == other.description }

    /// Hashes the word alone.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
