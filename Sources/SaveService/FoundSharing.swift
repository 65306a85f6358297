import Control
import Household
import Ledger
package import LinuxPlatform
import SaveRules
import SaveSync
import Session
import Vocabulary

/// Shares games with the household as they are found on this machine: the setting `shareFound`.
///
/// Another machine may find the same game before the two machines are connected. Then each has a game of that name. The
/// machine whose set has the greater ID joins the other's game.
@Engine
package final class FoundSharing {
    /// A game that was found, with its folder.
    package struct Game: Sendable {
        let name: String
        let path: String
        /// The names of the files and folders in it that are the game; nil if all of it is.
        let names: [String]?
        /// The patterns that leave out everything in the folder but the saves.
        let ignored: [String]

        package init(_ name: String, in path: String, _ names: [String]?, ignoring ignored: [String]) {
            (self.name, self.path, self.names, self.ignored) = (name, path, names, ignored)
        }
    }

    /// The result of one search.
    package struct Findings: Sendable {
        package var games: [Game] = []
        /// The games that only a user can share, each with the reason.
        package var unclear: [(name: String, reason: String)] = []
        /// The folders in which games will save for the first time.
        package var waiting: [String] = []

        package init() {}
    }

    /// The paths that change if a game appears, and a value that stays the same until one does.
    package struct Signs: Sendable {
        let paths: [String]
        let state: Int

        package init(_ paths: [String], _ state: Int) { (self.paths, self.state) = (paths, state) }
    }

    /// The games of this machine.
    package protocol LocalGames: Sendable {
        func found() async -> Findings
        func signs(waiting: [String]) async -> Signs
    }

    /// The pause between a sign of a game and the search for it. An installer writes more than one file.
    private static let settleTime = Duration.seconds(2)
    /// The pause between two searches, as folders of settings may change all the time.
    private static let searchPause = Duration.seconds(10)

    private let games: any LocalGames
    /// Signals that offers may have changed. Several changes may make one signal.
    private let (changes, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// The games that could not be shared, each with its reason, which is reported once.
    private var refused: [String: String] = [:]

    init(_ games: any LocalGames) { self.games = games }

    func wake() { signal.yield() }

    /// Shares games until the task is cancelled. The service owns this object, so it is not kept here.
    func run(for access: GameAccess) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.search(for: access) }
            for await _ in changes {
                // The next command that reads the ledger reports its error. The offers stay.
                try? await joinTwins(for: access)
            }
            group.cancelAll()
        }
    }

    // MARK: Finding

    private func search(for access: GameAccess) async {
        var signs = await games.signs(waiting: [])
        var watch = try? ArrivalWatch(for: signs.paths, on: .shared)
        while !Task.isCancelled {
            let began = ContinuousClock.Instant.current
            let findings = await games.found()
            try? await share(findings, for: access)
            // A sign during the search is on the old watch, a later one on the new watch.
            signs = await games.signs(waiting: findings.waiting)
            guard let next = try? ArrivalWatch(for: signs.paths, on: .shared) else { return }
            if await watch?.happened(within: .milliseconds(10)) != true {
                guard await hasNewSign(after: signs, findings.waiting, next) else { return }
            }
            watch = next
            try? await EventLoop.shared.sleep(
                for: max(Self.settleTime, Self.searchPause - began.duration(to: .current))
            )
        }
    }

    /// Suspends until a sign has changed; returns false if the task is cancelled, or if a watch fails.
    private func hasNewSign(after signs: Signs, _ waiting: [String], _ first: ArrivalWatch) async -> Bool {
        var watch = first
        while await watch.happened() {
            guard let next = try? ArrivalWatch(for: signs.paths, on: .shared) else { return false }
            if await games.signs(waiting: waiting).state != signs.state { return true }
            watch = next
        }
        return false
    }

    // MARK: Sharing

    private func share(_ findings: Findings, for access: GameAccess) async throws {
        let ledger = access.household.node.ledger
        var decided = try await ledger.foundGames()
        let here = try await Decisions(access, ledger)
        for game in findings.games where here.allow(game.name, in: game.path) && decided[game.name] == nil {
            guard let set = await share(game, for: access) else { continue }
            decided[game.name] = set
            // A stop right after it must find the game here.
            try await ledger.keepFoundGames(decided)
        }
        for (name, reason) in findings.unclear where here.allow(name, in: nil) && decided[name] == nil {
            tell(name, "\(name) was found, but not shared: \(reason)", access)
        }
        // A game that a user has shared is one that the user may stop, too.
        for report in access.engine.reports() {
            let found = findings.games.first { $0.path == report.entry.path }
            if let found, decided[found.name] == nil { decided[found.name] = report.entry.id }
        }
        try await ledger.keepFoundGames(decided)
    }

    private func share(_ game: Game, for access: GameAccess) async -> SaveSetID? {
        do {
            let name = try SaveSetName(game.name)
            let set = try await access.engine.joining.add(name, at: game.path, as: FoundSharingRule.newSet()) { entry in
                entry.scope.ignored = try PathPatterns(game.ignored)
                entry.chosen = try SaveSettings.chosen(game.names)
                entry.audience = .household
            }
            refused[game.name] = nil
            for peer in try await access.household.node.ledger.peers().values
            where try await access.isOfHousehold(peer.id) {
                try await access.engine.sharing.offer(set, to: peer.id)
            }
            access.household.node.note("save-set-found", about: nil, [.init("set", game.name)])
            let place = PrintableText(game.path, limit: 4096)
            access.household.tell(
                DaemonLine(
                    .gameShared(GameSharedEvent(GameTag(set, name), path: game.path)),
                    "Shared \(name), which was found in \(place): `huddle stop \(name)` undoes that"
                )
            )
            return set
        } catch {
            tell(game.name, "\(game.name) was found, but not shared: \(error)", access)
            return nil
        }
    }

    private func tell(_ name: String, _ sentence: String, _ access: GameAccess) {
        guard refused[name] != sentence else { return }
        refused[name] = sentence
        access.household.tell(
            DaemonLine(.gameNotShared(GameNotSharedEvent(name: name, message: sentence)), sentence)
        )
    }

    /// The games about which a user has decided on this machine or on another machine of the household.
    private struct Decisions {
        private let names: Set<String>
        private let folders: Set<String>

        @Engine
        init(_ access: GameAccess, _ ledger: Ledger) async throws {
            let entries = access.engine.reports().map(\.entry)
            let own = access.household.node.id
            let offered = try await ledger.sharing.offeredSets().values
            var names = Set(entries.map { "\($0.name)" })
            // Offers of other machines count, too: `joinGames` or a user joins those.
            for offered in offered {
                let isOwn = offered.peer == own
                guard try await access.isOfHousehold(offered.peer) || isOwn else { continue }
                names.insert("\(offered.offer.name)")
            }
            let left = offered.filter { $0.peer == own }.compactMap(\.folder)
            let paths = entries.map(\.path) + left
            self.names = names
            folders = try await runBlocking("games") { Set(paths + paths.map { ResolvedPath($0).text }) }
        }

        func allow(_ name: String, in path: String?) -> Bool {
            !names.contains(name) && path.map { !folders.contains($0) } ?? true
        }
    }

    // MARK: Twins

    /// Joins the games of other machines that are the same as games that this machine has shared by itself.
    private func joinTwins(for access: GameAccess) async throws {
        var found = try await access.household.node.ledger.foundGames()
        guard !found.isEmpty else { return }
        let reports = access.engine.reports()
        for offered in try await access.engine.joining.offers() {
            let name = offered.offer.name
            guard let set = found["\(name)"], try await access.isOfHousehold(offered.peer),
                let here = reports.first(where: { $0.entry.id == set && $0.entry.name == name }),
                FoundSharingRule.mayJoin(offered.offer, insteadOf: here.entry)
            else { continue }
            do {
                try await JoinRoutes(games: access).adopt(offered, insteadOf: here)
                found["\(name)"] = offered.offer.set
                try await access.household.node.ledger.keepFoundGames(found)
                access.household.tell(
                    await access.wording.joined(try access.engine.report(of: offered.offer.set).entry, of: offered.peer)
                )
            } catch {
                tell("\(name)", "\(name) of another machine was not joined: \(error)", access)
            }
        }
    }
}

/// The rules by which two machines that have found the same game share one.
enum FoundSharingRule {
    /// The first byte of the IDs of games that a machine has shared by itself. It is the largest byte, so a machine
    /// rather joins a game that a user has shared.
    private static let mark: UInt64 = 0xFF << 56

    static func newSet() -> SaveSetID {
        let random = SaveSetID.random().words
        return SaveSetID(high: random.high | mark, low: random.low)
    }

    /// Returns true if the offered game is the same, and this machine is the one of the two to join.
    static func mayJoin(_ offer: SaveOffer, insteadOf own: SaveSetEntry) -> Bool {
        own.id.words.high & mark == mark && offer.set.description < own.id.description
            && offer.chosen == own.chosen
            && offer.ignored.lines.contains("/*") == own.scope.ignored.lines.contains("/*")
    }
}

extension SaveService {
    /// Shares games as they are found from now on. Call it before the household runs.
    package func sharesFound(_ games: any FoundSharing.LocalGames) { foundSharing = FoundSharing(games) }
}
