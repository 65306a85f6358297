import Session
import LinuxPlatform
import GameState
import Household
import Ledger
import SaveFolder
import SaveRules
import SaveSync
import Vocabulary

/// Events about games: sentences for users, objects for programs.
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

    /// A name for each machine. Two machines of one name have their IDs behind it.
    func eachName(_ peers: [PeerID]) async -> [String] {
        var tags: [PeerTag] = []
        for peer in peers { tags.append(await tag(peer)) }
        return tags.map { tag in tags.count { $0.name == tag.name } > 1 ? tag.full : "\(tag)" }
    }

    /// A report that agrees with `huddle peers`: an unreachable machine is offline, although its connection looks alive
    /// for a few seconds.
    func asSeen(_ report: GameReport) async -> GameReport {
        var report = report
        report.facts = report.facts.without(await household.unreachablePeers())
        return report
    }

    /// - Parameter omitted: the names in its versions that are not chosen here
    func set(_ report: GameReport, omitted: [FileName] = []) async -> DaemonLine {
        let report = await asSeen(report)
        let fault = await fault(of: report)
        var lines = ["\("\(report.entry.name)".padded(to: 16))  \(await state(of: report))"]
        if let fault { lines += [fault.message] + fault.nextStep.split(separator: "; or ").map { "→ \($0)" } }
        lines.append(
            "\(Self.count(report.versions.count)) in \(PrintableText(shortPath: report.entry.path))"
                + Self.words(report.entry.chosen)
        )
        if !omitted.isEmpty { lines.append("left out here\(Self.words(omitted))") }
        if let machines = await machines(of: report) { lines.append(machines) }
        if let holder = report.play.holder {
            lines.append(PlayingSentence.of("\(await tag(holder.peer))", for: holder.played))
        }
        if let player = report.play.cutOff {
            lines.append("\(await tag(player)) was playing when the connection broke; its save may be newer")
        }
        if report.play.isHere {
            lines.append("played here" + (report.play.writer.map { ", a file held open by \($0)" } ?? ""))
        }
        if let program = report.entry.program {
            lines.append("played while \(PrintableText(program, limit: 64)) runs")
        }
        if report.leftOut.count > 0 { lines.append(Self.hint(report.leftOut)) }
        if let error = report.unwatched { lines.append("changes are found late: \(error)") }
        let last = report.versions.heads.count == 1 ? report.versions.heads.first : report.versions.shown
        let saver = if let last { await tag(last.author) } else { PeerTag?.none }
        var game = GameInfo(report, omitted: omitted)
        if let last, let saver { game.lastSave = LastSaveInfo(on: saver, at: Int64(last.time / 1_000)) }
        game.progress = Self.pace(of: report).map { ProgressInfo(done: $0.progress.done, total: $0.progress.total) }
        game.problem = (fault ?? report.unwatched).map { PassedOnError($0) }
        return DaemonLine(.game(game), lines.joined(separator: "\n  "))
    }

    /// Returns the name that users type for a version.
    func name(of snapshot: Snapshot, in set: SaveSetID) async -> VersionName {
        let shared = (try? await ledger.snapshots.sharedNumbers(of: set)) ?? []
        return VersionName(of: snapshot, isShared: shared.contains(snapshot.number))
    }

    static func count(_ versions: Int) -> String { "\(versions) \(versions == 1 ? "version" : "versions")" }

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
    func offer(_ offered: [OfferedSet]) async -> DaemonLine? {
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
        return DaemonLine(.offer(offer), sentence)
    }
}

extension GameTag {
    init(_ set: SaveSetID, _ name: SaveSetName) { self.init(set: set.description, name: name.description) }

    init(_ entry: SaveSetEntry) { self.init(entry.id, entry.name) }
}
