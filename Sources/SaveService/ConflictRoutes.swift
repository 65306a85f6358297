import Control
import GameState
import History
import Household
import LinuxPlatform
import Ledger
import SaveRules
import SaveSync
import Session
import Vocabulary

/// Requests about conflicts.
@Engine
struct ConflictRoutes: GameRoutes {
    let games: GameAccess

    var table: [ControlRoute] {
        [
            ControlRoute(.conflicts) { call in
                .lines(try await self.conflicts(call))
            },
            ControlRoute(.resolveConflict) { call in try await self.resolve(call) },
        ]
    }

    private func conflicts(_ call: RouteCall) async throws -> [DaemonLine] {
        let wanted = try call.query["set"].map { try engine.find($0) }
        var lines: [DaemonLine] = []
        for report in engine.reports()
        where report.versions.state == .split && report.entry.id == wanted ?? report.entry.id {
            let (set, name) = (report.entry.id, report.entry.name)
            let sides = try await engine.versions(of: set).among(report.versions.heads.map(\.id))
            let machines = await VersionWording(household).machines(of: sides)
            lines.append(
                DaemonLine(
                    .conflict(ConflictEvent(GameTag(report.entry), sides.map(\.snapshot.id))),
                    "\(name) was changed on \(sides.count == 2 ? "two" : "\(sides.count)") machines:"
                )
            )
            for version in sides {
                let says = version.isWhole ? try await engine.versions(of: set).summaries(of: version.snapshot.id) : []
                lines.append(
                    await VersionWording(household).version(version, saying: says, isCompared: true, of: name)
                )
            }
            let comparison = try await engine.versions(of: set).comparison(of: sides.map(\.snapshot.id))
            lines += VersionWording(household).differences(comparison, sides, named: machines, in: set)
            var choices = machines.map { "\(name) --keep \(ShellWord($0))" }
            let merges = try await engine.editor(of: set).canMerge()
            if merges { choices.append("\(name) --keep merge") }
            lines.append(
                DaemonLine(
                    .choose(ChooseEvent(GameTag(report.entry), machines, canMerge: merges)),
                    "  → huddle fix \(choices.joined(separator: "\n  → huddle fix "))"
                )
            )
        }
        return lines
    }

    /// Returns the side of a conflict, or the version, that the user names.
    private func side(_ typed: String, of set: SaveSetID) async throws -> (id: SnapshotID, isMachine: Bool) {
        let heads = try engine.report(of: set).versions.heads
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
            return (try await engine.versions(of: set).version(typed).snapshot.id, false)
        } catch let error as SaveSyncError where error.code == SaveSyncError.unknownVersionCode {
            throw HouseholdError.noSuchSide(typed, try name(of: set))
        }
    }

    private func names(_ versions: [SnapshotID], of set: SaveSetID) async throws -> [String] {
        try await engine.versions(of: set).among(versions).map { "\($0.name)" }
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
        guard try engine.report(of: set).versions.heads.count > 1 else { throw ChoiceRefusal(.noConflict) }
        let choice: ConflictAnswer
        if take == "merge" {
            var favourite: SnapshotID?
            if let favour { favourite = try await side(favour, of: set).id }
            choice = .merge(favouring: favourite)
        } else {
            let side = try await side(take, of: set)
            choice = side.isMachine ? .side(side.id) : .version(side.id)
        }
        let sides = try engine.report(of: set).versions.heads
        let made = try await engine.editor(of: set).resolve(choice, note: note)
        let (name, after) = (try name(of: set), try engine.report(of: set))
        var sentence = "The conflict of \(name) is fixed."
        let holders = after.facts.sharers.filter { $0.isOnline && $0.part != .notJoined }.map(\.peer)
        if !holders.isEmpty {
            sentence += " \(await wording.names(holders)) \(holders.count == 1 ? "gets" : "get") it now."
        }
        if after.versions.heads.count == 1, after.versions.shown?.id != after.versions.heads[0].id {
            sentence += "\nThe folder gets it once no program uses it."
        }
        if case .merge = choice, let side = try await engine.versions(of: set).same(as: made, among: sides) {
            // A user who wanted the best of both must know that no rule could merge the files.
            sentence += """
                \nNo file could be merged: all are from @\(side.name), and those of the other side stay in \
                `huddle history \(name)`.
                """
        }
        return .lines([
            DaemonLine(.gameVersion(GameVersionEvent(.resolved, GameTag(set, name), made)), sentence),
            DaemonLine.done(),
        ])
    }
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
}
