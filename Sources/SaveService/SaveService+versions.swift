import Control
import GameState
import History
import Household
import Ledger
import SaveRules
import SaveSync
import Session
import Vocabulary

/// Requests about the versions of games.
extension SaveService {
    var versionRoutes: [ControlRoute] {
        [
            ControlRoute(
                "GET",
                "/v1/saves/{set}/versions",
                "the known versions of a game, also deleted ones"
            ) { call in
                .lines(try await self.history(call))
            },
            ControlRoute("GET", "/v1/saves/{set}/versions/{version}", "one version, with its files") { call in
                .lines(try await self.version(call))
            },
            ControlRoute("GET", "/v1/saves/{set}/versions/{version}/file", "the bytes of one file of a version") {
                call in
                try await self.file(call)
            },
            ControlRoute("GET", "/v1/saves/{set}/differences", "the differences between two versions") { call in
                .lines(try await self.difference(call))
            },
            ControlRoute("POST", "/v1/saves/{set}/versions", "scan the folder now") { call in try await self.read(call)
            },
            ControlRoute("POST", "/v1/saves/{set}/restore", "make an old version the newest") { call in
                try await self.restore(call)
            },
            ControlRoute("GET", "/v1/conflicts", "the games in a conflict") { call in
                .lines(try await self.conflicts(call))
            },
            ControlRoute("POST", "/v1/saves/{set}/resolve", "end a conflict") { call in try await self.resolve(call) },
            ControlRoute("GET", "/v1/history", "the space of all versions on the disk") { _ in
                .lines(try await self.usage())
            },
            ControlRoute("POST", "/v1/history/check", "read the whole history, and report damage") { call in
                try await self.check(call)
            },
            ControlRoute("POST", "/v1/history/clean", "delete unused data") { call in
                try await self.clean(call)
            },
        ]
    }

    private func name(of set: SaveSetID) throws -> SaveSetName { try keeper.report(of: set).entry.name }

    private func news(
        _ version: GameVersion,
        of set: SaveSetID,
        _ changes: ManifestChanges? = nil
    ) async throws -> SessionNews {
        await wording.version(
            version,
            saying: try await summary(version, of: set),
            changes: changes,
            of: try name(of: set)
        )
    }

    private func summary(_ version: GameVersion, of set: SaveSetID) async throws -> [FileSummary] {
        version.isWhole ? try await keeper.versions(of: set).summaries(of: version.snapshot.id) : []
    }

    private func history(_ call: RouteCall) async throws -> [SessionNews] {
        let set = try set(call)
        let limit = call.query["limit"] ?? "20"
        guard let limit = Int(limit), (1...10_000).contains(limit) else {
            throw HouseholdError(
                ErrorCode(.invalid, "control.bad-request"),
                "“limit” is 1 to 10000",
                nextStep: "leave it out for the newest 20"
            )
        }
        var news: [SessionNews] = []
        let versions = try await keeper.versions(of: set).latest(limit)
        let changes = try await keeper.versions(of: set).changes(of: versions)
        for version in versions { news.append(try await self.news(version, of: set, changes[version.snapshot.id])) }
        return news
    }

    private func read(_ call: RouteCall) async throws -> RouteAnswer {
        let fields = try call.fields("whole", "emptied")
        let whole = try RouteCall.asked { try fields.flag("whole") ?? false }
        let emptied = try RouteCall.asked { try fields.flag("emptied") ?? false }
        let set = try set(call)
        return .follow { tell in
            try await self.keeper.editor(of: set).scan(everyByte: whole, sendingEmptied: emptied)
            try await tell(await self.wording.set(try self.keeper.report(of: set)))
            try await tell(SessionNews.done())
        }
    }

    private func restore(_ call: RouteCall) async throws -> RouteAnswer {
        let fields = try call.fields("version", "note")
        let (typed, note) = try RouteCall.asked { (try fields.text("version"), try fields.text("note")) }
        guard let typed else {
            throw HouseholdError(
                ErrorCode(.invalid, "control.bad-request"),
                "“version” is missing",
                nextStep: "give its number or name"
            )
        }
        let set = try set(call)
        let version = try await keeper.versions(of: set).version(typed)
        let made = try await keeper.editor(of: set).restore(version.snapshot.id, note: try note.map { try Label($0) })
        let name = try name(of: set)
        let isShown = try keeper.report(of: set).shown?.id == made
        let sentence =
            isShown
            ? "\(name) has the files of @\(version.name) again, as version \(made.short); `huddle undo` reverts it"
            : "@\(version.name) is a new version of \(name), \(made.short); the folder gets it once no program uses it"
        return .lines([
            SessionNews("restored", nil, sentence) {
                ($0.set, $0.name, $0.snapshot) = (set.description, name.description, made.description)
            },
            SessionNews.done(),
        ])
    }

