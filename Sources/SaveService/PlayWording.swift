import Household
import Ledger
import LinuxPlatform
import SaveRules
import SaveSync
import Session
import Vocabulary

/// The lines before and after a game.
@Engine
struct PlayWording {
    private let words: SaveWording

    init(_ household: Household) { words = SaveWording(household) }

    /// The event before a game if no other machine is online.
    func alone(_ report: GameReport) async -> DaemonLine? {
        guard report.present.isEmpty, !report.sharers.isEmpty else { return nil }
        let name = report.entry.name
        let fault = await words.fault(of: report)
        var reason = "\(await words.names(report.sharers)) \(report.sharers.count == 1 ? "is" : "are") offline"
        if let fault { reason = fault.message }
        let sentence = """
            \(name) starts with the save of this machine: \(reason).
            If another machine has a newer save, you choose later which to keep.
            """
        return DaemonLine(.gameSharers(GameSharersEvent(.alone, GameTag(report.entry), report.sharers)), sentence)
    }

    /// The event before a game while machines connect that may have a newer version.
    func expected(_ peers: [PeerID], for rest: Duration, _ set: SaveSetEntry) async -> DaemonLine {
        let sentence = """
            waiting for \(await words.names(peers)), which may have a newer version of \(set.name), at most \
            \(Self.seconds(rest)) s; Ctrl-C ends the wait, and --wait 0s turns it off
            """
        return DaemonLine(.gameSharers(GameSharersEvent(.expected, GameTag(set), peers)), sentence)
    }

    /// The event while another machine plays that was asked to stop; nil if none plays.
    func asked(_ report: GameReport) async -> DaemonLine? {
        guard let holder = report.play.holder else { return nil }
        let (peer, name) = (await words.tag(holder.peer), report.entry.name)
        let sentence = """
            \(PlayingSentence.of("\(peer)", " \(name)", for: holder.played)), and is asked to stop; this machine plays \
            once the game there has ended; Ctrl-C ends the wait, and --takeover force starts at once
            """
        return DaemonLine(.gamePeer(GamePeerEvent(.asked, peer, GameTag(report.entry))), sentence)
    }

    /// The last line after a game.
    ///
    /// - Parameter hasSaved: true if the game saved something
    func closing(_ report: GameReport, hasSaved: Bool) async -> DaemonLine {
        let report = await words.asSeen(report)
        var line = await words.set(report)
        let (facts, name) = (report.facts, report.entry.name)
        var text = hasSaved ? "saved" : "nothing new was saved"
        switch facts.status {
        case .inSync:
            let holders = facts.sharers.filter { $0.part == .holdsNewest }.map(\.peer)
            if hasSaved { text += "; \(await words.names(holders)) \(holders.count == 1 ? "has" : "have") it" }
        case .sending:
            text += ", \(await words.state(of: report)); leave this machine on until `huddle list` says in sync"
        case .onlyHere:
            let behind = facts.behind.map(\.peer)
            guard hasSaved else { break }
            text += ", only here"
            if !behind.isEmpty {
                text += "; \(await words.names(behind)) \(behind.count == 1 ? "gets" : "get") it when both are online"
            }
        case .receiving, .waitingForGame: text += "; \(await words.state(of: report))"
        case .conflict, .emptied, .notSyncing, .unavailable:
            text += "; \(await words.state(of: report))"
            if let fault = await words.fault(of: report) { text += ": \(fault)" }
        }
        line.sentence = "\(name): \(text)"
        return line
    }

    /// The duration in whole seconds, at least one.
    static func seconds(_ duration: Duration) -> Int { max(1, Int((duration / .seconds(1)).rounded())) }
}
