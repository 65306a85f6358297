/// A model that is being read from a tree: where it has come to, how strict it is, what was wrong so far.
public struct ModelReading: Sendable {
    /// How strict it is.
    public let strictness: Strictness
    /// Where it has come to.
    public private(set) var path: StatePath
    /// What was wrong so far.
    public private(set) var faults: [StateError] = []

    init(_ strictness: Strictness, at path: StatePath = .root) {
        self.strictness = strictness
        self.path = path
    }

    /// Notes that something is wrong where the reading has come to.
    public mutating func fault(_ kind: StateError.Kind, _ detail: String, suggestion: String? = nil) {
        note(StateError(kind, detail, at: path, suggestion: suggestion))
    }

    /// Whether so much is wrong already that nobody wants to be told more, and what is left need not be looked at.
    var hasEnough: Bool { faults.count > ModelFaults.limit }

    /// Notes a fault that knows its place.
    mutating func note(_ fault: StateError) {
        // A large tree may have a fault in each value; what is never shown is not worth keeping.
        if !hasEnough { faults.append(fault) }
    }

    /// Reads one step further down.
    public mutating func within<Result>(
        _ step: StatePath.Step,
        _ read: (inout ModelReading) -> Result
    ) -> Result {
        path.steps.append(step)
        defer { path.steps.removeLast() }
        return read(&self)
    }
}
