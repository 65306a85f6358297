import Household
import Ledger
import SaveRules
import SaveSync
import Session
import Vocabulary

extension SaveWording {
    /// After a set was taken back from a peer: who may go on giving it there. Nil where nobody else has it.
    func sharedElsewhere(_ report: SaveKeeper.Report, than peer: PeerTag) async -> SessionNews? {
        guard !report.sharers.isEmpty else { return nil }
        let name = report.entry.name
        let sentence = """
            \(peer) may have \(name) no more from here; what it has already, it keeps
            \(await names(report.sharers)) may go on giving it there: say `huddle unshare \(name) --with \(peer.id.short)` there, too
            """
        return SessionNews("shared-elsewhere", peer, sentence) { news in
            (news.set, news.name) = (report.entry.id.description, name.description)
            news.sharers = report.sharers.map(\.description)
        }
    }
}
