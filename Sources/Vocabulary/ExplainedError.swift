/// An error that can be shown to a person as it stands: what happened, why, and what to do next.
public protocol ExplainedError: Error, Sendable, CustomStringConvertible {
    /// A stable word for programs. It never changes its meaning between versions.
    var code: ErrorCode { get }

    /// One plain sentence without a capital or full stop, free of control characters.
    var message: String { get }

    /// What the reader can do about it, in the imperative.
    var nextStep: String { get }

    /// What lay underneath, where there is something.
    var cause: (any Error)? { get }
}

extension ExplainedError {
    /// Most errors are their own cause.
    public var cause: (any Error)? { nil }

    /// What failed and why: the message, a colon and the cause, without what to do.
    public var explanation: String {
        guard let cause = otherCause else { return message }
        return "\(message): \((cause as? any ExplainedError)?.explanation ?? "\(cause)")"
    }

    /// One line for a log: the message, then the cause in brackets, then the next step.
    public var description: String {
        let reason = otherCause.map { " (\($0))" } ?? ""
        return "\(message)\(reason): \(nextStep)"
    }

    /// The first cause that says something else: an error that only passes on another says the same once.
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
    /// The word itself: the area, a dot, and what went wrong in it.
    public let description: String
    /// The kind of the failure.
    public let errorClass: ErrorClass

    /// Codes are written in the source, never made from what came from outside.
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

    /// Hashes the word alone, as equality compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
