public import Vocabulary

/// The failure to open the control socket.
public struct ControlServerError: ExplainedError, Hashable {
    /// The stable code, which begins with `control.`.
    public let code: ErrorCode
    /// The reason of the failure.
    public let message: String
    /// The recommended action.
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
            nextStep: "choose a shorter path"
        )
    }

    static let notStarted = ControlServerError(
        code: "control.not-started",
        message: "the HTTP library could not be started",
        nextStep: "check if the limit of open files is reached (`ulimit -n`)"
    )
}
