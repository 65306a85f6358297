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

/// Requests about the space of all versions, and their damage.
@Engine
struct HistoryRoutes: GameRoutes {
    let games: GameAccess

    var table: [ControlRoute] {
        [
            ControlRoute(.history) { _ in
                .lines(try await self.usage())
            },
            ControlRoute(.checkHistory) { call in
                try await self.check(call)
            },
            ControlRoute(.cleanHistory) { call in
                try await self.clean(call)
            },
        ]
    }

    private func usage() async throws -> [DaemonLine] {
        let usage = try await engine.upkeep.usage()
        let sets = Dictionary(engine.reports().map { ($0.entry.id, $0.entry) }, uniquingKeysWith: { first, _ in first })
        var line = [
            DaemonLine(
                .history(
                    HistoryEvent(
                        usage.onDisk.bytes,
                        garbage: usage.garbage.bytes,
                        remaining: usage.remainingGarbage.bytes,
                        pieces: usage.pieces
                    )
                ),
                "\(usage.onDisk.rounded) on the disk, of which \(usage.garbage.rounded) can be freed"
                    + HistoryWording.remaining(usage.remainingGarbage)
            )
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
            line.append(DaemonLine(.historyShare(info), sentence))
        }
        return line
    }

    private func check(_ call: RouteCall) async throws -> RouteAnswer {
        let fields = try call.fields("repair")
        let repair = try RouteCall.asked { try fields.flag("repair") ?? false }
        return .follow { tell in
            let check = try await self.engine.upkeep.check(repairing: repair)
            try await tell(HistoryWording.checked(check))
            for touched in check.touched {
                let number = touched.set.flatMap { (try? self.engine.versions(of: $0))?.number(of: touched.snapshot) }
                let entry = touched.set.flatMap { try? self.engine.report(of: $0).entry }
                try await tell(HistoryWording.damaged(touched, entry?.name, number))
            }
            guard check.isSound || repair else { throw HouseholdError.damagedHistory }
            let (incomplete, elsewhere) = await self.damaged(after: check)
            if !check.isSound || incomplete > 0 {
                try await tell(HistoryWording.repaired(incomplete: incomplete, after: check))
            }
            guard elsewhere == 0 else { throw HouseholdError.damagedElsewhere(elsewhere) }
            try await tell(DaemonLine.done())
        }
    }

    /// The number of incomplete versions after a repair, of games here and of others.
    private func damaged(after check: HistoryCheck) async -> (here: Int, elsewhere: Int) {
        let here = Set(engine.reports().map(\.entry.id))
        let touched = Dictionary(grouping: check.touched) { $0.set.flatMap { here.contains($0) ? $0 : nil } }
        var incomplete = 0
        for case (let set?, let touched) in touched {
            let versions = (try? await engine.versions(of: set).among(touched.map(\.snapshot))) ?? []
            incomplete += versions.count { !$0.isWhole }
        }
        // Versions that could not be read at all were discarded themselves.
        let elsewhere = touched[nil, default: []].count { !$0.pieces.isEmpty }
        return (max(incomplete, engine.upkeep.incompleteCount), elsewhere)
    }

    private func clean(_ call: RouteCall) async throws -> RouteAnswer {
        let fields = try call.fields("left")
        let left = try RouteCall.asked { try fields.flag("left") ?? false }
        return .follow { tell in
            let report = try await self.engine.upkeep.cleanUp(alsoLeft: left)
            let sentence =
                "\(ByteCount(report.freedBytes).rounded) are free again"
                + HistoryWording.remaining(ByteCount(report.remainingGarbage))
            let event = CleanedEvent(report.freedBytes, remaining: report.remainingGarbage)
            try await tell(DaemonLine(.cleaned(event), sentence))
            try await tell(DaemonLine.done())
        }
    }
}

extension HouseholdError {

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
