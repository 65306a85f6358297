import Household
import Ledger
import SaveRules
import SaveSync
import Session
import Vocabulary

extension SaveWording {
    /// The event after a game was revoked from a machine, about other machines that may still send it there; nil if
    /// there are none.
    func sharedElsewhere(_ report: GameReport, than peer: PeerTag) async -> SessionNews? {
        guard !report.sharers.isEmpty else { return nil }
        let name = report.entry.name
        let sentence = """
            \(peer) no longer gets \(name) from here, and keeps the versions that it has
            \(await names(report.sharers)) may still send it there: run `huddle unshare \(name) --with \
            \(peer.id.short)` there, too
            """
        return SessionNews("shared-elsewhere", peer, sentence) { news in
            (news.set, news.name) = (report.entry.id.description, name.description)
            news.sharers = report.sharers.map(\.description)
        }
    }
}
