import GameState
import Household
import Ledger
import SaveFolder
import SaveRules
import SaveSync
import Session
import Vocabulary

/// What is said of save sets: sentences for people, objects for programs.
@Engine
struct SaveWording {
    private let household: Household

    init(_ household: Household) { self.household = household }

    func tag(_ peer: PeerID) async -> PeerTag {
        if peer == household.node.id { return PeerTag(peer, household.node.configuration.name) }
        return PeerTag(peer, (try? await household.node.ledger.peer(peer))?.name)
    }

    func names(_ peers: [PeerID]) async -> String {
        var names: [String] = []
        for peer in peers { names.append("\(await tag(peer))") }
        return names.joined(separator: ", ")
    }

    // MARK: Sets

    /// - Parameter omitted: what lies beside its files in its versions, and is none of those that were chosen here
    func set(_ report: SaveKeeper.Report, omitted: [FileName] = []) async -> SessionNews {
        var parts = [
            "\(report.entry.name)".padded(to: 16), Self.words(report).padded(to: 12),
            "\(report.versionCount) \(report.versionCount == 1 ? "version" : "versions")".padded(to: 13),
            "\(PrintableText(report.entry.path, limit: 4096))" + Self.words(report.entry.chosen),
        ]
        if !omitted.isEmpty { parts.append("left out here\(Self.words(omitted))") }
        if !report.sharers.isEmpty { parts.append("with \(await names(report.sharers))") }
        if !report.present.isEmpty { parts.append("there now: \(await names(report.present))") }
        if !report.behind.isEmpty { parts.append("on its way to: \(await names(report.behind))") }
        if let holder = report.holder {
            parts.append(PlayingSentence.of("\(await tag(holder.peer))", for: holder.played))
        }
        if report.isPlayed {
            parts.append("played here" + (report.writer.map { ", a file held open by \($0)" } ?? ""))
        }
        if let program = report.entry.program {
            parts.append("played while \(PrintableText(program, limit: 64)) runs")
        }
        if let reason = report.quarantine { parts.append("kept out: \(reason)") }
        if report.leftOut.count > 0 { parts.append(Self.hint(report.leftOut)) }
        if let trouble = report.trouble { parts.append("\(trouble.error)") }
        if let error = report.unwatched { parts.append("changes are found late: \(error)") }
        return SessionNews("save-set", nil, parts.joined(separator: "  ")) { news in
            (news.set, news.name) = (report.entry.id.description, report.entry.name.description)
            (news.path, news.state) = (report.entry.path, report.trouble?.kind.rawValue ?? report.state.rawValue)
            news.number = Int64(report.versionCount)
            news.heads = report.heads.map(\.id.description)
            news.snapshot = report.shown?.id.description
            news.sharers = report.sharers.map(\.description)
            news.files = report.entry.chosen?.names.map(\.text)
            news.omitted = omitted.isEmpty ? nil : omitted.map(\.text)
            (news.program, news.keeps) = (report.entry.program, report.entry.retention.counts)
            news.add(report.entry.scope)
            news.settle = Double(report.entry.settleMilliseconds) / 1000
            news.isPresent = !report.present.isEmpty
            (news.holder, news.keptOut) = (report.holder?.peer.description, report.quarantine)
            (news.isPlayed, news.isWaiting) = (report.isPlayed ? true : nil, report.waitsForGame ? true : nil)
            news.behind = report.behind.isEmpty ? nil : report.behind.map(\.description)
            if report.leftOut.count > 0 { news.add(report.leftOut) }
            if let error = report.trouble?.error ?? report.unwatched { news.blame(PassedOnError(error)) }
        }
    }

    /// After a game, where others have not got what it saved.
    func unspread(_ report: SaveKeeper.Report) async -> SessionNews? {
        let name = report.entry.name
        let (lacking, words): ([PeerID], String)
        if !report.behind.isEmpty {
            lacking = report.behind
            words = """
                what was saved of \(name) is still on its way to \(await names(lacking)): leave this machine on until `huddle saves list` \
                says so no more
                """
        } else if report.present.isEmpty, !report.sharers.isEmpty {
            lacking = report.sharers
            words =
                "nobody is there to get what was saved of \(name): it goes to \(await names(lacking)) when both are on"
        } else {
            return nil
        }
        return SessionNews("unspread", nil, words) { news in
            (news.set, news.name) = (report.entry.id.description, name.description)
            news.behind = lacking.map(\.description)
        }
    }

