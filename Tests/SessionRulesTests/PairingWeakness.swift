/// A check that a first meeting does without, so that a search which finds no fault can be told from one that can't find any.
///
/// The machines themselves stay as they are: the model around them leaves the check out. To go back it puts an earlier copy in place.
enum PairingWeakness: CaseIterable {
    /// The inviter takes each confirmation for right.
    case unreadConfirm
    /// The invited machine takes each reply for right.
    case unreadReply
    /// A proof counts on each connection.
    case unboundLink
    /// A proof counts from each of the two sides.
    case unboundRole
    /// A proof counts for each code.
    case unboundCode
    /// An invitation shows the code of the one before.
    case keptCode
    /// The inviter answers each share.
    case secondAnswer
    /// An invitation whose code was answered goes on over another connection.
    case movedAnswer
    /// The invited machine waits for another reply after a wrong one.
    case secondReply
    /// The inviter does not count the wrong codes.
    case uncounted
    /// The inviter hears frames of each connection, and lets in the machine that said the last one.
    case anyLink

    /// Whether it needs an earlier copy of the machine.
    var goesBack: Bool { self == .secondAnswer || self == .movedAnswer }

    /// What follows from it.
    enum Consequence {
        case pinning, secondAnswer, secondTest, missingCount

        init(of fault: PairingModel.Fault) {
            self =
                switch fault {
                case .pinned: .pinning
                case .secondAnswer: .secondAnswer
                case .secondTest: .secondTest
                case .uncounted: .missingCount
                }
        }
    }

    /// What an attacker makes of it.
    var consequence: Consequence {
        switch self {
        case .unreadConfirm, .unreadReply, .unboundLink, .unboundRole, .unboundCode, .anyLink: .pinning
        case .keptCode, .secondAnswer: .secondAnswer
        case .secondReply: .secondTest
        case .movedAnswer, .uncounted: .missingCount
        }
    }
}
