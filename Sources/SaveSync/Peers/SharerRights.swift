import Ledger
import SaveRules
import Vocabulary

/// The rights of a machine to the saves here.
enum SharerRights: Hashable, Sendable {
    /// The machine syncs them.
    case mayExchange
    /// Its policy asks the user first, or a permission is missing that saves need.
    case notPermitted
    case blocked
    /// This machine has forgotten it, or never paired with it.
    case unknown

    /// The obstacle to the game; nil if there is none or the machine is unknown.
    var obstacle: SyncObstacle? {
        switch self {
        case .blocked: .blockedHere
        case .notPermitted: .notPermittedHere
        case .mayExchange, .unknown: nil
        }
    }

    init(_ peer: KnownPeer) {
        self =
            switch peer.policy {
            case .block: .blocked
            case .accept where peer.isPinned && peer.permissions.isSuperset(of: .neededForSaves): .mayExchange
            case .accept, .ask, nil: .notPermitted
            }
    }
}