    /// Where nobody is there who could know of something newer.
    func alone(_ report: SaveKeeper.Report) async -> SessionNews? {
        guard report.present.isEmpty, !report.sharers.isEmpty else { return nil }
        let sentence = """
            \(report.entry.name) is played as it is here: \(await names(report.sharers)) can't be asked now; \
            if something newer is there, you will be asked which to keep
            """
        return SessionNews("alone", nil, sentence) { news in
            (news.set, news.name) = (report.entry.id.description, report.entry.name.description)
            news.sharers = report.sharers.map(\.description)
        }
    }

    /// Before a game, where somebody may be there in a moment who could know of something newer.
    func expected(_ peers: [PeerID], for rest: Duration, _ set: SaveSetEntry) async -> SessionNews {
        let sentence = """
            waiting for \(await names(peers)), which may have a newer version of \(set.name), for \(Self.seconds(rest)) s at the \
            most; Ctrl-C ends the waiting, and with --wait 0s nobody is waited for
            """
        return SessionNews("expected", nil, sentence) { news in
            (news.set, news.name) = (set.id.description, set.name.description)
            news.sharers = peers.map(\.description)
        }
    }

    /// To the nearest, as a person would say it.
    static func seconds(_ duration: Duration) -> Int { max(1, Int((duration / .seconds(1)).rounded())) }

    /// Where somebody plays who is asked to let go.
    func asked(_ report: SaveKeeper.Report) async -> SessionNews? {
        guard let holder = report.holder else { return nil }
        let (peer, name) = (await tag(holder.peer), report.entry.name)
        let sentence = """
            \(PlayingSentence.of("\(peer)", " \(name)", for: holder.played)), and is asked to let go, which it does once the game \
            there is over; Ctrl-C ends the waiting, and --takeover force takes it at once
            """
        return SessionNews("asked", peer, sentence) {
            ($0.set, $0.name) = (report.entry.id.description, name.description)
        }
    }

    private static func words(_ report: SaveKeeper.Report) -> String {
        if let trouble = report.trouble { return words(trouble.kind) }
        return switch report.state {
        case .empty: "empty"
        case .level: "up to date"
        case .behind where report.quarantine != nil: "KEPT OUT"
        case .behind where report.waitsForGame: "waits for the game"
        case .behind: report.isNewerAway ? "newer elsewhere" : "being fetched"
        case .merging: "being merged"
        case .split: "CONFLICT"
        }
    }

    private static func words(_ trouble: SetTrouble.Kind) -> String {
        switch trouble {
        case .misplaced: "NOT SHARED"
        case .missing: "NOT THERE"
        case .replaced: "NOT ITS FOLDER"
        case .full: "DISK FULL"
        case .readOnly: "READ-ONLY"
        case .notPermitted: "NO PERMISSION"
        case .other: "IN TROUBLE"
        }
    }

    /// What of a folder makes the set, behind the folder's name.
    private static func words(_ chosen: ChosenNames?) -> String { chosen.map { words($0.names) } ?? "" }

    private static func words(_ names: [FileName]) -> String {
        let (shown, rest) = (
            names.prefix(shownNames).map { "\(PrintableText($0.text, limit: 64))" }, names.dropFirst(shownNames)
        )
        return ": \(shown.joined(separator: ", "))" + (rest.isEmpty ? "" : " and \(rest.count) more")
    }

    private static let shownNames = 4

    func offer(_ offered: OfferedSet) async -> SessionNews {
        let (peer, name) = (await tag(offered.peer), offered.offer.name)
        let isLeft = offered.peer == household.node.id
        let whose = isLeft ? "left here, versions are kept" : "offered by \(peer)"
        let sentence =
            "\("\(name)".padded(to: 16))  \(whose)\(Self.words(offered.offer.chosen)): huddle saves join \(name) --at FOLDER"
        return SessionNews("save-offer", peer, sentence) { news in
            (news.set, news.name) = (offered.offer.set.description, name.description)
            news.files = offered.offer.chosen?.names.map(\.text)
            news.time = offered.cameAt.secondsSince1970
        }
    }

