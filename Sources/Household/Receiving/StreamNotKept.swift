import LinuxPlatform
import Vocabulary

/// The reason why a peer's stream can't be written further.
struct StreamNotKept: ExplainedError {
    let code: ErrorCode = "stream.not-kept"
    let message: String
    /// The reason for the sender, without paths of this machine.
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
