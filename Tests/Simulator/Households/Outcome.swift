import Synchronization

/// The outcome of a run.
final class Outcome: Sendable {
    private let state = Mutex<(isOver: Bool, violation: String?)>((false, nil))

    var isOver: Bool { state.withLock { $0.isOver } }
    var violation: String? { state.withLock { $0.violation } }

    func end(_ violation: String?) { state.withLock { $0 = (true, violation) } }
}
