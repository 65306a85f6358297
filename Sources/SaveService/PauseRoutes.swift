import Control
import Household
import LinuxPlatform
import Ledger
import SaveRules
import SaveSync
import Vocabulary

/// Requests that pause and resume games.
@Engine
struct PauseRoutes: GameRoutes {
    let games: GameAccess

    var table: [ControlRoute] {
        [
            ControlRoute(.pauseAll) { call in
                try await self.pause(nil, call)
            },
            ControlRoute(.resumeAll) { _ in
                try await self.engine.pausing.resume(nil)
                return .lines([DaemonLine.done()])
            },
            ControlRoute(.pauseGame) { call in
                try await self.pause(try self.set(call), call)
            },
            ControlRoute(.resumeGame) { call in
                let set = try self.set(call)
                try await self.engine.pausing.resume(set)
                return .lines([await games.described(try self.engine.report(of: set)), DaemonLine.done()])
            },
        ]
    }

    /// The shortest and the longest pause that ends by itself, in seconds.
    private static let lengths = 1.0...(366 * 86_400)

    private func pause(_ set: SaveSetID?, _ call: RouteCall) async throws -> RouteAnswer {
        let fields = try call.fields("seconds")
        let seconds = try RouteCall.asked { try fields.number("seconds") }
        if let seconds, !Self.lengths.contains(seconds) {
            throw HouseholdError(
                ErrorCode(.invalid, "control.bad-request"),
                "nothing was paused: a pause takes a second to 366 days",
                nextStep: "leave out how long it takes, and end it with `huddle resume`"
            )
        }
        try await engine.pausing.pause(set, for: seconds.map { .seconds($0.rounded(.up)) })
        var lines: [DaemonLine] = []
        for report in engine.reports() where set == nil || report.entry.id == set {
            lines.append(await games.described(report))
        }
        return .lines(lines + [DaemonLine.done()])
    }
}
