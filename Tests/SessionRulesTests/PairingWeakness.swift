/// A check that the model of a pairing leaves out. It proves that the search can find faults at all.
///
/// The state machines stay unchanged, and the model around them leaves the check out. To go back, it restores a copy.
enum PairingWeakness: CaseIterable {
    /// The inviter accepts each confirmation as right.
    case unreadConfirm
    /// The invited machine accepts each reply as right.
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
    /// The invited machine does not count the wrong replies.
    case uncountedByInvited
    /// The inviter reads frames of each connection, and accepts the machine that sent the last one.
    case anyLink

    /// True if it needs an earlier copy of the state machine.
    var goesBack: Bool { self == .secondAnswer || self == .movedAnswer }

    /// The fault that it leads to.
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

    /// The attack that uses it.
    var consequence: Consequence {
        switch self {
        case .unreadConfirm, .unreadReply, .unboundLink, .unboundRole, .unboundCode, .anyLink: .pinning
        case .keptCode, .secondAnswer: .secondAnswer
        case .secondReply: .secondTest
        case .movedAnswer, .uncounted, .uncountedByInvited: .missingCount
        }
    }
}
