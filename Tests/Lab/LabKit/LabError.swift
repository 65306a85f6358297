public import Vocabulary

/// Why the lab could not do what it was asked.
public struct LabError: ExplainedError {
    /// The step that failed, as a stable word.
    public let code: ErrorCode

    /// The host, the step, and what the failing program said last.
    public let message: String

    /// What to do about it.
    public let nextStep: String

    /// What lay underneath.
    public let cause: (any Error)?

    /// Where the kernel, or a container, refuses what hosts are made of.
    static let namespaces: ErrorCode = "lab.namespaces"

    init(_ code: ErrorCode, _ message: String, cause: (any Error)? = nil, nextStep: String) {
        self.code = code
        self.message = message
        self.nextStep = nextStep
        self.cause = cause
    }
}
