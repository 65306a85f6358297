public import Vocabulary

/// The faults of a tree as a model: all of them, not only the first.
public struct ModelFaults: ExplainedError, Hashable {
    /// The limit for faults, beyond which reading stops. No user reads more.
    public static let limit = 20

    /// The faults in the order of the table; at least one.
    public let faults: [StateError]
    /// True if there are more faults.
    public let hasMore: Bool

    /// Creates the error; nil without faults.
    /// - Parameter faults: at least one
    init?(_ faults: [StateError]) {
        guard !faults.isEmpty else { return nil }
        self.faults = Array(faults.prefix(Self.limit))
        hasMore = faults.count > Self.limit
    }

    private var first: StateError { faults[0] }

    /// The code of the first fault.
    public var code: ErrorCode { first.code }

    /// The first fault, and the count of the others.
    public var message: String {
        switch faults.count - 1 {
        case 0: first.message
        case 1: first.message + ", and one other fault"
        case let others: first.message + ", and \(hasMore ? "more than " : "")\(others) other faults"
        }
    }

    /// The step for the first fault.
    public var nextStep: String { first.nextStep }
}
