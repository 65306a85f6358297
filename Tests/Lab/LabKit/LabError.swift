public import Vocabulary

/// The error of a lab.
public struct LabError: ExplainedError {
    /// The step that failed, as a fixed word.
    public let code: ErrorCode

    /// The host, the step, and the last output of the failed program.
    public let message: String

    /// The next step for the user.
    public let nextStep: String

    /// The underlying error.
    public let cause: (any Error)?

    /// The error if the kernel or a container refuses the parts of hosts.
    static let namespaces: ErrorCode = "lab.namespaces"

    init(_ code: ErrorCode, _ message: String, cause: (any Error)? = nil, nextStep: String) {
        self.code = code
        self.message = message
        self.nextStep = nextStep
        self.cause = cause
    }
}
