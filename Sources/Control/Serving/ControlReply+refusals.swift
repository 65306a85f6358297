import Household
import Vocabulary

extension ControlReply {
    static func refusal(_ status: Int, _ error: any Error) -> ControlReply {
        ControlReply(status: status, .bytes(Array("\(SessionNews.failed(error).forPrograms.fields.line)\n".utf8)))
    }

    static func refusal(_ status: Int, _ error: HouseholdError) -> ControlReply {
        refusal(status, error as any Error)
    }
}

extension HouseholdError {
    static func unknownPath(_ path: [String]) -> HouseholdError {
        HouseholdError(
            ErrorCode(.notFound, "control.unknown-path"),
            "there is nothing at /\(PrintableText(path.joined(separator: "/"), limit: 200))",
            nextStep: "docs/control-api.md lists what can be asked"
        )
    }

    static func otherMethod(_ methods: [String]) -> HouseholdError {
        HouseholdError(
            ErrorCode(.invalid, "control.other-method"),
            "that can't be done there",
            nextStep: "use \(methods.joined(separator: " or "))"
        )
    }

    static func badRequest(_ why: String) -> HouseholdError {
        HouseholdError(
            ErrorCode(.invalid, "control.bad-request"),
            why,
            nextStep: "docs/control-api.md says what is expected"
        )
    }
}