    // MARK: Versions

    /// - Parameter side: what `huddle resolve --take` calls it
    func version(
        _ version: SaveKeeper.Version,
        saying summary: [FileSummary],
        differing: [FileDifference] = [],
        of name: SaveSetName,
        side: String? = nil
    ) async -> SessionNews {
        let snapshot = version.snapshot
        let author = await tag(snapshot.author)
        let made = WallTime(secondsSince1970: snapshot.time / 1_000)
        var place = snapshot.author == household.node.id ? " here" : " on \(author)"
        // What was saved apart came only when the two met.
        if abs(made.secondsSince1970.distance(to: version.cameAt.secondsSince1970)) >= 60 {
            place += ", \(TimeText.local(made)) by the clock there"
        }
        var parts = [
            "@\(version.number)".padded(to: 5), TimeText.local(version.cameAt), snapshot.id.short,
            Self.word(snapshot.origin) + place,
        ]
        if let side { parts.insert(side.padded(to: 6), at: 1) }
        if let note = snapshot.note { parts.append("“\(note)”") }
        if version.isShown { parts.append("(shown)") }
        if version.isNewest, !version.isShown || side != nil { parts.append("(newest)") }
        if !version.isWhole { parts.append("(not all here)") }
        if let reason = version.refusal { parts.append("(kept out: \(reason))") }
        let says = Self.says(summary, differing)
        let sentence = parts.joined(separator: "  ") + says.map { "\n       \($0)" }.joined()
        return SessionNews("version", author, sentence) { news in
            (news.name, news.snapshot) = (name.description, snapshot.id.description)
            (news.number, news.time) = (Int64(version.number), version.cameAt.secondsSince1970)
            news.made = made.secondsSince1970
            (news.isWhole, news.isShown, news.isNewest) = (version.isWhole, version.isShown, version.isNewest)
            (news.kind, news.reason) = (Self.word(snapshot.origin), version.refusal)
            news.says = says.isEmpty ? nil : says
        }
    }

    /// What there is to take in a conflict, behind the command for it: nothing that would be refused.
    static func choices(_ report: SaveKeeper.Report, _ sides: [SaveKeeper.Version]) -> String {
        guard report.ownSide != nil else {
            return "@\(sides.first?.number ?? 1)` or another version: this machine shows none of the sides"
        }
        return report.heads.count == 2
            ? "mine`, theirs, merge, or a version" : "mine` or a version, such as @\(sides.last?.number ?? 1)"
    }

    private static func word(_ origin: Snapshot.Origin) -> String {
        switch origin {
        case .captured: "saved"
        case .restored: "restored"
        case .resolved: "chosen"
        case .merged: "merged"
        case .delivered: "delivered"
        }
    }

    /// Of a file that nobody can read what people go by: how large it is, and when it was written.
    private static func words(_ difference: FileDifference) -> String {
        guard let (size, modified) = difference.file else { return "not there" }
        let time = TimeText.local(WallTime(secondsSince1970: modified.seconds), withSeconds: true)
        return "\(size.rounded), written \(time)"
    }

    /// One line a file.
    private static func says(_ summaries: [FileSummary], _ differing: [FileDifference]) -> [String] {
        let said = Set(summaries.map(\.path))
        let differences = Dictionary(differing.map { ($0.path, words($0)) }, uniquingKeysWith: { first, _ in first })
        return summaries.map { file in
            let facts = file.summary.lines.map { "\($0.label) \($0.text)" }
            return "\(file.path): \((facts + (differences[file.path].map { [$0] } ?? [])).joined(separator: ", "))"
        } + differing.filter { !said.contains($0.path) }.map { "\($0.path): \(words($0))" }
    }

    /// The files by whose words all sides of a conflict can be told apart.
    static func told(_ sides: [[FileSummary]]) -> Set<SavePath> {
        var texts: [SavePath: Set<[String]>] = [:]
        for summary in sides {
            for file in summary { texts[file.path, default: []].insert(file.summary.text) }
        }
        return Set(texts.filter { $0.value.count == sides.count }.keys)
    }

    // MARK: What happens

    func news(_ news: SaveNews) async -> SessionNews {
        let told = await self.told(news.event, of: news)
        return told.about(news.set, news.name)
    }

