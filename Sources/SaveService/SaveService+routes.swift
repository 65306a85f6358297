package import Control
import Glibc
import Household
import Ledger
import LinuxPlatform
import SaveFolder
import SaveRules
import SaveSync
import Session
import Vocabulary

/// Requests about games.
extension SaveService {
    package var routes: [ControlRoute] {
        [
            ControlRoute("GET", "/v1/saves", "the games that are shared here, and offered ones") { _ in
                .lines(try await self.list())
            },
            ControlRoute("POST", "/v1/saves", "share a folder, or files in it, as a game") { call in
                try await self.add(call)
            },
            ControlRoute("GET", "/v1/saves/{set}", "one game") { call in
                .lines([try await self.show(try self.set(call))])
            },
            ControlRoute("PUT", "/v1/saves/{set}", "change the settings of a game") { call in
                try await self.change(call)
            },
            ControlRoute("DELETE", "/v1/saves/{set}", "stop syncing a game on this machine") { call in
                try await self.keeper.joining.leave(try self.set(call))
                return .lines([SessionNews.done()])
            },
            ControlRoute("POST", "/v1/offers/{offer}", "join an offered game") { call in
                try await self.join(call)
            },
            ControlRoute("PUT", "/v1/saves/{set}/peers/{peer}", "share a game with a machine") { call in
                try await self.share(call)
            },
            ControlRoute("DELETE", "/v1/saves/{set}/peers/{peer}", "stop sharing a game with a machine") { call in
                try await self.withdraw(call)
            },
        ] + versionRoutes + playRoutes + pauseRoutes + archiveRoutes + stateRoutes
    }

    var wording: SaveWording { SaveWording(household) }

    /// The game in the path of the request.
    func set(_ call: RouteCall) throws -> SaveSetID { try keeper.find(call.values["set"] ?? "") }

    private func peer(_ call: RouteCall) async throws -> PeerTag {
        try await Acquaintances(household.node.ledger).find(call.values["peer"] ?? "")
    }

    private func list() async throws -> [SessionNews] {
        var news: [SessionNews] = []
        for report in keeper.reports() { news.append(await described(report)) }
        for offered in try await offers() { if let offer = await wording.offer(offered) { news.append(offer) } }
        return news
    }

    /// The offers, with those grouped that differ in the machine only.
    func offers() async throws -> [[OfferedSet]] {
        var together: [[OfferedSet]] = []
        for offered in try await keeper.joining.offers() {
            let place = together.firstIndex { others in
                others.contains {
                    $0.offer.set == offered.offer.set && $0.offer.name == offered.offer.name
                        && $0.offer.chosen == offered.offer.chosen
                }
            }
            if let place { together[place].append(offered) } else { together.append([offered]) }
        }
        return together
    }

    /// Names in the folder of the newest version that a game leaves out here.
    private func omitted(in set: SaveSetID) async -> [FileName] {
        await (try? keeper.versions(of: set))?.omittedNames() ?? []
    }

    func described(_ report: GameReport) async -> SessionNews {
        await wording.set(report, omitted: await omitted(in: report.entry.id))
    }

    private func show(_ set: SaveSetID) async throws -> SessionNews {
        await wording.settings(try keeper.report(of: set), omitted: await omitted(in: set))
    }

    private func change(_ call: RouteCall) async throws -> RouteAnswer {
        let (fields, settings) = try SaveSettings.read(
            call,
            ["name", "path"] + ChosenChange.keys + PatternChange.droppingKeys
        )
        let (path, name) = try RouteCall.asked { (try fields.text("path").map(Self.whole), try fields.text("name")) }
        let (set, files) = (try set(call), try ChosenChange(fields))
        if let path { try await Self.makeFolder(path) }
        var wanted = try keeper.report(of: set).entry
        if let path { wanted.path = path }
        let names = try await files.names(in: wanted, omitted: await omitted(in: set))
        let passedOver = try await keeper.settings.change(set, inNewFolder: path != nil) { entry in
            try settings.apply(to: &entry)
            if let path { entry.path = path }
            if let name { entry.name = try SaveSetName(name) }
            try ChosenChange.apply(names, to: &entry)
        }
        let report = try keeper.report(of: set)
        var news = await described(report)
        if settings.changesPatterns { news.append(SaveWording.patterns(report.entry)) }
        let trouble = passedOver.map { wording.trouble($0, of: report.entry) }
        return .lines([news] + [trouble].compactMap(\.self) + [SessionNews.done()])
    }

    /// An absolute path. A browser does not know the user's home, for which it writes `~/`.
    static func whole(_ path: String) -> String { Places(ProgramLaunch.ownEnvironment).whole(path) }

    /// Makes the folder of a game, which is missing if the game has never saved on this machine.
    static func makeFolder(_ path: String) async throws {
        guard path.hasPrefix("/") else { return }
        try await runBlocking("saves") {
            let isFolder: Bool
            do throws(SystemError) {
                try FolderPath.make(path, mode: FileMode(rawValue: 0o755))
                isFolder = try FileFacts(at: path).kind != .file
            } catch  where error.number == ENOTDIR {
                isFolder = false
            } catch {
                throw SaveFolderError(error, at: path)
            }
            if !isFolder { throw HouseholdError.noFolder(path) }
        }
    }

    private func share(_ call: RouteCall) async throws -> RouteAnswer {
        let (set, peer) = (try set(call), try await peer(call))
        let name = try keeper.report(of: set).entry.name
        // Otherwise the game would be NOT SYNCING at once with all machines.
        let known = try await household.node.ledger.peer(peer.id)
        if let error = HouseholdError.notOfHousehold(peer, known?.policy, known?.permissions ?? .all) { throw error }
        try await keeper.sharing.offer(set, to: peer.id)
        let sentence = """
            Offered \(name) to \(peer), which joins by itself if the game is found there.
            Otherwise run there: huddle join \(name)
            """
        return .lines([
            SessionNews("offered", peer, sentence) { ($0.set, $0.name) = (set.description, name.description) },
            SessionNews.done(),
        ])
    }

    /// The permissions for syncing saves that a peer's policy leaves out, as options of `huddle policy`; empty if none.
    static func missing(to known: KnownPeer?) -> String {
        HouseholdError.missingForSaves(known?.policy, known?.permissions ?? .all)
    }

    private func withdraw(_ call: RouteCall) async throws -> RouteAnswer {
        let (set, peer) = (try set(call), try await peer(call))
        try await keeper.sharing.withdraw(set, from: peer.id)
        let news = await wording.sharedElsewhere(try keeper.report(of: set), than: peer)
        return .lines((news.map { [$0] } ?? []) + [SessionNews.done()])
    }
}

extension HouseholdError {
    static func nameTaken(_ name: SaveSetName) -> HouseholdError {
        HouseholdError(
            "saves.name-taken",
            "a game “\(name)” is shared here already",
            nextStep: "choose another name with --name"
        )
    }

    nonisolated static func noFolder(_ path: String) -> HouseholdError {
        HouseholdError(
            "saves.no-folder",
            "“\(PrintableText(path, limit: 4096))” is not a folder, or is below a file",
            nextStep: "name a folder with --at; a missing one is made"
        )
    }
}
