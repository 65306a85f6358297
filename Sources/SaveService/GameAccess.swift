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

/// The games of this machine, for the routes about them.
@Engine
struct GameAccess {
    let household: Household
    let engine: SaveSyncEngine
    /// Folder of the versions.
    let historyFolder: String?

    var wording: SaveWording { SaveWording(household) }

    /// The game in the path of the request.
    func set(_ call: RouteCall) throws -> SaveSetID { try engine.find(call.values["set"] ?? "") }

    /// The offers, with those grouped that differ in the machine only.
    func offers() async throws -> [[OfferedSet]] {
        var together: [[OfferedSet]] = []
        for offered in try await engine.joining.offers() {
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

    func described(_ report: GameReport) async -> DaemonLine {
        await wording.set(report, omitted: await omitted(in: report.entry.id))
    }

    /// Names in the folder of the newest version that a game leaves out here.
    func omitted(in set: SaveSetID) async -> [FileName] {
        await (try? engine.versions(of: set))?.omittedNames() ?? []
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

    func name(of set: SaveSetID) throws -> SaveSetName { try engine.report(of: set).entry.name }

    /// Returns true if a machine may share games here without a question: it is paired and no guest.
    func isOfHousehold(_ peer: PeerID) async throws -> Bool {
        guard let known = try await household.node.ledger.peer(peer) else { return false }
        return known.isPinned && known.policy == .accept && known.permissions.isSuperset(of: .neededForSaves)
    }
}

/// Requests about one matter of games.
@Engine
protocol GameRoutes {
    var games: GameAccess { get }
    var table: [ControlRoute] { get }
}

extension GameRoutes {
    var household: Household { games.household }
    var engine: SaveSyncEngine { games.engine }
    var wording: SaveWording { games.wording }

    /// The game in the path of the request.
    func set(_ call: RouteCall) throws -> SaveSetID { try games.set(call) }

    func name(of set: SaveSetID) throws -> SaveSetName { try games.name(of: set) }
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
