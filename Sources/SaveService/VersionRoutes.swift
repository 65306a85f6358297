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

/// Requests about the versions of games.
@Engine
struct VersionRoutes: GameRoutes {
    let games: GameAccess

    var table: [ControlRoute] {
        [
            ControlRoute(.versions) { call in
                .lines(try await self.history(call))
            },
            ControlRoute(.version) { call in
                .lines(try await self.version(call))
            },
            ControlRoute(.versionFile) { call in
                try await self.file(call)
            },
            ControlRoute(.differences) { call in
                .lines(try await self.difference(call))
            },
            ControlRoute(.scanGame) { call in try await self.read(call) },
            ControlRoute(.restoreVersion) { call in
                try await self.restore(call)
            },
        ]
    }

    private func line(
        _ version: GameVersion,
        of set: SaveSetID,
        _ changes: ManifestChanges? = nil
    ) async throws -> DaemonLine {
        await VersionWording(household).version(
            version,
            saying: try await summary(version, of: set),
            changes: changes,
            of: try name(of: set)
        )
    }

    private func summary(_ version: GameVersion, of set: SaveSetID) async throws -> [FileSummary] {
        version.isWhole ? try await engine.versions(of: set).summaries(of: version.snapshot.id) : []
    }

    private func history(_ call: RouteCall) async throws -> [DaemonLine] {
        let set = try set(call)
        let limit = call.query["limit"] ?? "20"
        guard let limit = Int(limit), (1...10_000).contains(limit) else {
            throw HouseholdError(
                ErrorCode(.invalid, "control.bad-request"),
                "“limit” is 1 to 10000",
                nextStep: "leave it out for the newest 20"
            )
        }
        var lines: [DaemonLine] = []
        var later: SnapshotID?
        if let typed = call.query["before"] { later = try await engine.versions(of: set).version(typed).snapshot.id }
        let versions = try await engine.versions(of: set).latest(limit, before: later)
        let changes = try await engine.versions(of: set).changes(of: versions)
        for version in versions { lines.append(try await self.line(version, of: set, changes[version.snapshot.id])) }
        return lines
    }

    private func read(_ call: RouteCall) async throws -> RouteAnswer {
        let fields = try call.fields("whole", "emptied")
        let whole = try RouteCall.asked { try fields.flag("whole") ?? false }
        let emptied = try RouteCall.asked { try fields.flag("emptied") ?? false }
        let set = try set(call)
        return .follow { tell in
            try await self.engine.editor(of: set).scan(everyByte: whole, sendingEmptied: emptied)
            try await tell(await self.wording.set(try self.engine.report(of: set)))
            try await tell(DaemonLine.done())
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
        let version = try await engine.versions(of: set).version(typed)
        let made = try await engine.editor(of: set).restore(version.snapshot.id, note: try note.map { try Label($0) })
        let name = try name(of: set)
        let isShown = try engine.report(of: set).versions.shown?.id == made
        let sentence =
            isShown
            ? "\(name) has the files of @\(version.name) again, as version \(made.short); `huddle undo` reverts it"
            : "@\(version.name) is a new version of \(name), \(made.short); the folder gets it once no program uses it"
        return .lines([
            DaemonLine(.gameVersion(GameVersionEvent(.restored, GameTag(set, name), made)), sentence),
            DaemonLine.done(),
        ])
    }

    private func difference(_ call: RouteCall) async throws -> [DaemonLine] {
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
            versions.append(try await engine.versions(of: set).version(typed))
        }
        let comparison = try await engine.versions(of: set).comparison(of: versions.map(\.snapshot.id))
        return VersionWording(household).differences(comparison, versions, named: nil, in: set)
    }

    private func version(_ call: RouteCall) async throws -> [DaemonLine] {
        let set = try set(call)
        let version = try await engine.versions(of: set).version(call.values["version"] ?? "")
        let changes = try await engine.versions(of: set).changes(of: [version])[version.snapshot.id]
        var lines = [
            await VersionWording(household).version(version, saying: [], changes: changes, of: try name(of: set))
        ]
        guard version.isWhole else { return lines }
        let said = Dictionary(
            try await summary(version, of: set).map { ($0.path, $0.summary.lines.map { "\($0.label) \($0.text)" }) },
            uniquingKeysWith: { first, _ in first }
        )
        let (files, count) = try await engine.versions(of: set).files(of: version.snapshot.id, limit: Self.mostFiles)
        lines += files.compactMap { VersionWording.file($0, saying: said[$0.path], in: set) }
        if count > files.count { lines.append(VersionWording.more(count - files.count, .files, in: set)) }
        return lines
    }

    private static let mostFiles = 1_000

    private func file(_ call: RouteCall) async throws -> RouteAnswer {
        let set = try set(call)
        let version = try await engine.versions(of: set).version(call.values["version"] ?? "")
        let path = call.query["path"] ?? ""
        let id = version.snapshot.id
        guard version.isWhole,
            let bytes = try await engine.versions(of: set).content(of: path, in: id, limit: Self.mostFileBytes)
        else {
            throw HouseholdError(
                ErrorCode(.notFound, "saves.no-such-file"),
                "@\(version.name) has no file “\(PrintableText(path, limit: 200))” of at most 8 MiB",
                nextStep: "\(Endpoint.version) lists its files"
            )
        }
        let content = FileContent(bytes)
        return .bytes { await content.take() }
    }

    private static let mostFileBytes: UInt64 = 8 << 20

}

/// The bytes of a file, which an answer takes once.
private actor FileContent {
    private var bytes: [UInt8]?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func take() -> [UInt8]? { bytes.take() }
}
