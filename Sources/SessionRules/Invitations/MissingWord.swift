/// Whose word was missing when an invitation ran into its time limit, as far as one side can know. Whether a person was asked over there is
/// not told, so that a machine that blocks looks the same.
public enum MissingWord: String, CaseIterable, Hashable, Sendable {
    /// That of the machine there: a person had nothing to decide, or not yet.
    case machineThere
    /// That of the person there, who had no code to type.
    case personThere
    /// That of the person here, who had no code to type.
    case personHere
    /// The person there has not typed the code that is shown here.
    case codeThere
    /// The person here has not typed the code that is shown there.
    case codeHere
}

extension OutgoingInvitation.State {
    /// Who had to say something next; nil where nothing was missing.
    public var missing: MissingWord? {
        switch self {
        case .connecting, .sent, .proving, .proven: .machineThere
        case .codeShown: .codeThere
        case .waiting: .personThere
        case .accepted, .refused, .withdrawn, .lost: nil
        }
    }
}

extension IncomingInvitation.State {
    /// Who had to say something next; nil where nothing was missing.
    public var missing: MissingWord? {
        switch self {
        case .arrived, .proving, .answered: .machineThere
        case .asking: .personHere
        case .codeWanted: .codeHere
        case .joined, .declined, .withdrawn, .timedOut, .lost: nil
        }
    }
}
