import SaveRules
import Session
import Vocabulary

extension KeptSet {
    /// Something on its way here. Another one of the same snapshot is another one.
    @Engine
    final class Fetch {
        var machine: SnapshotFetch
        /// Whether nobody who was asked, and is there, has what is missing.
        var isStarved = false
        private var asked: [PeerID: SaveTicket] = [:]

        init(_ machine: SnapshotFetch) { self.machine = machine }

        /// A peer is found for it. Answers whether that is new in this meeting.
        func meets(_ peer: PeerID, in ticket: SaveTicket?) -> Bool {
            defer { asked[peer] = ticket }
            return asked[peer] != ticket
        }

        /// A peer, or any, is found anew.
        func forget(_ peer: PeerID? = nil) {
            if let peer { asked[peer] = nil } else { asked = [:] }
        }
    }
}
