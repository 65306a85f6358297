import CommandTable
import Vocabulary

/// The error of a command itself, beside those of the libraries.
struct CommandError: ExplainedError {
    let code: ErrorCode
    let message: String
    let nextStep: String
    /// The exit code in place of that of the error class: shells and `env` have some for programs that don't start.
    let exitCode: ExitCode?

    init(_ code: ErrorCode, _ message: String, nextStep: String, exitCode: ExitCode? = nil) {
        self.code = code
        self.message = message
        self.nextStep = nextStep
        self.exitCode = exitCode
    }
}
