import Session
import LinuxPlatform
import GameState
import Household
import Ledger
import SaveFolder
import SaveRules
import SaveSync
import Vocabulary

/// Events about games: sentences for people, objects for programs.
@Engine
struct SaveWording {
    let household: Household
    var ledger: Ledger { household.node.ledger }

    init(_ household: Household) { self.household = household }

    func tag(_ peer: PeerID) async -> PeerTag {
        if peer == household.node.id { return PeerTag(peer, household.node.configuration.name) }
        return PeerTag(peer, (try? await household.node.ledger.peer(peer))?.name)
    }

    /// Names for a sentence. Two machines of one name have their IDs behind it.
    func names(_ peers: [PeerID]) async -> String {
        let words = await eachName(peers)
        guard words.count > 1, let last = words.last else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and \(last)"
    }

    /// A name for each machine. Two of one name have their ids behind it.
    func eachName(_ peers: [PeerID]) async -> [String] {
        var tags: [PeerTag] = []
        for peer in peers { tags.append(await tag(peer)) }
        return tags.map { tag in tags.count { $0.name == tag.name } > 1 ? tag.full : "\(tag)" }
    }

    // MARK: Games

    /// A report that agrees with `huddle peers`: an unreachable machine is offline, although its connection looks alive
    /// for a few seconds.
    func asSeen(_ report: GameReport) async -> GameReport {
        var report = report
        report.facts = report.facts.without(await household.unreachablePeers())
        return report
    }

    /// - Parameter omitted: the names in its versions that are not chosen here
    func set(_ report: GameReport, omitted: [FileName] = []) async -> SessionNews {
        let report = await asSeen(report)
        let fault = await fault(of: report)
        var lines = ["\("\(report.entry.name)".padded(to: 16))  \(await state(of: report))"]
        if let fault { lines += [fault.message] + fault.nextStep.split(separator: "; or ").map { "→ \($0)" } }
        lines.append(
            "\(Self.count(report.versionCount)) in \(PrintableText(report.entry.path, limit: 4096))"
                + Self.words(report.entry.chosen)
        )
        if !omitted.isEmpty { lines.append("left out here\(Self.words(omitted))") }
        if let machines = await machines(of: report) { lines.append(machines) }
        if let holder = report.holder {
            lines.append(PlayingSentence.of("\(await tag(holder.peer))", for: holder.played))
        }
        if let player = report.cutOffPlayer {
            lines.append("\(await tag(player)) was playing when the connection broke; its save may be newer")
        }
        if report.isPlayed {
            lines.append("played here" + (report.writer.map { ", a file held open by \($0)" } ?? ""))
        }
        if let program = report.entry.program {
            lines.append("played while \(PrintableText(program, limit: 64)) runs")
        }
        if report.leftOut.count > 0 { lines.append(Self.hint(report.leftOut)) }
        if let error = report.unwatched { lines.append("changes are found late: \(error)") }
        let last = report.heads.count == 1 ? report.heads.first : report.shown
        let saver = if let last { await tag(last.author) } else { PeerTag?.none }
        var game = GameInfo(report, omitted: omitted)
        if let last, let saver { game.lastSave = LastSaveInfo(on: saver, at: Int64(last.time / 1_000)) }
        game.progress = Self.pace(of: report).map { ProgressInfo(done: $0.progress.done, total: $0.progress.total) }
        game.problem = (fault ?? report.unwatched).map { PassedOnError($0) }
        return SessionNews(.game(game), lines.joined(separator: "\n  "))
    }

    static func count(_ versions: Int) -> String { "\(versions) \(versions == 1 ? "version" : "versions")" }

    /// The event before a game if no other machine is online.
    func alone(_ report: GameReport) async -> SessionNews? {
        guard report.present.isEmpty, !report.sharers.isEmpty else { return nil }
        let name = report.entry.name
        let fault = await fault(of: report)
        var reason = "\(await names(report.sharers)) \(report.sharers.count == 1 ? "is" : "are") offline"
        if let fault { reason = fault.message }
        let sentence = """
            \(name) starts with the save of this machine: \(reason).
            If another machine has a newer save, you choose later which to keep.
            """
        return SessionNews("alone", nil, sentence) { news in
            (news.set, news.name) = (report.entry.id.description, name.description)
            news.sharers = report.sharers.map(\.description)
        }
    }

