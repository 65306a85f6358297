import Vocabulary

/// What a command can't do, beyond what the house says.
struct CommandError: ExplainedError {
    let code: ErrorCode
    let message: String
    let nextStep: String

    init(_ code: ErrorCode, _ message: String, nextStep: String) {
        self.code = code
        self.message = message
        self.nextStep = nextStep
    }
}
