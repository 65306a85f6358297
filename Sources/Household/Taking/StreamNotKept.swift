import LinuxPlatform
import Vocabulary

/// Why what a peer streams can't be written on.
struct StreamNotKept: ExplainedError {
    let code: ErrorCode = "stream.not-kept"
    let message: String
    /// The same for the one who writes it, who has no business with where things lie here.
    let remark: String
    let nextStep: String
    let cause: (any Error)?

    init(_ error: SystemError, in folder: InboxFolder) {
        let trouble = DiskTrouble(error)
        message = trouble.message(about: "“\(PrintableText(folder.path, limit: 4096))”")
        remark = trouble.message(about: "its file")
        nextStep = trouble.nextStep
        cause = error
    }
}
