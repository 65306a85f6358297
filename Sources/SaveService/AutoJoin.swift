import Control
import Household
import Ledger
package import LinuxPlatform
import SaveRules
import SaveSync
import Session
import Vocabulary

/// Joins games that machines of the household share, if this machine has them.
@Engine
package final class AutoJoin {
    /// The folder in which a game saves on this machine.
    package struct Place: Sendable {
        /// The part of the folder that is the game's saves.
        package enum Extent: Sendable, Hashable {
            case everything
            /// The files that patterns tell from the others.
            case patterns
            /// The files and folders with these names.
            case names([String])
        }

        package let path: String
        package let extent: Extent

        package init(_ path: String, _ extent: Extent) { (self.path, self.extent) = (path, extent) }
    }

    /// A game that another machine shares.
    package struct Wanted: Sendable {
        package let name: String
        /// The names of its files and folders if it is not a whole folder, such as those of one game of an emulator.
        package let files: [String]?
    }

    /// The games of this machine.
    package protocol LocalGames: Sendable {
        /// The places of those games that are here, by name.
        func places(of games: [Wanted]) async -> [String: Place]
        /// The paths that appear or change if one of these games is installed or saves for the first time.
        func watchPaths(of games: [String]) async -> [String]
    }

    /// The pause between a sign of a game and the search for it. An installer writes more than one file.
    private static let settleTime = Duration.seconds(2)

    private let machine: any LocalGames
    /// Waits for games that are offered and not found, from before the search for them.
    private var waiting: Task<Void, Never>?
    /// Signals that offers or games may have changed. Several changes may make one signal.
    private let (changes, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// The offers that could not be joined, each with its reason, which is reported once.
    private var refused: [SaveSetID: String] = [:]

    init(_ machine: any LocalGames) { self.machine = machine }

    func wake() { signal.yield() }

    /// Joins games until the task is cancelled. Afterwards it keeps nothing of them: a daemon that
    /// reads its settings again would find the history still open.
    func run(for games: GameAccess) async {
        wake()
        defer { waiting?.cancel() }
        for await _ in changes {
            // The next command that reads the ledger reports its error. The offers stay.
            try? await joinOffers(for: games)
        }
    }

    private func joinOffers(for games: GameAccess) async throws {
        let offers = try await games.engine.joining.offers()
        let own = games.household.node.id
        let left = try await games.household.node.ledger.sharing.leftSets(by: own)
        let here = Set(games.engine.reports().map(\.entry.name))
        var wanted: [OfferedSet] = []
        for offered in offers where AutoJoinRule.mayJoin(offered.offer, whileHere: here, left: left) {
            if offered.peer != own, try await games.isOfHousehold(offered.peer) { wanted.append(offered) }
        }
        wanted = AutoJoinRule.clear(wanted)
        let names = wanted.map { "\($0.offer.name)" }
        await watch(for: names)
        guard !wanted.isEmpty else { return }
        let found = await machine.places(
            of: wanted.map { Wanted(name: "\($0.offer.name)", files: $0.offer.chosen?.names.map(\.text)) }
        )
        for offered in wanted {
            guard let place = found["\(offered.offer.name)"], AutoJoinRule.fits(place, offered.offer) else { continue }
            await join(offered, at: place.path, games)
        }
    }

    /// Looks again once a game may have appeared. The watch is there before the search: a game that appears meanwhile
    /// would stay unnoticed otherwise.
    private func watch(for names: [String]) async {
        waiting?.cancel()
        waiting = nil
        guard !names.isEmpty else { return }
        let paths = await machine.watchPaths(of: names)
        guard let arrival = try? ArrivalWatch(for: paths, on: .shared) else { return }
        waiting = Task {
            guard await arrival.happened(), (try? await EventLoop.shared.sleep(for: Self.settleTime)) != nil else {
                return
            }
            wake()
        }
    }

    private func join(_ offered: OfferedSet, at folder: String, _ games: GameAccess) async {
        let set = offered.offer.set
        do {
            try await GameAccess.makeFolder(folder)
            try await games.engine.joining.join(set, at: folder)
            refused[set] = nil
            games.household.tell(await games.wording.joined(try games.engine.report(of: set).entry, of: offered.peer))
        } catch {
            guard refused[set] != "\(error)" else { return }
            refused[set] = "\(error)"
            let (tag, name) = (await games.wording.tag(offered.peer), offered.offer.name)
            games.household.tell(
                DaemonLine(
                    .gameNotJoined(GameNotJoinedEvent(tag, GameTag(set, name), "\(error)")),
                    "\(name) was not joined: \(error)"
                )
            )
        }
    }
}

/// The rule by which a machine joins a game without a question.
enum AutoJoinRule {
    /// True if this machine may join without asking. The user decides about a game that this machine has left, or whose
    /// name is in use here.
    static func mayJoin(_ offer: SaveOffer, whileHere names: Set<SaveSetName>, left: Set<SaveSetID>) -> Bool {
        !left.contains(offer.set) && !names.contains(offer.name)
    }

    /// True if the saves are the same names in the folders of both machines, or if both folders have other files than
    /// the saves, or if both have none.
    ///
    /// If only this machine's folder has other files, they would be sent. If only the other folder has, the saves may
    /// be one folder deeper there, and would be put into a wrong place.
    static func fits(_ place: AutoJoin.Place, _ offer: SaveOffer) -> Bool {
        switch (place.extent, offer.chosen) {
        case (.names(let names), let chosen?): Set(names) == Set(chosen.names.map(\.text))
        case (.everything, nil): !offer.ignored.lines.contains("/*")
        case (.patterns, nil): offer.ignored.lines.contains("/*")
        case (.names, nil), (.everything, _?), (.patterns, _?): false
        }
    }

    /// Returns the offers with a name of their own. If two different games have the same name, the user chooses.
    static func clear(_ offers: [OfferedSet]) -> [OfferedSet] {
        var sets: [SaveSetName: Set<SaveSetID>] = [:]
        for offered in offers { sets[offered.offer.name, default: []].insert(offered.offer.set) }
        var seen: Set<SaveSetID> = []
        return offers.filter { sets[$0.offer.name]?.count == 1 && seen.insert($0.offer.set).inserted }
    }
}