    private func conflicts(_ call: RouteCall) async throws -> [SessionNews] {
        let wanted = try call.query["set"].map { try keeper.find($0) }
        var news: [SessionNews] = []
        for report in keeper.reports() where report.state == .split && report.entry.id == wanted ?? report.entry.id {
            let (set, name) = (report.entry.id, report.entry.name)
            let sides = try await keeper.versions(of: set).among(report.heads.map(\.id))
            let machines = await wording.machines(of: sides)
            news.append(
                SessionNews(
                    "conflict",
                    nil,
                    "\(name) was changed on \(sides.count == 2 ? "two" : "\(sides.count)") machines:"
                ) {
                    ($0.set, $0.name) = (set.description, name.description)
                    $0.heads = sides.map(\.snapshot.id.description)
                }
            )
            for version in sides {
                news.append(await wording.version(version, saying: [], of: name))
            }
            let comparison = try await keeper.versions(of: set).comparison(of: sides.map(\.snapshot.id))
            news += wording.differences(comparison, sides, named: machines, in: set)
            var choices = machines.map { "\(name) --keep \(ShellWord($0))" }
            let merges = try await keeper.editor(of: set).canMerge()
            if merges { choices.append("\(name) --keep merge") }
            news.append(
                SessionNews("choose", nil, "  → huddle fix \(choices.joined(separator: "\n  → huddle fix "))") {
                    ($0.set, $0.name, $0.sharers) = (set.description, name.description, machines)
                    $0.kind = merges ? "merge" : nil
                }
            )
        }
        return news
    }

    private func difference(_ call: RouteCall) async throws -> [SessionNews] {
        let set = try set(call)
        var versions: [GameVersion] = []
        for key in ["from", "to"] {
            guard let typed = call.query[key] else {
                throw HouseholdError(
                    ErrorCode(.invalid, "control.bad-request"),
                    "“\(key)” is missing",
                    nextStep: "name the version"
                )
            }
            versions.append(try await keeper.versions(of: set).version(typed))
        }
        let comparison = try await keeper.versions(of: set).comparison(of: versions.map(\.snapshot.id))
        return wording.differences(comparison, versions, named: nil, in: set)
    }

    private func version(_ call: RouteCall) async throws -> [SessionNews] {
        let set = try set(call)
        let version = try await keeper.versions(of: set).version(call.values["version"] ?? "")
        let changes = try await keeper.versions(of: set).changes(of: [version])[version.snapshot.id]
        var news = [
            await wording.version(version, saying: [], changes: changes, of: try name(of: set))
        ]
        guard version.isWhole else { return news }
        let said = Dictionary(
            try await summary(version, of: set).map { ($0.path, $0.summary.lines.map { "\($0.label) \($0.text)" }) },
            uniquingKeysWith: { first, _ in first }
        )
        let (files, count) = try await keeper.versions(of: set).files(of: version.snapshot.id, limit: Self.mostFiles)
        news += files.compactMap { SaveWording.file($0, saying: said[$0.path], in: set) }
        if count > files.count { news.append(SaveWording.more(count - files.count, "files", in: set)) }
        return news
    }

    private static let mostFiles = 1_000

    private func file(_ call: RouteCall) async throws -> RouteAnswer {
        let set = try set(call)
        let version = try await keeper.versions(of: set).version(call.values["version"] ?? "")
        let path = call.query["path"] ?? ""
        let id = version.snapshot.id
        guard version.isWhole,
            let bytes = try await keeper.versions(of: set).content(of: path, in: id, limit: Self.mostFileBytes)
        else {
            throw HouseholdError(
                ErrorCode(.notFound, "saves.no-such-file"),
                "@\(version.name) has no file “\(PrintableText(path, limit: 200))” of at most 8 MiB",
                nextStep: "GET /v1/saves/{set}/versions/{version} lists its files"
            )
        }
        let content = FileContent(bytes)
        return .bytes { await content.take() }
    }

    private static let mostFileBytes: UInt64 = 8 << 20