    private func told(_ event: SaveNews.Event, of news: SaveNews) async -> SessionNews {
        let name = news.name
        switch event {
        case .captured(let id): return .version("saved", id, "\(name): a new version, \(id.short)")
        case .arrived(let id): return .version("arrived", id, "\(name): version \(id.short) has come")
        case .applied(let id): return .version("applied", id, "\(name): the folder shows \(id.short)")
        case .merged(let id):
            return .version("merged", id, "\(name): two versions became one by the rules, \(id.short)")
        case .conflict(let ids):
            let sentence = "\(name) was changed on two machines; see `huddle conflicts`, then `huddle resolve \(name)`"
            return SessionNews("conflict", nil, sentence) { $0.heads = ids.map(\.description) }
        case .whole: return SessionNews("conflict-over", nil, "\(name): the conflict is over")
        case .heldBack(let id, let why):
            var news = SessionNews.version("held-back", id, "\(name): version \(id.short) waits: \(why)")
            news.reason = why
            return news
        case .quarantined(let id, let error):
            return .version("kept-out", id, "\(name): version \(id.short) is kept out of the folder: \(error)").blaming(
                error
            )
        case .leftOut(let files):
            let sentence = files.count == 0 ? "nothing is left out any more" : Self.hint(files)
            return SessionNews("left-out", nil, "\(name): \(sentence)") { news in
                news.isTrouble = files.count > 0 ? true : nil
                news.add(files)
            }
        case .recollected(let recollection): return Self.told(recollection, of: name)
        case .gone: return SessionNews("folder-gone", nil, "\(name): its folder is not there") { $0.isTrouble = true }
        case .back: return SessionNews("folder-back", nil, "\(name): its folder is there again")
        case .trouble(let error): return SessionNews("trouble", nil, "\(name): \(error)").blaming(error)
        case .lease(let lease): return await self.lease(lease, name)
        case .refused(let peer, _), .wasRefused(let peer, _), .offered(let peer), .met(let peer):
            return Self.told(event, of: name, by: await tag(peer))
        }
    }

    private static func told(_ recollection: Recollection, of name: SaveSetName) -> SessionNews {
        guard recollection.usesNumbersTwice else {
            let versions = recollection.count == 1 ? "a version" : "\(recollection.count) versions"
            return SessionNews(
                "own-versions-back",
                nil,
                "\(name): \(versions) that this machine once made and did not know any longer came back"
            )
        }
        let sentence =
            "\(name): this machine made two different versions under one number, as after an old backup of it was restored; both stay. "
            + "If it was not restored, another machine uses its key"
        return SessionNews("own-versions-back", nil, sentence) { $0.isTrouble = true }
    }

    private static func told(_ event: SaveNews.Event, of name: SaveSetName, by peer: PeerTag) -> SessionNews {
        switch event {
        case .refused(_, let refusal):
            SessionNews("refused", peer, "\(name): what \(peer) sent was refused: \(refusal)") { $0.isTrouble = true }
        case .wasRefused(_, let why):
            SessionNews("was-refused", peer, "\(name): \(peer) refused what was sent: \(why)") { $0.isTrouble = true }
        case .offered:
            SessionNews(
                "save-offer",
                peer,
                "\(peer) offers \(name); take it with: huddle saves join \(name) --at FOLDER"
            )
        default: SessionNews("save-peer", peer, "\(name): \(peer) is there")
        }
    }

    private func lease(_ lease: SaveNews.LeaseNews, _ name: SaveSetName) async -> SessionNews {
        let (word, peer, sentence): (String, PeerID?, String) =
            switch lease {
            case .granted: ("playing", nil, "\(name) is played here")
            case .denied(let peer): ("denied", peer, "\(name) is played on %")
            case .requested(let peer): ("requested", peer, "% would like to play \(name)")
            case .lost(let peer): ("lost", peer, "% has taken \(name) over; what is saved here now makes a conflict")
            case .ranOut(let peer):
                ("ran-out", peer, "% played \(name) and has been silent for too long; it counts as gone")
            case .unanswered(let peer): ("unanswered", peer, "% has not let go of \(name)")
            case .taken(let peer): ("taken", peer, "\(name) is played on %")
            case .released: ("released", nil, "nobody plays \(name) any more")
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
