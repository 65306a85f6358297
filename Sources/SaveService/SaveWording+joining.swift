import Household
import Ledger
import LinuxPlatform
import SaveRules
import SaveSync
import Session
import Vocabulary

/// Lines about joining games, and about ending their sharing.
extension SaveWording {
    func joined(_ entry: SaveSetEntry, of peer: PeerID) async -> DaemonLine {
        let isOwn = peer == household.node.id
        let tag = await tag(peer)
        let whose = isOwn ? "again, with its old versions" : "of \(tag)"
        let place = PrintableText(shortPath: entry.path)
        let event = GameJoinedEvent(tag, GameTag(entry), path: entry.path)
        return DaemonLine(.gameJoined(event), "Joined \(entry.name) \(whose), in \(place)")
    }

    /// The event after a game was revoked from a machine, about other machines that may still send it there; nil if
    /// there are none.
    func sharedElsewhere(_ report: GameReport, than peer: PeerTag) async -> DaemonLine? {
        guard !report.sharers.isEmpty else { return nil }
        let name = report.entry.name
        let sentence = """
            \(peer) no longer gets \(name) from here, and keeps the versions that it has
            \(await names(report.sharers)) may still send it there: run `huddle unshare \(name) --with \
            \(peer.id.short)` there, too
            """
        let event = GameSharersEvent(.sharedElsewhere, GameTag(report.entry), report.sharers, than: peer)
        return DaemonLine(.gameSharers(event), sentence)
    }
}
