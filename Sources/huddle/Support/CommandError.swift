import CommandTable
import Vocabulary

/// What a command can't do, beyond what the house says.
struct CommandError: ExplainedError {
    let code: ErrorCode
    let message: String
    let nextStep: String
    /// A code of its own, in place of that of the class: shells and `env` have some for programs that do not start.
    let exitCode: ExitCode?

    init(_ code: ErrorCode, _ message: String, nextStep: String, exitCode: ExitCode? = nil) {
        self.code = code
        self.message = message
        self.nextStep = nextStep
        self.exitCode = exitCode
    }
}
