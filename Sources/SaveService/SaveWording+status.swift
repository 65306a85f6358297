import Household
import Ledger
import SaveRules
import SaveSync
import Vocabulary

/// The state of a game in words, the same wherever it is shown.
extension SaveWording {
    /// The state in one line.
    func state(of report: GameReport) async -> String {
        let facts = report.facts
        switch facts.status {
        case .inSync: return "in sync"
        case .onlyHere:
            guard let shown = report.shown, facts.newest != .unread else { return "only here" }
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
            return report.isNewerAway
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

    /// The problem that a person must solve; nil if there is none.
    func fault(of report: GameReport) async -> (any ExplainedError)? {
        let name = report.entry.name
        switch report.facts.status {
        case .inSync, .onlyHere, .sending, .receiving, .waitingForGame: return nil
        case .conflict: return GameFault.conflict(name)
        case .emptied:
            // The newest version counts, so that a save of another machine from meanwhile is not reverted.
            let newest = report.heads.count == 1 ? report.heads.first : report.shown
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
        let missing = SaveService.missing(to: try? await ledger.peer(peer))
        return GameFault.stopped(obstacle, "\(tag)", peer, name, missing: missing)
    }

    /// The last line after a game.
    ///
    /// - Parameter hasSaved: whether the game saved something
    func closing(_ report: GameReport, hasSaved: Bool) async -> SessionNews {
        let report = await asSeen(report)
        var news = await set(report)
        let (facts, name) = (report.facts, report.entry.name)
        var words = hasSaved ? "saved" : "nothing new was saved"
        switch facts.status {
        case .inSync:
            let holders = facts.sharers.filter { $0.part == .holdsNewest }.map(\.peer)
            if hasSaved { words += "; \(await names(holders)) \(holders.count == 1 ? "has" : "have") it" }
        case .sending:
            words += ", \(await state(of: report)); leave this machine on until `huddle list` says in sync"
        case .onlyHere:
            let behind = facts.behind.map(\.peer)
            guard hasSaved else { break }
            words += ", only here"
            if !behind.isEmpty {
                words += "; \(await names(behind)) \(behind.count == 1 ? "gets" : "get") it when both are online"
            }
        case .receiving, .waitingForGame: words += "; \(await state(of: report))"
        case .conflict, .emptied, .notSyncing, .unavailable:
            words += "; \(await state(of: report))"
            if let fault = await fault(of: report) { words += ": \(fault)" }
        }
        news.sentence = "\(name): \(words)"
        return news
    }
}

/// A problem that keeps a game from being in sync until a person acts.
struct GameFault: ExplainedError {
    let code: ErrorCode
    let message: String
    let nextStep: String
    let cause: (any Error)? = nil

    private init(_ code: ErrorCode, _ message: String, nextStep: String) {
        (self.code, self.message, self.nextStep) = (code, message, nextStep)
    }

    /// The reader of a folder does not know which game it belongs to, and leaves the name open in the command.
    static func unavailable(_ name: SaveSetName, _ error: any ExplainedError) -> GameFault {
        GameFault(
            error.code,
            error.message,
            nextStep: error.nextStep.replacing("huddle set NAME", with: "huddle set \(name)")
        )
    }

    static func conflict(_ name: SaveSetName) -> GameFault {
        GameFault(
            ErrorCode(.conflict, "saves.conflict"),
            "it was changed on two machines",
            nextStep: "huddle fix \(name)"
        )
    }

    static func paused(_ name: SaveSetName, _ pause: SyncPause) -> GameFault {
        let end = pause.end.map { " until \(TimeText.local(WallTime(secondsSince1970: $0)))" } ?? ""
        return GameFault(
            "saves.paused",
            "paused by you\(end)" + (pause.isOfAll ? ", with all games" : ""),
            nextStep: "huddle resume" + (pause.isOfAll ? "" : " \(name)")
        )
    }

    /// - Parameter before: the version that the folder showed
    static func emptied(_ name: SaveSetName, _ emptied: EmptiedSave, before: VersionName?) -> GameFault {
        let gone =
            switch emptied.removed {
            case 0: "files are gone"
            case 1: "1 file is gone"
            case let count: "\(count) files are gone"
            }
        let since = emptied.added == 0 ? "" : ", and the game has saved \(emptied.added) since"
        return GameFault(
            "saves.emptied",
            "\(gone) from the folder\(since); this is not synced to other machines",
            nextStep: "restore them: huddle restore \(name)@\(before.map { "\($0)" } ?? "N")"
                + "; or continue without them: huddle scan \(name) --emptied"
        )
    }

    static func keptOut(_ name: SaveSetName, _ reason: String) -> GameFault {
        GameFault(
            "saves.kept-out",
            "the newest version is kept out of the folder: \(reason)",
            nextStep: "huddle history \(name), then huddle restore \(name)@N"
        )
    }

    /// - Parameter missing: the rights that the other machine's policy here leaves out, as options of `huddle policy`
    static func stopped(
        _ obstacle: SyncObstacle,
        _ machine: String,
        _ peer: PeerID,
        _ name: SaveSetName,
        missing: String
    ) -> GameFault {
        let id = peer.short
        return switch obstacle {
        case .blockedHere:
            GameFault(
                "saves.blocked-here",
                "\(machine) is blocked here",
                nextStep: "huddle unblock \(id); or huddle unshare \(name) --with \(id)"
            )
        case .notPermittedHere:
            GameFault(
                "saves.not-permitted-here",
                "this machine does not let \(machine) sync saves",
                nextStep: "huddle policy \(id) \(missing)"
            )
        case .notPermittedThere:
            GameFault(
                ErrorCode(.notPermitted, "saves.not-permitted-there"),
                "\(machine) does not let this machine sync saves",
                nextStep: "on \(machine), run: huddle doctor"
            )
        case .noAnswer:
            GameFault(
                "saves.no-answer",
                "\(machine) does not answer: it may have forgotten this machine, or block it",
                nextStep: "on \(machine), run: huddle peers"
            )
        case .refusedHere:
            GameFault(
                "saves.refused-here",
                "this machine refuses the data of \(machine) about the game",
                nextStep: "huddle log \(id)"
            )
        case .refusedThere:
            GameFault(
                "saves.refused-there",
                "\(machine) refuses the data of this machine about the game",
                nextStep: "on \(machine), run: huddle log"
            )
        }
    }
}