    /// The side of a conflict, or the version, that a person names.
    private func side(_ typed: String, of set: SaveSetID) async throws -> (id: SnapshotID, isMachine: Bool) {
        let heads = try keeper.report(of: set).heads
        var meant: [SnapshotID] = []
        for head in heads {
            let author = await wording.tag(head.author)
            if author.name?.text.lowercased() == typed.lowercased() || "\(author.id)" == typed
                || author.id.short == typed
            {
                meant.append(head.id)
            }
        }
        if meant.count > 1 { throw HouseholdError.ambiguousSide(typed, try await names(meant, of: set)) }
        if let meant = meant.first { return (meant, true) }
        do {
            return (try await keeper.versions(of: set).version(typed).snapshot.id, false)
        } catch let error as SaveSyncError where error.code == SaveSyncError.unknownVersionCode {
            throw HouseholdError.noSuchSide(typed, try name(of: set))
        }
    }

    private func names(_ versions: [SnapshotID], of set: SaveSetID) async throws -> [String] {
        try await keeper.versions(of: set).among(versions).map { "\($0.name)" }
    }

    private func resolve(_ call: RouteCall) async throws -> RouteAnswer {
        let fields = try call.fields("take", "favour", "note")
        let (take, favour) = try RouteCall.asked { (try fields.text("take"), try fields.text("favour")) }
        let note = try RouteCall.asked { try fields.text("note") }.map { try Label($0) }
        guard favour == nil || take == "merge" else {
            throw HouseholdError(
                ErrorCode(.invalid, "control.bad-request"),
                "“favour” is only for a merge",
                nextStep: "leave it out, or set “take” to “merge”"
            )
        }
        let set = try set(call)
        guard let take else {
            throw HouseholdError(
                ErrorCode(.invalid, "control.bad-request"),
                "“take” is missing",
                nextStep: "set it to a machine, a version or merge"
            )
        }
        guard try keeper.report(of: set).heads.count > 1 else { throw ChoiceRefusal(.noConflict) }
        let choice: ConflictAnswer
        if take == "merge" {
            var favourite: SnapshotID?
            if let favour { favourite = try await side(favour, of: set).id }
            choice = .merge(favouring: favourite)
        } else {
            let side = try await side(take, of: set)
            choice = side.isMachine ? .side(side.id) : .version(side.id)
        }
        let sides = try keeper.report(of: set).heads
        let made = try await keeper.editor(of: set).resolve(choice, note: note)
        let (name, after) = (try name(of: set), try keeper.report(of: set))
        var sentence = "The conflict of \(name) is fixed."
        let holders = after.facts.sharers.filter { $0.isOnline && $0.part != .notJoined }.map(\.peer)
        if !holders.isEmpty {
            sentence += " \(await wording.names(holders)) \(holders.count == 1 ? "gets" : "get") it now."
        }
        if after.heads.count == 1, after.shown?.id != after.heads[0].id {
            sentence += "\nThe folder gets it once no program uses it."
        }
        if case .merge = choice, let side = try await keeper.versions(of: set).same(as: made, among: sides) {
            // A person who wanted the best of both must know that no rule could merge the files.
            sentence += """
                \nNo file could be merged: all are from @\(side.name), and those of the other side stay in \
                `huddle history \(name)`.
                """
        }
        return .lines([
            SessionNews("resolved", nil, sentence) {
                ($0.set, $0.name, $0.snapshot) = (set.description, name.description, made?.description)
            },
            SessionNews.done(),
        ])
    }

    private func usage() async throws -> [SessionNews] {
        let usage = try await keeper.upkeep.usage()
        let sets = Dictionary(keeper.reports().map { ($0.entry.id, $0.entry) }, uniquingKeysWith: { first, _ in first })
        var news = [
            SessionNews(
                "history",
                nil,
                "\(usage.onDisk.rounded) on the disk, of which \(usage.garbage.rounded) can be freed"
                    + SaveWording.remaining(usage.remainingGarbage)
            ) {
                $0.bytes = usage.onDisk.bytes
                $0.counts = [
                    "garbage": Int(clamping: usage.garbage.bytes),
                    "remaining": Int(clamping: usage.remainingGarbage.bytes), "pieces": usage.pieces,
                ]
            }
        ]
        for share in usage.shares {
            let entry = sets[share.set]
            let name = entry.map { "\($0.name)" } ?? share.set.description
            var sentence =
                "\(name.padded(to: 16))  \(share.stored.rounded) for \(SaveWording.count(share.snapshots))"
            if share.plain.bytes > share.stored.bytes { sentence += " (\(share.plain.rounded) as copies)" }
            if let rule = entry?.retention { sentence += "; keeps \(SaveWording.words(rule))" }
            let info = HistoryShareInfo(
                set: share.set.description,
                name: name,
                stored: share.stored.bytes,
                asCopies: share.plain.bytes,
                versions: share.snapshots,
                retention: entry.map { RetentionInfo($0.retention) }
            )
            news.append(SessionNews(.historyShare(info), sentence))
        }
        return news
    }

