import Ledger
import SaveRules
import Vocabulary

extension KeptSet {
    /// A peer that has the set and is there.
    struct Part {
        let peer: SavePeer
        var exchange: Exchange
        /// How fast it gets what this machine has; nil if it fetches nothing.
        var pace: FetchPace?
        /// What it has whole.
        var offers: [SnapshotID] = []
        /// Whether it has refused what this machine said: it answers nothing more until it wants to meet anew.
        var isRefusedThere = false

        /// Whether it has said in this meeting what is newest there.
        var hasNamed: Bool { exchange.state == .asking || exchange.state == .level }

        /// Whether it owes an answer about history.
        var isAsked: Bool { exchange.state == .asking && !isRefusedThere }
    }
}
