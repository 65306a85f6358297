import Control
import Household
import SaveRules
import Vocabulary

/// How long old versions of a set stay from now on; what is not said stays as it is.
struct KeepingChange {
    /// How many of the newest stay.
    private let count: Int?
    /// For how many days each stays; 0 keeps nothing for its age.
    private let days: Int?
    /// How much all may take on the disk; 0 sets no limit.
    private let space: UInt64?

    static let keys = ["keep", "days", "space"]
    /// Less holds not even one save of some games, and is a unit that was forgotten.
    private static let leastSpace = ByteCount(1 << 20)

    init(_ fields: JSONFields) throws {
        (count, days) = try RouteCall.asked { (try fields.integer("keep"), try fields.integer("days")) }
        space = try RouteCall.asked { try fields.integer("space") }
        if let count, !(1...1_000_000).contains(count) {
            throw HouseholdError(
                ErrorCode(.invalid, "control.bad-request"),
                "“keep” is 1 to 1000000 versions",
                nextStep: "50 is usual"
            )
        }
        if let days, !(0...36_500).contains(days) {
            throw HouseholdError(
                ErrorCode(.invalid, "control.bad-request"),
                "“days” is 0 to 36500",
                nextStep: "30 is usual; with 0 nothing is kept for its age"
            )
        }
        if let space, space != 0, space < Self.leastSpace.bytes {
            throw HouseholdError(
                ErrorCode(.invalid, "control.bad-request"),
                "the space for versions is at least \(Self.leastSpace)",
                nextStep: "write it with its unit, as in 2GiB; 0 sets no limit"
            )
        }
    }

    func apply(to rule: inout RetentionRule) {
        if let count { rule.count = count }
        if let days { rule.age = days == 0 ? nil : .seconds(days * 86_400) }
        if let space { rule.space = space == 0 ? nil : space }
    }
}
