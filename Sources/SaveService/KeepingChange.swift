import Control
import Household
import SaveRules
import Vocabulary

/// A change of the rule that keeps old versions. Missing fields change nothing.
struct KeepingChange {
    /// The number of newest versions that stay.
    private let count: Int?
    /// The days for which each version stays; 0 keeps none for its age.
    private let days: Int?
    /// The space of all versions on the disk in bytes; 0 sets no limit.
    private let space: UInt64?

    static let keys = ["keep", "days", "space"]
    /// The minimum for the limit of space. A smaller limit has no room for one save of some games, and means a
    /// forgotten unit.
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
                nextStep: "30 is usual; with 0 no version stays for its age"
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
