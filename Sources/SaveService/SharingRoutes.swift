import Control
import Glibc
import Household
import Ledger
import LinuxPlatform
import SaveFolder
import SaveRules
import SaveSync
import Session
import Vocabulary

/// Requests about the games that are shared here, and their settings.
@Engine
struct SharingRoutes: GameRoutes {
    let games: GameAccess

    var table: [ControlRoute] {
        [
            ControlRoute(.games) { _ in
                .lines(try await self.list())
            },
            ControlRoute(.game) { call in
                .lines([try await self.show(try self.set(call))])
            },
            ControlRoute(.changeGame) { call in
                try await self.change(call)
            },
            ControlRoute(.leaveGame) { call in
                try await self.engine.joining.leave(try self.set(call))
                return .lines([DaemonLine.done()])
            },
            ControlRoute(.shareGame) { call in
                try await self.share(call)
            },
            ControlRoute(.unshareGame) { call in
                try await self.withdraw(call)
            },
        ]
    }

    private func peer(_ call: RouteCall) async throws -> PeerTag {
        try await MachineLookup(household.node.ledger).find(call.values["peer"] ?? "")
    }

    private func list() async throws -> [DaemonLine] {
        var lines: [DaemonLine] = []
        for report in engine.reports() { lines.append(await games.described(report)) }
        for offered in try await games.offers() { if let offer = await wording.offer(offered) { lines.append(offer) } }
        return lines
    }

    private func show(_ set: SaveSetID) async throws -> DaemonLine {
        await wording.settings(try engine.report(of: set), omitted: await games.omitted(in: set))
    }

    private func change(_ call: RouteCall) async throws -> RouteAnswer {
        let (fields, settings) = try SaveSettings.read(
            call,
            ["name", "path"] + ChosenChange.keys + PatternChange.droppingKeys
        )
        let (path, name) = try RouteCall.asked {
            (try fields.text("path").map(GameAccess.whole), try fields.text("name"))
        }
        let (set, files) = (try set(call), try ChosenChange(fields))
        if let path { try await GameAccess.makeFolder(path) }
        var wanted = try engine.report(of: set).entry
        if let path { wanted.path = path }
        let names = try await files.names(in: wanted, omitted: await games.omitted(in: set))
        let passedOver = try await engine.settings.change(set, inNewFolder: path != nil) { entry in
            try settings.apply(to: &entry)
            if let path { entry.path = path }
            if let name { entry.name = try SaveSetName(name) }
            try ChosenChange.apply(names, to: &entry)
        }
        let report = try engine.report(of: set)
        var line = await games.described(report)
        if settings.changesPatterns { line.append(SaveWording.patterns(report.entry)) }
        let trouble = passedOver.map { wording.trouble($0, of: report.entry) }
        return .lines([line] + [trouble].compactMap(\.self) + [DaemonLine.done()])
    }

    private func share(_ call: RouteCall) async throws -> RouteAnswer {
        let (set, peer) = (try set(call), try await peer(call))
        let name = try engine.report(of: set).entry.name
        // Otherwise the game would be NOT SYNCING at once with all machines.
        let known = try await household.node.ledger.peer(peer.id)
        if let error = HouseholdError.notOfHousehold(peer, known?.policy, known?.permissions ?? .all) { throw error }
        try await engine.sharing.offer(set, to: peer.id)
        let sentence = """
            Offered \(name) to \(peer), which joins once it finds the game there.
            Otherwise run there: huddle join \(name)
            """
        return .lines([
            DaemonLine(.gamePeer(GamePeerEvent(.offered, peer, GameTag(set, name))), sentence),
            DaemonLine.done(),
        ])
    }

    private func withdraw(_ call: RouteCall) async throws -> RouteAnswer {
        let (set, peer) = (try set(call), try await peer(call))
        try await engine.sharing.withdraw(set, from: peer.id)
        let line = await wording.sharedElsewhere(try engine.report(of: set), than: peer)
        return .lines((line.map { [$0] } ?? []) + [DaemonLine.done()])
    }
}
