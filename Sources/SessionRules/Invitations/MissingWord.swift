/// The answer that was missing when an invitation reached its time limit, as far as one side can know. The other
/// machine does not say if it has asked the user, so a machine that blocks looks the same.
public enum MissingWord: String, CaseIterable, Hashable, Sendable {
    /// An answer of the other machine. Its user had nothing to decide, or not yet.
    case machineThere
    /// A yes or no of the user of the other machine.
    case answerThere
    /// A yes or no of the user here.
    case answerHere
    /// The code that is shown here and that the other user has not typed.
    case codeThere
    /// The code that the other machine shows and that the user here has not typed.
    case codeHere
}

extension OutgoingInvitation.State {
    /// The answer that is due next; nil if none is.
    public var missing: MissingWord? {
        switch self {
        case .connecting, .sent, .proving, .proven: .machineThere
        case .codeShown: .codeThere
        case .waiting: .answerThere
        case .accepted, .refused, .withdrawn, .lost: nil
        }
    }
}

extension IncomingInvitation.State {
    /// The answer that is due next; nil if none is.
    public var missing: MissingWord? {
        switch self {
        case .arrived, .proving, .answered: .machineThere
        case .asking: .answerHere
        case .codeWanted: .codeHere
        case .joined, .declined, .withdrawn, .timedOut, .lost: nil
        }
    }
}
