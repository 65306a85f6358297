/// Which of two machines wants a code before the one that is invited comes to be trusted.
public enum CodeNeed: Int64, CaseIterable, Sendable {
    /// Neither: each knows the other's key.
    case none = 0
    /// Only the machine that is invited, so its person can take the inviter's key without a code.
    case here = 1
    /// The inviter, so nothing but its code will do.
    case there = 2
}