    /// The event before a game while machines connect that may have a newer version.
    func expected(_ peers: [PeerID], for rest: Duration, _ set: SaveSetEntry) async -> SessionNews {
        let sentence = """
            waiting for \(await names(peers)), which may have a newer version of \(set.name), at most \
            \(Self.seconds(rest)) s; Ctrl-C ends the wait, and --wait 0s turns it off
            """
        return SessionNews("expected", nil, sentence) { news in
            (news.set, news.name) = (set.id.description, set.name.description)
            news.sharers = peers.map(\.description)
        }
    }

    /// The duration in whole seconds, at least one.
    static func seconds(_ duration: Duration) -> Int { max(1, Int((duration / .seconds(1)).rounded())) }

    /// The event while another machine plays that was asked to stop; nil if none plays.
    func asked(_ report: GameReport) async -> SessionNews? {
        guard let holder = report.holder else { return nil }
        let (peer, name) = (await tag(holder.peer), report.entry.name)
        let sentence = """
            \(PlayingSentence.of("\(peer)", " \(name)", for: holder.played)), and is asked to stop; this machine plays \
            once the game there has ended; Ctrl-C ends the wait, and --takeover force starts at once
            """
        return SessionNews("asked", peer, sentence) {
            ($0.set, $0.name) = (report.entry.id.description, name.description)
        }
    }

    /// The chosen files of a folder, behind the folder's name.
    private static func words(_ chosen: ChosenNames?) -> String { chosen.map { words($0.names) } ?? "" }

    private static func words(_ names: [FileName]) -> String {
        let (shown, rest) = (
            names.prefix(shownNames).map { "\(PrintableText($0.text, limit: 64))" }, names.dropFirst(shownNames)
        )
        return ": \(shown.joined(separator: ", "))" + (rest.isEmpty ? "" : " and \(rest.count) more")
    }

    private static let shownNames = 4

    /// - Parameter offered: the equal offers of one game from several machines
    func offer(_ offered: [OfferedSet]) async -> SessionNews? {
        guard let first = offered.first else { return nil }
        let (peer, name) = (await tag(first.peer), first.offer.name)
        let isLeft = first.peer == household.node.id
        let whose = isLeft ? "stopped here, versions are kept" : "offered by \(await names(offered.map(\.peer)))"
        var sentence = """
            \("\(name)".padded(to: 16))  \(whose)\(Self.words(first.offer.chosen))
              → huddle join \(name)
            """
        if isLeft { sentence += "\n  → or delete the versions of all stopped games: huddle history --clean --left" }
        var offer = OfferInfo(
            set: first.offer.set.description,
            name: name.description,
            of: peer,
            machines: offered.map(\.peer.description)
        )
        offer.files = first.offer.chosen?.names.map(\.text)
        offer.path = offered.lazy.compactMap(\.folder).first
        offer.cameAt = first.cameAt.secondsSince1970
        return SessionNews(.offer(offer), sentence)
    }

    // MARK: Versions

    /// The name that people type for a version.
    func name(of snapshot: Snapshot, in set: SaveSetID) async -> VersionName {
        let shared = (try? await ledger.sharedNumbers(of: set)) ?? []
        return VersionName(of: snapshot, isShared: shared.contains(snapshot.number))
    }

