public import SaveRules
import Vocabulary

extension KnownPeer {
    /// The place of the machine in the household. An entry without a pairing and without a policy is an unknown
    /// machine's.
    public var standing: MachineStanding {
        switch policy {
        case .block: .blocked
        case .accept where isPinned && permissions.isSuperset(of: .neededForSaves): .mine
        case .accept, .ask: .guest
        case nil: isPinned ? .guest : .stranger
        }
    }
}
