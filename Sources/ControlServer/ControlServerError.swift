public import Vocabulary

/// Why there is no control socket.
public struct ControlServerError: ExplainedError, Hashable {
    /// `control.` and what went wrong.
    public let code: ErrorCode
    /// What went wrong, for a person.
    public let message: String
    /// What to do about it.
    public let nextStep: String

    static func taken(_ path: String) -> ControlServerError {
        ControlServerError(
            code: "control.taken",
            message: "another program answers at \(PrintableText(path))",
            nextStep: "stop it first, or give this one a folder of its own"
        )
    }

    static func pathTooLong(_ path: String) -> ControlServerError {
        ControlServerError(
            code: "control.path-too-long",
            message: "\(PrintableText(path)) has more than 107 bytes, which no socket can have",
            nextStep: "choose a shorter folder"
        )
    }

    static let notStarted = ControlServerError(
        code: "control.not-started",
        message: "the HTTP library could not be started",
        nextStep: "look whether the limit of open files is reached (`ulimit -n`)"
    )
}
