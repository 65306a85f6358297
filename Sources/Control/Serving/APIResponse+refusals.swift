import Household
import Vocabulary

extension APIResponse {
    static func refusal(_ status: Int, _ error: any Error) -> APIResponse {
        APIResponse(status: status, .bytes(Array("\(DaemonLine.failed(error).fieldsForPrograms.line)\n".utf8)))
    }

    static func refusal(_ status: Int, _ error: HouseholdError) -> APIResponse {
        refusal(status, error as any Error)
    }
}

extension HouseholdError {
    static func unknownPath(_ path: [String]) -> HouseholdError {
        HouseholdError(
            ErrorCode(.notFound, "control.unknown-path"),
            "no endpoint is at /\(PrintableText(path.joined(separator: "/"), limit: 200))",
            nextStep: "docs/control-api.md lists the endpoints"
        )
    }

    static func otherMethod(_ methods: [String]) -> HouseholdError {
        HouseholdError(
            ErrorCode(.invalid, "control.other-method"),
            "that endpoint does not support the method",
            nextStep: "use \(methods.joined(separator: " or "))"
        )
    }

    static func badRequest(_ why: String) -> HouseholdError {
        HouseholdError(
            ErrorCode(.invalid, "control.bad-request"),
            why,
            nextStep: "docs/control-api.md describes the requests"
        )
    }
}
