public import Vocabulary

/// Everything that keeps a tree from being taken for a model, not only the first of it.
public struct ModelFaults: ExplainedError, Hashable {
    /// Beyond as many nobody wants to be told more, and what is left is not looked at.
    public static let limit = 20

    /// In the order of the table; at least one.
    public let faults: [StateError]
    /// Whether there are others.
    public let hasMore: Bool

    /// - Parameter faults: at least one
    init?(_ faults: [StateError]) {
        guard !faults.isEmpty else { return nil }
        self.faults = Array(faults.prefix(Self.limit))
        hasMore = faults.count > Self.limit
    }

    private var first: StateError { faults[0] }

    /// That of the first fault.
    public var code: ErrorCode { first.code }

    /// The first fault, and how many others there are.
    public var message: String {
        switch faults.count - 1 {
        case 0: first.message
        case 1: first.message + ", and one other fault"
        case let others: first.message + ", and \(hasMore ? "more than " : "")\(others) other faults"
        }
    }

    /// That of the first fault.
    public var nextStep: String { first.nextStep }
}