    /// - Parameter changes: its changes since the version before it
    func version(
        _ version: GameVersion,
        saying summary: [FileSummary],
        changes: ManifestChanges? = nil,
        of name: SaveSetName
    ) async -> SessionNews {
        let snapshot = version.snapshot
        let author = await tag(snapshot.author)
        let made = WallTime(secondsSince1970: snapshot.time / 1_000)
        var place = " on \(author)"
        // A version of an offline machine arrived later than it was made.
        if abs(made.secondsSince1970.distance(to: version.cameAt.secondsSince1970)) >= 60 {
            place += ", \(TimeText.local(made)) by the clock there"
        }
        var parts = [
            "@\(version.name)".padded(to: 7), TimeText.local(version.cameAt),
            Self.origin(snapshot.origin).rawValue + place,
        ]
        if let changes { parts.append(Self.words(changes)) }
        if let note = snapshot.note { parts.append("“\(note)”") }
        if version.isShown { parts.append("(shown)") }
        if version.isNewest, !version.isShown { parts.append("(newest)") }
        if !version.isWhole { parts.append("(not all here)") }
        if let reason = version.refusal { parts.append("(kept out: \(reason))") }
        let says = summary.map {
            "\($0.path): \($0.summary.lines.map { "\($0.label) \($0.text)" }.joined(separator: ", "))"
        }
        let sentence = parts.joined(separator: "  ") + says.map { "\n         \($0)" }.joined()
        var info = VersionInfo(
            game: name.description,
            number: Int64(version.number),
            version: "\(version.name)",
            snapshot: snapshot.id.description,
            author: author,
            origin: Self.origin(snapshot.origin),
            cameAt: version.cameAt.secondsSince1970,
            madeAt: made.secondsSince1970,
            isWhole: version.isWhole,
            isShown: version.isShown,
            isNewest: version.isNewest
        )
        info.refusal = version.refusal
        info.changes = changes.map { FileChanges(added: $0.added, changed: $0.changed, removed: $0.removed) }
        info.summary = says.isEmpty ? nil : says
        return SessionNews(.version(info), sentence)
    }

    private static func origin(_ origin: Snapshot.Origin) -> VersionInfo.Origin {
        switch origin {
        case .captured: .saved
        case .restored: .restored
        case .resolved: .chosen
        case .merged: .merged
        case .delivered: .delivered
        }
    }

    // MARK: Events

    func news(_ news: SaveNews) async -> SessionNews {
        let told = await self.told(news.event, of: news)
        return told.payload == nil ? told.about(news.set, news.name) : told
    }

    private func told(_ event: SaveNews.Event, of news: SaveNews) async -> SessionNews {
        let name = news.name
        switch event {
        case .captured(let id): return .version("saved", id, "\(name): a new version, \(id.short)")
        case .arrived(let id): return .version("arrived", id, "\(name): version \(id.short) has arrived")
        case .applied(let id): return .version("applied", id, "\(name): the folder shows \(id.short)")
        case .merged(let id):
            return .version("merged", id, "\(name): rules merged two versions into one, \(id.short)")
        case .conflict(let ids):
            let sentence = "\(name) was changed on two machines; run `huddle fix \(name)`"
            return SessionNews("conflict", nil, sentence) { $0.heads = ids.map(\.description) }
        case .whole: return SessionNews("conflict-over", nil, "\(name): the conflict is over")
        case .heldBack(let id, let why):
            var news = SessionNews.version("held-back", id, "\(name): version \(id.short) waits: \(why)")
            news.reason = why
            return news
        case .quarantined(let id, let error):
            let sentence = "\(name): version \(id.short) is kept out of the folder: \(error.explanation)"
            return .version("kept-out", id, sentence).blaming(error)
        case .leftOut(let files):
            let sentence = files.count == 0 ? "all files can be synced again" : Self.hint(files)
            return SessionNews("left-out", nil, "\(name): \(sentence)") { news in
                news.isTrouble = files.count > 0 ? true : nil
                news.add(files)
            }
        case .emptied(let emptied):
            let fault = GameFault.emptied(name, emptied, before: nil)
            return SessionNews("emptied", nil, "\(name): \(fault.explanation)") { news in
                news.isTrouble = true
                news.counts = ["removed": emptied.removed, "added": emptied.added]
                news.blame(PassedOnError(fault))
            }
        case .recollected(let recollection): return Self.told(recollection, of: name)
        case .gone: return SessionNews("folder-gone", nil, "\(name): its folder is missing") { $0.isTrouble = true }
        case .paused(let pause): return Self.told(pause, of: name)
        case .resumed: return SessionNews("resumed", nil, "\(name): syncs again")
        case .back: return SessionNews("folder-back", nil, "\(name): its folder is there again")
        case .trouble(let error): return SessionNews("trouble", nil, "\(name): \(error.explanation)").blaming(error)
        case .lease(let lease): return await self.lease(lease, name)
        case .stopped(let peer, let obstacle):
            let fault = await fault(obstacle, with: peer, name)
            return SessionNews("stopped", await tag(peer), "\(name): \(fault.explanation)") { news in
                news.isTrouble = true
                news.state = obstacle.rawValue
                news.blame(PassedOnError(fault))
            }
        case .offered(let peer):
            let machine = await tag(peer)
            let offer = OfferInfo(
                set: news.set.description,
                name: name.description,
                of: machine,
                machines: [peer.description]
            )
            return SessionNews(.offer(offer), "\(machine) offers \(name); to join: huddle join \(name)")
        case .refused(let peer, _), .wasRefused(let peer, _), .met(let peer):
            return Self.told(event, of: name, by: await tag(peer))
        }
    }