    private func check(_ call: RouteCall) async throws -> RouteAnswer {
        let fields = try call.fields("repair")
        let repair = try RouteCall.asked { try fields.flag("repair") ?? false }
        return .follow { tell in
            let check = try await self.keeper.upkeep.check(repairing: repair)
            try await tell(SaveWording.checked(check))
            for touched in check.touched {
                let number = touched.set.flatMap { (try? self.keeper.versions(of: $0))?.number(of: touched.snapshot) }
                let entry = touched.set.flatMap { try? self.keeper.report(of: $0).entry }
                try await tell(SaveWording.damaged(touched, entry?.name, number))
            }
            guard check.isSound || repair else { throw HouseholdError.damagedHistory }
            let (lacking, elsewhere) = await self.damaged(after: check)
            if !check.isSound || lacking > 0 { try await tell(SaveWording.repaired(lacking: lacking, after: check)) }
            guard elsewhere == 0 else { throw HouseholdError.damagedElsewhere(elsewhere) }
            try await tell(SessionNews.done())
        }
    }

    /// The number of incomplete versions after a repair, of games here and of others.
    private func damaged(after check: HistoryCheck) async -> (here: Int, elsewhere: Int) {
        let here = Set(keeper.reports().map(\.entry.id))
        let touched = Dictionary(grouping: check.touched) { $0.set.flatMap { here.contains($0) ? $0 : nil } }
        var lacking = 0
        for case (let set?, let touched) in touched {
            let versions = (try? await keeper.versions(of: set).among(touched.map(\.snapshot))) ?? []
            lacking += versions.count { !$0.isWhole }
        }
        // Versions that could not be read at all were discarded themselves.
        let elsewhere = touched[nil, default: []].count { !$0.pieces.isEmpty }
        return (max(lacking, keeper.upkeep.lackingCount), elsewhere)
    }

    private func clean(_ call: RouteCall) async throws -> RouteAnswer {
        let fields = try call.fields("left")
        let left = try RouteCall.asked { try fields.flag("left") ?? false }
        return .follow { tell in
            let report = try await self.keeper.upkeep.cleanUp(alsoLeft: left)
            let sentence =
                "\(ByteCount(report.freedBytes).rounded) are free again"
                + SaveWording.remaining(ByteCount(report.remainingGarbage))
            try await tell(
                SessionNews("cleaned", nil, sentence) {
                    $0.bytes = report.freedBytes
                    $0.counts = ["remaining": Int(clamping: report.remainingGarbage)]
                }
            )
            try await tell(SessionNews.done())
        }
    }
}

/// The bytes of a file, which an answer takes once.
private actor FileContent {
    private var bytes: [UInt8]?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func take() -> [UInt8]? { bytes.take() }
}

extension HouseholdError {
    static func ambiguousSide(_ typed: String, _ ids: [String]) -> HouseholdError {
        HouseholdError(
            ErrorCode(.notFound, "saves.ambiguous-side"),
            "\(ids.count) sides of this conflict were saved on “\(PrintableText(typed, limit: 80))”",
            nextStep: "say which: @\(ids.joined(separator: ", @"))"
        )
    }

    static func noSuchSide(_ typed: String, _ name: SaveSetName) -> HouseholdError {
        HouseholdError(
            ErrorCode(.notFound, "saves.no-such-side"),
            "no side and no version of \(name) is called “\(PrintableText(typed, limit: 80))”",
            nextStep: "`huddle fix \(name)` names the machines, `huddle history \(name)` the versions"
        )
    }

    static func damagedElsewhere(_ count: Int) -> HouseholdError {
        HouseholdError(
            "saves.damaged-history",
            count == 1
                ? "one version of a stopped game stays damaged"
                : "\(count) versions of stopped games stay damaged",
            nextStep: "`huddle history --clean --left` deletes the versions of stopped games"
        )
    }

    static let damagedHistory = HouseholdError(
        "saves.damaged-history",
        "the history is damaged",
        nextStep: """
            `huddle fsck --repair` discards damaged versions: the present folder is kept as a new version, and other \
            machines send the rest; other versions stay for `huddle restore`
            """
    )
}
