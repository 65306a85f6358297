import LinuxPlatform
import SaveRules
import Vocabulary

extension KeptSet {
    /// Something on its way here. Another one of the same snapshot is another one.
    @Engine
    final class Fetch {
        var machine: SnapshotFetch
        /// Whether nobody who was asked, and is there, has what is missing.
        var isStarved = false
        /// How fast it comes; nil before it is known how much does.
        private(set) var pace: FetchPace?
        private var asked: [PeerID: SaveTicket] = [:]

        init(_ machine: SnapshotFetch) { self.machine = machine }

        /// A peer is found for it. Answers whether that is new in this meeting.
        func meets(_ peer: PeerID, in ticket: SaveTicket?) -> Bool {
            defer { asked[peer] = ticket }
            return asked[peer] != ticket
        }

        /// Something has come. Answers how much, if a second has passed since that was said last.
        func moves(at now: ContinuousClock.Instant) -> FetchProgress? {
            guard let progress = machine.progress else { return nil }
            if pace == nil { pace = FetchPace(progress, at: now) } else { pace?.moved(to: progress, at: now) }
            guard now - toldAt >= .seconds(1) else { return nil }
            toldAt = now
            return progress
        }

        private var toldAt = ContinuousClock.Instant.current

        /// A peer, or any, is found anew.
        func forget(_ peer: PeerID? = nil) {
            if let peer { asked[peer] = nil } else { asked = [:] }
        }
    }
}
