/// The reading of a model from a tree: the current place, the strictness, and the faults so far.
public struct ModelReading: Sendable {
    /// The strictness.
    public let strictness: Strictness
    /// The current place.
    public private(set) var path: StatePath
    /// The faults so far.
    public private(set) var faults: [StateError] = []

    init(_ strictness: Strictness, at path: StatePath = .root) {
        self.strictness = strictness
        self.path = path
    }

    /// Records a fault at the current place.
    public mutating func fault(_ kind: StateError.Kind, _ detail: String, suggestion: String? = nil) {
        note(StateError(kind, detail, at: path, suggestion: suggestion))
    }

    /// True if there are more faults than a user reads, so that reading can stop.
    var hasEnough: Bool { faults.count > ModelFaults.limit }

    /// Records a fault with its own place.
    mutating func note(_ fault: StateError) {
        // A large tree may have a fault in each value. Faults that are never shown need no memory.
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
