import Household
import Ledger
import SaveRules
import SaveSync
import Vocabulary

/// The state of a game in words, the same in every place that shows it.
extension SaveWording {
    /// The state in one line.
    func state(of report: GameReport) async -> String {
        let facts = report.facts
        switch facts.status {
        case .inSync: return "in sync"
        case .onlyHere:
            guard let shown = report.versions.shown, facts.newest != .unread else { return "only here" }
            return "only here since \(TimeText.local(Self.time(of: shown)))"
        case .sending:
            let receivers = facts.behind.filter(\.isOnline).map(\.peer)
            guard !receivers.isEmpty else {
                let behind = facts.behind.map(\.peer)
                guard !behind.isEmpty else { return "sending" }
                return "waiting for \(await names(behind)), which \(behind.count == 1 ? "is" : "are") offline"
            }
            return "sending to \(await names(receivers))" + Self.words(Self.pace(of: report))
        case .receiving:
            return report.versions.isNewerAway
                ? "receiving, from a machine that is offline" : "receiving" + Self.words(Self.pace(of: report))
        case .waitingForGame: return "waiting for the game to end"
        case .conflict: return "CONFLICT"
        case .emptied: return "EMPTIED"
        case .notSyncing: return "NOT SYNCING"
        case .unavailable: return "UNAVAILABLE"
        }
    }

    /// The pace of the transfer to this machine, or to the machine that has the least of it.
    static func pace(of report: GameReport) -> FetchPace? {
        switch report.facts.status {
        case .receiving: return report.paces.here
        case .sending:
            let receivers = report.facts.behind.filter(\.isOnline)
            let paces = receivers.compactMap { report.paces.there[$0.peer] }
            return paces.min { $0.progress.percent < $1.progress.percent }
        default: return nil
        }
    }

    /// The progress, rate and time left of a transfer.
    private static func words(_ pace: FetchPace?) -> String {
        guard let pace else { return "" }
        let progress = pace.progress
        let (done, total) = (ByteCount(progress.done), ByteCount(progress.total))
        var words = ", \(progress.percent) % of \(total.rounded)"
        if done.bytes == 0 { words = ", \(total.rounded)" }
        if let speed = pace.bytesPerSecond { words += ", \(ByteCount(speed).rounded)/s" }
        if let left = pace.secondsLeft { words += ", \(left) s left" }
        return words
    }

    private static func time(of snapshot: Snapshot) -> WallTime {
        WallTime(secondsSince1970: snapshot.time / 1_000)
    }

    /// The machines that the game was offered to, each with a note if it is offline or has not joined.
    func machines(of report: GameReport) async -> String? {
        let sharers = report.facts.sharers.filter { $0.part != .stopped }
        let names = await eachName(sharers.map(\.peer))
        var words: [String] = []
        for (sharer, name) in zip(sharers, names) { words.append("\(name)\(await note(on: sharer))") }
        return words.isEmpty ? nil : "with \(words.joined(separator: ", "))"
    }

    private func note(on sharer: GameSharer) async -> String {
        if sharer.part == .notJoined { return " (has not joined)" }
        if sharer.reach == .paused { return " (paused there)" }
        return sharer.isOnline ? "" : " (\(await offline(sharer.peer)))"
    }

    /// The words for an offline machine, with its last time online.
    func offline(_ peer: PeerID) async -> String {
        let seen = (try? await ledger.peer(peer))?.lastSeen
        return seen.map { "offline since \(TimeText.local($0))" } ?? "offline"
    }

    /// Returns the problem that the user must solve; nil if there is none.
    func fault(of report: GameReport) async -> (any ExplainedError)? {
        let name = report.entry.name
        switch report.facts.status {
        case .inSync, .onlyHere, .sending, .receiving, .waitingForGame: return nil
        case .conflict: return GameFault.conflict(name)
        case .emptied:
            // The newest version counts, so that a save of another machine from meanwhile is not reverted.
            let newest = report.versions.heads.count == 1 ? report.versions.heads.first : report.versions.shown
            guard let emptied = report.emptied else { return nil }
            var before: VersionName?
            if let newest { before = await self.name(of: newest, in: report.entry.id) }
            return GameFault.emptied(name, emptied, before: before)
        case .unavailable: return report.trouble.map { GameFault.unavailable(name, $0.error) }
        case .notSyncing:
            if let pause = report.facts.pause { return GameFault.paused(name, pause) }
            if let reason = report.quarantine { return GameFault.keptOut(name, reason) }
            for sharer in report.facts.sharers {
                if let obstacle = sharer.obstacle { return await fault(obstacle, with: sharer.peer, name) }
            }
            return nil
        }
    }

    /// The problem that stops a game between this machine and another one.
    func fault(_ obstacle: SyncObstacle, with peer: PeerID, _ name: SaveSetName) async -> GameFault {
        let tag = await tag(peer)
        let known = try? await ledger.peer(peer)
        let missing = HouseholdError.missingForSaves(known?.policy, known?.permissions ?? .all)
        return GameFault.stopped(obstacle, "\(tag)", peer, name, missing: missing)
    }
}
