/// Whose word was missing when an invitation ran into its time limit, as far as one side can know. Whether anybody was asked over there is not told, so
/// that a machine that blocks looks the same.
public enum MissingWord: String, CaseIterable, Hashable, Sendable {
    /// That of the machine there: nobody had to decide anything any more, or not yet.
    case machineThere
    /// That of the person there, who had no code to compare.
    case personThere
    /// That of the person here, who had no code to compare.
    case personHere
    /// The person there has confirmed the code, the one here has not.
    case codeHere
    /// The person here has confirmed the code, the one there has not.
    case codeThere
    /// Neither has confirmed the code.
    case bothCodes
}

extension OutgoingInvitation.State {
    /// Who had to say something next; nil where nobody had.
    public var missing: MissingWord? {
        switch self {
        case .connecting, .sent, .confirmedByBoth: .machineThere
        case .codeShown: .bothCodes
        case .confirmedHere: .codeThere
        case .confirmedThere: .codeHere
        case .waiting: .personThere
        case .accepted, .refused, .withdrawn, .lost: nil
        }
    }
}

extension IncomingInvitation.State {
    /// Who had to say something next; nil where nobody had.
    public var missing: MissingWord? {
        switch self {
        case .awaitingReveal, .answered: .machineThere
        case .asking: .personHere
        case .codeShown: .bothCodes
        case .confirmedHere: .codeThere
        case .confirmedThere: .codeHere
        case .joined, .declined, .withdrawn, .timedOut, .lost: nil
        }
    }
}
