import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// Whether those who are there have what is newest here.
extension KeptSet {
    /// Those who have part in the set now, and have not said yet that all that is newest here is there, whole.
    var behind: [PeerID] {
        let newest = heads.heads.filter(heads.held.contains)
        return parts.values.filter { part in
            guard part.exchange.state != .refused, !part.isRefusedThere else { return false }
            return !part.hasNamed || !heads.graph.covers(part.exchange.theirs.map(\.id), newest)
        }.map(\.peer.id).sorted()
    }

    /// Waits until nobody is behind, or there any more.
    func untilSpread() async throws {
        while !behind.isEmpty, life != .left {
            let turn = Resumption<Void>()
            spreading.append(turn)
            defer { spreading.removeAll { $0 === turn } }
            try await turn.valueUnlessCancelled()
        }
    }

    func noteSpread() {
        guard !spreading.isEmpty, behind.isEmpty else { return }
        let waiting = spreading
        spreading = []
        for turn in waiting { turn.resume(with: .success(())) }
    }
}
