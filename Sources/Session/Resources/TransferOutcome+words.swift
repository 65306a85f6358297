import Resources
import SessionRules
import Vocabulary
import Wire

extension TransferFault {
    init(_ failed: ChannelFrame.Failed) {
        self.init(code: failed.code.description, message: failed.message.description)
    }
}

extension ChannelFrame.Failed {
    init(_ fault: TransferFault) {
        self.init(
            code: FaultCode(fault.code) ?? FaultCode(ErrorCode(.file, "transfer.failed")),
            message: Remark(fault.message)
        )
    }
}

extension TransferOutcome {
    /// A stable word for programs and for the audit.
    var word: String {
        switch self {
        case .stored: "stored"
        case .refused(let reason): "refused-\(reason.word)"
        case .cancelledHere: "cancelled"
        case .cancelledThere: "cancelled-there"
        case .failedHere(let fault), .failedThere(let fault): fault.code
        case .gone(let reason): "gone-\(reason.word)"
        }
    }
}

extension SessionError {
    /// Explains why a file or folder did not arrive.
    ///
    /// - Parameters:
    ///   - remark: the receiver's words beside a refusal
    ///   - troubleHere: the failure on this side, if there was one
    init(_ outcome: TransferOutcome, remark: String = "", troubleHere: ResourceError? = nil) {
        switch outcome {
        case .stored: preconditionFailure("what is stored did not fail")
        // A refusal by the user has no remark; a refusal by a machine that can't store the resource has one.
        case .refused(.declined) where !remark.isEmpty:
            self.init(
                ErrorCode(.file, "transfer.failed-there"),
                "on the other machine: \(PrintableText(remark, limit: 400))",
                nextStep: "fix the problem there, then send it again"
            )
        case .refused(let reason):
            let said = remark.isEmpty ? "" : ": \(remark)"
            self.init(
                "transfer.refused",
                "the other side did not take it (\(reason.word))\(said)",
                nextStep: "ask the person there, then send it again",
                reason: reason
            )
        case .cancelledHere(let reason):
            self.init(
                "transfer.cancelled",
                "it was cancelled here",
                nextStep: "send it again if it is wanted",
                reason: reason
            )
        case .cancelledThere(let reason):
            self.init(
                "transfer.cancelled-there",
                "the other side cancelled it",
                nextStep: "ask the person there",
                reason: reason
            )
        case .failedHere(let fault):
            self.init(
                ErrorCode(.file, "transfer.failed"),
                troubleHere?.sentence ?? fault.message,
                nextStep: troubleHere?.nextStep ?? "fix the problem, then send it again: it goes on where it was"
            )
        case .failedThere(let fault):
            self.init(
                ErrorCode(.file, "transfer.failed-there"),
                "on the other machine: \(PrintableText(fault.message, limit: 400))",
                nextStep: "fix the problem there, then send it again: it goes on where it was"
            )
        case .gone(let reason):
            self.init(
                "transfer.gone",
                "the other side is gone (\(reason.word))",
                nextStep: "send it again when it is back: it goes on where it was",
                reason: reason
            )
        }
    }
}

extension ResourceError {
    /// The message without its hint, which depends on the reader.
    var sentence: String { cause.map { "\(message) (\($0))" } ?? message }
}
