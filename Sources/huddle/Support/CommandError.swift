import CommandTable
import Vocabulary

/// An error of a command itself, not of a library.
struct CommandError: ExplainedError {
    let code: ErrorCode
    let message: String
    let nextStep: String
    /// The exit code that replaces that of the error class. Shells and `env` have such codes for programs that don't
    /// start.
    let exitCode: ExitCode?

    init(_ code: ErrorCode, _ message: String, nextStep: String, exitCode: ExitCode? = nil) {
        self.code = code
        self.message = message
        self.nextStep = nextStep
        self.exitCode = exitCode
    }
}
