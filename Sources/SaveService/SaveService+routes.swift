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

/// What can be asked of save sets.
extension SaveService {
    package var routes: [ControlRoute] {
        [
            ControlRoute("GET", "/v1/saves", "the save sets here, and those that were offered") { _ in
                .lines(try await self.list())
            },
            ControlRoute("POST", "/v1/saves", "make a save set of a folder or of files in it") { call in
                try await self.add(call)
            },
            ControlRoute("GET", "/v1/saves/{set}", "one save set") { call in
                .lines([try await self.show(try self.set(call))])
            },
            ControlRoute("PUT", "/v1/saves/{set}", "change the settings of a save set") { call in
                try await self.change(call)
            },
            ControlRoute("DELETE", "/v1/saves/{set}", "have no more to do with a save set") { call in
                try await self.keeper.leave(try self.set(call))
                return .lines([SessionNews.done()])
            },
            ControlRoute("POST", "/v1/offers/{offer}", "take up a save set that was offered") { call in
                try await self.join(call)
            },
            ControlRoute("PUT", "/v1/saves/{set}/peers/{peer}", "let a peer have a save set") { call in
                try await self.share(call)
            },
            ControlRoute("DELETE", "/v1/saves/{set}/peers/{peer}", "let a peer have a save set no more") { call in
                try await self.withdraw(call)
            },
        ] + versionRoutes + playRoutes + stateRoutes
    }

    var wording: SaveWording { SaveWording(household) }

    /// The set that stands in the path.
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

    /// Offers of one game, that are the same but for the machine, together.
    func offers() async throws -> [[OfferedSet]] {
        var together: [[OfferedSet]] = []
        for offered in try await keeper.offers() {
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

    func described(_ report: SaveKeeper.Report) async -> SessionNews {
        await wording.set(report, omitted: await keeper.omittedNames(in: report.entry.id))
    }

    private func show(_ set: SaveSetID) async throws -> SessionNews {
        await wording.settings(try keeper.report(of: set), omitted: await keeper.omittedNames(in: set))
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
        let names = try await files.names(in: wanted, omitted: await keeper.omittedNames(in: set))
        let passedOver = try await keeper.change(set, inNewFolder: path != nil) { entry in
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

    /// A path from the root on. A browser does not know the user's home, which `~/` stands for.
    static func whole(_ path: String) -> String { Places(ProgramLaunch.ownEnvironment).whole(path) }

    /// A folder in which a set is to lie. On a machine where the game has never saved there is none yet.
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
        // Shared all the same, the game would be NOT SYNCING at once, with all machines.
        let known = try await household.node.ledger.peer(peer.id)
        if let error = HouseholdError.notOfHousehold(peer, known?.policy, known?.permissions ?? .all) { throw error }
        try await keeper.offer(set, to: peer.id)
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
        try await keeper.withdraw(set, from: peer.id)
        let news = await wording.sharedElsewhere(try keeper.report(of: set), than: peer)
        return .lines((news.map { [$0] } ?? []) + [SessionNews.done()])
    }
}

extension HouseholdError {
    static func nameTaken(_ name: SaveSetName) -> HouseholdError {
        HouseholdError(
            "saves.name-taken",
            "there is a save set “\(name)” here already",
            nextStep: "give this one another name with --name"
        )
    }

    nonisolated static func noFolder(_ path: String) -> HouseholdError {
        HouseholdError(
            "saves.no-folder",
            "“\(PrintableText(path, limit: 4096))” is no folder, or lies below a file",
            nextStep: "name a folder with --at; where there is none yet, it is made"
        )
    }
}
