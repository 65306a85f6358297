import Control
import Household
import LinuxPlatform
import Ledger
import SaveRules
import SaveSync
import Vocabulary

/// Requests for versions as one file.
@Engine
struct ArchiveRoutes: GameRoutes {
    let games: GameAccess

    var table: [ControlRoute] {
        [
            ControlRoute(.exportVersion) { call in
                let set = try self.set(call)
                let version = try await self.engine.versions(of: set).version(call.values["version"] ?? "")
                return .bytes(try self.engine.versions(of: set).archive(of: version.snapshot.id))
            },
            ControlRoute(.importVersion) { call in
                try await self.addMember(call)
            },
        ]
    }

    private func addMember(_ call: RouteCall) async throws -> RouteAnswer {
        let fields = try call.fields("folder", "note")
        let (folder, note) = try RouteCall.asked { (try fields.text("folder"), try fields.text("note")) }
        // The name of a folder below the state folder, in letters, digits and hyphens: nothing else is read.
        let state = games.historyFolder?.split(separator: "/").dropLast().joined(separator: "/")
        guard let folder, folder.wholeMatch(of: /[A-Za-z0-9-]{1,64}/) != nil, let state else {
            throw HouseholdError(
                ErrorCode(.invalid, "control.bad-request"),
                "“folder” is the name of a folder in `imports` of the state folder, with `files` and `notes` in it",
                nextStep: "use `huddle import`, which checks an archive and unpacks it there"
            )
        }
        let set = try set(call)
        let path = "/\(state)/imports/\(folder)"
        let before = try engine.report(of: set).versions.heads.map(\.id)
        let made = try await engine.editor(of: set).importFiles(
            "\(path)/files",
            notes: "\(path)/notes",
            note: try note.map { try Label($0) }
        )
        let report = try engine.report(of: set)
        let name = report.entry.name
        let sentence =
            before == [made]
            ? "\(name) holds the same already"
            : report.versions.shown?.id == made
                ? "\(name) is as in the archive; `huddle undo \(name)` takes that back"
                : "the archive is a new version of \(name), and comes into the folder when nothing uses it"
        return .lines([
            DaemonLine(.gameVersion(GameVersionEvent(.imported, GameTag(report.entry), made)), sentence),
            DaemonLine.done(),
        ])
    }
}
