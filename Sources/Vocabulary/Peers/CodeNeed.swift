/// The machine that requires a pairing code before the invited machine becomes trusted.
public enum CodeNeed: Int64, CaseIterable, Sendable {
    /// No machine: each knows the other's key.
    case none = 0
    /// Only the invited machine, so its user can accept the inviter's key without a code.
    case here = 1
    /// The inviter, so its code is required.
    case there = 2
}