    private static func told(_ pause: SyncPause, of name: SaveSetName) -> SessionNews {
        let fault = GameFault.paused(name, pause)
        return SessionNews("paused", nil, "\(name): \(fault.explanation)") { news in
            news.time = pause.end
            news.blame(PassedOnError(fault))
        }
    }

    private static func told(_ recollection: Recollection, of name: SaveSetName) -> SessionNews {
        guard recollection.usesNumbersTwice else {
            let versions = recollection.count == 1 ? "a version" : "\(recollection.count) versions"
            return SessionNews(
                "own-versions-back",
                nil,
                "\(name): \(versions) came back that this machine once made and had lost"
            )
        }
        let sentence =
            """
            \(name): this machine made two different versions under one number, as after a restore of an old backup; \
            both stay. If it was not restored, another machine uses its key
            """
        return SessionNews("own-versions-back", nil, sentence) { $0.isTrouble = true }
    }

    private static func told(_ event: SaveNews.Event, of name: SaveSetName, by peer: PeerTag) -> SessionNews {
        switch event {
        case .refused(_, let refusal):
            SessionNews("refused", peer, "\(name): the data of \(peer) was refused: \(refusal)") { $0.isTrouble = true }
        case .wasRefused(_, let why):
            SessionNews("was-refused", peer, "\(name): \(peer) refused the data: \(why)") { $0.isTrouble = true }
        default: SessionNews("save-peer", peer, "\(name): \(peer) is online")
        }
    }

    private func lease(_ lease: PlayNews, _ name: SaveSetName) async -> SessionNews {
        let (word, peer, sentence): (String, PeerID?, String) =
            switch lease {
            case .granted: ("playing", nil, "\(name) is played here")
            case .denied(let peer): ("denied", peer, "\(name) is played on %")
            case .requested(let peer): ("requested", peer, "% would like to play \(name)")
            case .lost(let peer): ("lost", peer, "% has taken over \(name); a save here now makes a conflict")
            case .ranOut(let peer):
                ("ran-out", peer, "% played \(name) and was silent for too long; its game counts as ended")
            case .unanswered(let peer): ("unanswered", peer, "% has not stopped \(name)")
            case .taken(let peer): ("taken", peer, "\(name) is played on %")
            case .released: ("released", nil, "\(name) is no longer played")
            }
        var tag: PeerTag?
        if let peer { tag = await self.tag(peer) }
        let told = tag.map { sentence.replacing("%", with: "\($0)") } ?? sentence
        return SessionNews("lease", tag, told) { news in
            news.state = word
        }
    }
}

extension SessionNews {
    fileprivate static func version(_ event: String, _ id: SnapshotID, _ sentence: String) -> SessionNews {
        SessionNews(event, nil, sentence) { $0.snapshot = id.description }
    }

    fileprivate func about(_ set: SaveSetID, _ name: SaveSetName) -> SessionNews {
        var news = self
        (news.set, news.name) = (set.description, name.description)
        return news
    }

    fileprivate func blaming(_ error: any ExplainedError) -> SessionNews {
        var news = self
        news.isTrouble = true
        news.blame(PassedOnError(error))
        return news
    }
}
